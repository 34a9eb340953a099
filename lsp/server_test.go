package lsp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/golang"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// hint is what the error advises.
func hint(err error) string {
	var advice interface{ Hint() string }
	if !errors.As(err, &advice) {
		return ""
	}
	return advice.Hint()
}

// toyProject is a project of the toy language with a server that behaves so.
func toyProject(t *testing.T, behaviours ...lsptest.Behaviour) (*Project, string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	return open(t, dir, toy(behaviours...)), dir
}

func TestKilledBetweenCalls(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		if got, _ := uses(t, p); got != 1 {
			t.Fatalf("%d uses", got)
		}
		before := p.Status()[0]
		live := current(p)
		if err := syscall.Kill(before.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		<-live.Done()
		if got, c := uses(t, p); got != 1 || c.State != Complete {
			t.Errorf("after the kill: %d uses, %+v", got, c)
		}
		after := p.Status()[0]
		if after.Restarts != 1 || after.PID == before.PID || after.State != Ready {
			t.Errorf("status %+v", after)
		}
	})
}

// TestKilledInTheMiddleOfACall stops the server, so that it cannot answer, and kills it.
func TestKilledInTheMiddleOfACall(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		for range 20 {
			v := view(t, p)
			at := one(t, v, "Alpha").Location
			pid := p.Status()[0].PID
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			begun, ended := make(chan struct{}), make(chan error, 1)
			go func() {
				close(begun)
				_, err := v.References(context.Background(), at, true)
				ended <- err
			}()
			<-begun
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			err := <-ended
			if err == nil {
				continue // the call had not left yet, and was answered by the next server
			}
			if !strings.Contains(err.Error(), "exited: signal: killed") || !strings.Contains(hint(err), "ask again") {
				t.Errorf("error %v, hint %q", err, hint(err))
			}
			if got, c := uses(t, p); got != 1 || c.State != Complete {
				t.Errorf("the next call: %d uses, %+v", got, c)
			}
			return
		}
		t.Error("no call was ever in flight")
	})
}

func TestCrashTellsLastWords(t *testing.T) {
	t.Parallel()
	p, dir := toyProject(t, lsptest.DiesOn(protocol.MethodTextDocumentHover))
	v := view(t, p)
	_, err := v.Hover(t.Context(), At(filepath.Join(dir, "main.toy"), 1, 5))
	var exit *session.ExitError
	if !errors.As(err, &exit) || !strings.Contains(err.Error(), "exit status 3") ||
		!strings.Contains(err.Error(), "cannot bear textDocument/hover") {
		t.Errorf("error %v", err)
	}
}

