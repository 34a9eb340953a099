package lsp

import (
	"errors"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// A server that is waited for is at work; what it says afterwards is worth no less for that, whoever has answered
// in the meantime.
func TestWaitingForAServerIsNoDoubt(t *testing.T) {
	dir, h := t.TempDir(), newHeld()
	write(t, dir, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- m.go --\npackage m\n\nfunc Both() {}\n-- toy.mod --\n-- main.toy --\ndef Both\n")
	slow := toy(lsptest.Mute)
	slow.LoadTitle, slow.CheckTitle, slow.Probe = "", "", h.probe
	p := open(t, dir, gopls(t), slow)
	<-h.began
	v, err := p.View(t.Context(), ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan error)
	go func() {
		_, err := v.Symbols(t.Context(), "Both")
		asked <- err
	}()
	eventually(t, "gopls has answered", func() bool {
		_, ok, _ := v.wanted[0].Recall("Both")
		return ok
	})
	h.ends <- nil
	if err := <-asked; err != nil {
		t.Fatal(err)
	}
	if c := v.Completeness(); c.State != Complete {
		t.Errorf("got %+v, want complete", c)
	}
}

// A server that is at work when the budget is spent may not keep the call: what it does not answer is missing.
func TestAtWorkAndSilent(t *testing.T) {
	for method, query := range map[string]func(*View) error{
		protocol.MethodWorkspaceSymbol: func(v *View) error {
			found, err := v.Symbols(t.Context(), "Alpha")
			if len(found) > 0 || err != nil {
				t.Errorf("symbols: %v, %v", found, err)
			}
			_, err = v.symbolsOf(t.Context(), v.wanted[0], "Alpha")
			return err
		},
		protocol.MethodTextDocumentHover: func(v *View) error {
			_, err := v.Hover(t.Context(), Location{Path: "main.toy", Range: Range{Start: Position{Line: 1, Column: 5}}})
			return err
		},
	} {
		t.Run(method, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
			p := openWith(t, Options{
				Root: dir, Languages: []Language{toy(lsptest.Stuck, lsptest.HangsOn(method))}, Env: environment(),
				ReadyBudget: time.Millisecond, grace: 100 * time.Millisecond,
			})
			if _, err := p.workspace.ServerOf(&p.workspace.Languages[0], p.workspace.Main).Live(t.Context()); err != nil {
				t.Fatal(err)
			}
			v, err := p.View(t.Context(), ViewOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var silent *workspace.StartingError
			if err := query(v); !errors.As(err, &silent) || !strings.Contains(err.Error(), "is still at work") {
				t.Errorf("got %v", err)
			}
			if c := v.Completeness(); c.State != Indexing {
				t.Errorf("completeness %+v", c)
			}
		})
	}
}

// All requests of a call together may take as long as one, and what was not answered is not asked again.
func TestAtWorkAndSilentAgain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	const budget = 2 * time.Second
	p := openWith(t, Options{
		Root: dir, Languages: []Language{toy(lsptest.Stuck, lsptest.HangsOn(protocol.MethodTextDocumentHover))}, Env: environment(),
	})
	v, err := p.View(t.Context(), ViewOptions{Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for range 50 {
		var silent *workspace.StartingError
		if _, err := v.Hover(t.Context(), At("main.toy", 1, 5)); !errors.As(err, &silent) {
			t.Errorf("got %v", err)
		}
	}
	if took := time.Since(start); took < budget || took > 10*budget { // each for itself would take 50
		t.Errorf("fifty requests without an answer took %s", took)
	}
}

// TestNoServer says which files can be asked about.
func TestNoServer(t *testing.T) {
	p, dir := toyProject(t)
	_, err := view(t, p).References(t.Context(), At(dir+"/notes.txt", 1, 1), false)
	var unread *NoServerError
	if !errors.As(err, &unread) || !strings.Contains(err.Error(), "notes.txt") || !strings.Contains(unread.Hint(), "agent status") {
		t.Errorf("error %v, want one about notes.txt that says what to ask about", err)
	}
	unread = &NoServerError{Path: "/elsewhere/a.toy", Elsewhere: true}
	if !strings.Contains(unread.Error(), "another checkout") || !strings.Contains(unread.Hint(), "that checkout") {
		t.Errorf("error %v, hint %s", unread, unread.Hint())
	}
}
