package lsp

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// A document may be closed between the moment when a question opens it and that when the question is sent, and right
// behind the question: others make room, or have the server look into it again.
func TestAnswersThoughTheDocumentWasClosed(t *testing.T) {
	t.Parallel()
	for name, d := range dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), `a & "ü"`)
			write(t, dir, d.files)
			put(t, filepath.Join(dir, "away", "caller"+d.ext), fmt.Sprintf(d.caller, "../", 1))
			v := view(t, open(t, dir, d.language(t)))
			alpha := one(t, v, "Alpha").Location
			to, err := v.aim(t.Context(), alpha)
			if err != nil {
				t.Fatal(err)
			}
			defer to.done()
			params := &protocol.ReferenceParams{TextDocumentPositionParams: to.place}
			ask := func() ([]protocol.Location, error) {
				return to.places(t.Context(), protocol.MethodTextDocumentReferences, params)
			}
			want, err := ask()
			if err != nil || len(want) == 0 {
				t.Fatalf("references: %v, %v", want, err)
			}
			if err := to.session.Shut(to.path); err != nil {
				t.Fatal(err)
			}
			if got, err := ask(); err != nil || !slices.Equal(got, want) {
				t.Errorf("closed before the question: %v, %v; want %v", got, err, want)
			}
			client := onlyAnswer{id: `"behind"`, got: make(chan []byte, 1)}
			to.session.Share(func() session.Interceptor { return client })
			encoded, err := protocol.Marshal(params)
			if err != nil {
				t.Fatal(err)
			}
			question := jsonrpc2.AppendCall(nil, jsonrpc2.NewStringID("behind"), protocol.MethodTextDocumentReferences, encoded)
			if err := errors.Join(to.session.Request(nil, to.path, question), to.session.Shut(to.path)); err != nil {
				t.Fatal(err)
			}
			answer := <-client.got
			if got, err := text.ReadLocations(answer); err != nil || !slices.Equal(got, want) {
				t.Errorf("closed behind the question: %v, %s; want %v", got, answer, want)
			}
		})
	}
}

// An onlyAnswer is a client that waits for one answer.
type onlyAnswer struct {
	id  string
	got chan []byte
}

func (a onlyAnswer) Take(body []byte) bool {
	m, err := jsonrpc2.ScanMessageView(body)
	if err != nil || string(m.IDRaw) != a.id {
		return false
	}
	a.got <- bytes.Clone(m.Result)
	return true
}

func (a onlyAnswer) HangUp() {}

// The same while the document is closed and opened over and over, as clangd's index has it done.
func TestAnswersWhileDocumentsAreReopened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := dialects()["c"]
	write(t, dir, d.files)
	put(t, filepath.Join(dir, "away", "caller.c"), fmt.Sprintf(d.caller, "../", 1))
	v := view(t, open(t, dir, clangd(t)))
	alpha := one(t, v, "Alpha").Location
	live, err := v.session(t.Context(), v.wanted[0])
	if err != nil {
		t.Fatal(err)
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
				return
			default:
			}
			if err := live.Reopen(t.Context(), alpha.Path); err != nil {
				t.Errorf("looking again: %v", err)
				return
			}
		}
	}()
	for range 200 {
		if _, err := v.References(t.Context(), alpha, false); err != nil {
			t.Error(err)
			break
		}
	}
	close(over)
	<-ended
}