func TestGivesUp(t *testing.T) {
	t.Parallel()
	p, _ := toyProject(t, lsptest.DiesEarly)
	var err error
	for range workspace.ExitLimit + 1 {
		if _, err = symbols(t, p, "Alpha"); err == nil {
			t.Fatal("an answer of a server that cannot start")
		}
	}
	var exit *session.ExitError
	if !errors.As(err, &exit) || !exit.GaveUp || exit.Exits != workspace.ExitLimit || !strings.Contains(err.Error(), "no licence") {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(hint(err), "5 minutes") {
		t.Errorf("hint %q", hint(err))
	}
	if s := p.Status()[0]; s.State != Failed || s.Restarts != workspace.ExitLimit-1 || s.Message == "" {
		t.Errorf("status %+v", s)
	}
}

// symbols asks a new View.
func symbols(t testing.TB, p *Project, name string) ([]Symbol, error) {
	t.Helper()
	v, err := p.View(t.Context(), ViewOptions{})
	if err != nil {
		return nil, err
	}
	return v.Symbols(t.Context(), name)
}

func TestMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, shop)
	bin := t.TempDir()
	p := openWith(t, Options{Root: dir, Env: []string{"PATH=" + bin, "GOPATH=" + bin}})
	_, err := p.View(t.Context(), ViewOptions{})
	want := "no language server for Go: gopls is not on PATH"
	if err == nil || err.Error() != want || hint(err) != "run: go install golang.org/x/tools/gopls@v0.23.0" {
		t.Fatalf("error %v, hint %q", err, hint(err))
	}
	if s := p.Status()[0]; s.State != Missing || s.Message != want+"; run: go install golang.org/x/tools/gopls@v0.23.0" {
		t.Errorf("status %+v", s)
	}
	if c := p.Completeness(); c.State != Partial || c.Reason != want {
		t.Errorf("completeness %+v", c)
	}
	// Installed where `go install` puts it, the next call finds it.
	put(t, filepath.Join(bin, "bin", "gopls"), "#!/bin/sh\necho not really >&2\nexit 1\n")
	if err := os.Chmod(filepath.Join(bin, "bin", "gopls"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := symbols(t, p, "Alpha"); err == nil || !strings.Contains(err.Error(), "not really") {
		t.Errorf("error %v", err)
	}
}

func TestNoLanguage(t *testing.T) {
	t.Parallel()
	p := open(t, t.TempDir(), golang.Language())
	_, err := p.View(t.Context(), ViewOptions{})
	var none *NoLanguageError
	if !errors.As(err, &none) || !strings.Contains(hint(err), "go.mod") {
		t.Errorf("error %v, hint %q", err, hint(err))
	}
	if err := p.WaitReady(t.Context()); !errors.As(err, &none) {
		t.Errorf("WaitReady: %v", err)
	}
}

func TestAllSwitchedOff(t *testing.T) {
	t.Parallel()
	p := openWith(t, Options{Root: t.TempDir(), Languages: []Language{}})
	if _, err := p.View(t.Context(), ViewOptions{}); err == nil || !strings.Contains(err.Error(), "switched off") || hint(err) == "" {
		t.Errorf("error %v", err)
	}
	if c := p.Completeness(); len(c.Servers) != 0 || c.State != Unknown || c.Reason == "" {
		t.Errorf("completeness %+v", c)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "")
	for _, options := range []Options{
		{},
		{Root: "relative"},
		{Root: "/nonexistent"},
		{Root: file},
		{Root: t.TempDir(), Languages: []Language{{ID: "x"}}},
	} {
		if p, err := Open(options); err == nil {
			p.Close(t.Context())
			t.Errorf("Open(%+v) succeeded", options)
		}
	}
}

func TestCallersTimeIsItsOwn(t *testing.T) {
	t.Parallel()
	p, dir := toyProject(t, lsptest.HangsOn(protocol.MethodTextDocumentHover))
	v := view(t, p)
	at := At(filepath.Join(dir, "main.toy"), 1, 5)
	pid := p.Status()[0].PID
	if _, err := v.References(t.Context(), at, true); err != nil { // what the server says of a file that is opened is said by then
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := v.Hover(ctx, at)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "did not answer") {
		t.Errorf("error %v", err)
	}
	// The server was told to stop, says so, and lives on.
	if _, err := v.References(t.Context(), at, true); err != nil {
		t.Error(err)
	}
	eventually(t, "the server says that it was cancelled", func() bool { return p.Status()[0].Message == "cancelled" })
	if s := p.Status()[0]; s.PID != pid {
		t.Errorf("status %+v", s)
	}
}

func TestServerThatStopsReading(t *testing.T) {
	t.Parallel()
	p, dir := toyProject(t, lsptest.StopsReading(protocol.MethodTextDocumentHover))
	v := view(t, p)
	at := At(filepath.Join(dir, "main.toy"), 1, 5)
	put(t, filepath.Join(dir, "big.toy"), strings.Repeat("use Alpha\n", 100_000)) // more than a pipe holds
	for _, ask := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := v.Hover(ctx, at); return err },
		func(ctx context.Context) error {
			_, err := v.Hover(ctx, At(filepath.Join(dir, "big.toy"), 1, 5))
			return err
		},
		func(ctx context.Context) error { _, err := v.References(ctx, at, true); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if err := ask(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		cancel()
	}
}

func TestGarbage(t *testing.T) {
	t.Parallel()
	p, dir := toyProject(t, lsptest.Garbage)
	v := view(t, p)
	at := At(filepath.Join(dir, "main.toy"), 1, 5)
	_, err := v.Hover(t.Context(), at)
	var exit *session.ExitError
	if !errors.As(err, &exit) {
		t.Errorf("error %v", err)
	}
	if _, err := v.References(t.Context(), at, true); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()
	p, _ := toyProject(t)
	v := view(t, p)
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Symbols(t.Context(), "Alpha"); !errors.Is(err, workspace.ErrClosed) {
		t.Errorf("error %v", err)
	}
	if _, err := p.View(t.Context(), ViewOptions{}); !errors.Is(err, workspace.ErrClosed) {
		t.Errorf("error %v", err)
	}
}
