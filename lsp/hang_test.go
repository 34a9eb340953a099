package lsp

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/workspace"
	"tidepool/lsp/lsptest"
)

// threeSeconds are limits for tests that count the ticks themselves: 4 are 3 s, as the first may come at once.
func threeSeconds() workspace.Limits {
	return workspace.Limits{HangTimeout: 3 * time.Second, Interval: time.Second}
}

// isEnded waits for the end of a session.
func isEnded(t *testing.T, live *session.Session) {
	t.Helper()
	select {
	case <-live.Done():
	case <-time.After(peerPatience):
		t.Fatal("it goes on")
	}
}

// ticks looks so often whether the project's only server hangs.
func ticks(p *Project, n int) {
	for range n {
		p.workspace.Servers()[0].RestartIfHung(threeSeconds())
	}
}

// calm returns when the server has nothing left to say of a document that it holds open.
func calm(t *testing.T, p *Project, at Location) {
	t.Helper()
	if _, err := view(t, p).References(t.Context(), at, false); err != nil {
		t.Fatal(err)
	}
	if _, err := current(p).AwaitQuiet(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// givesUp asks what the server ignores.
func givesUp(t *testing.T, p *Project, at Location) {
	t.Helper()
	calm(t, p, at)
	var late *SlowError
	if _, err := impatient(t, p).Hover(t.Context(), at); !errors.As(err, &late) {
		t.Errorf("what it ignores: %v", err)
	}
}

// ignoring is a project of a toy that ignores hovers, and a place to hover at.
func ignoring(t *testing.T, more ...lsptest.Behaviour) (*Project, Location) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	p := openWith(t, Options{
		Root: dir, Languages: []Language{toy(append(more, lsptest.Ignores(protocol.MethodTextDocumentHover))...)},
		Env: environment(), answer: 100 * time.Millisecond,
	})
	view(t, p)
	return p, At(filepath.Join(dir, "main.toy"), 1, 5)
}

// A server that leaves a request unanswered and says other things lives: answers, or what it makes of a change.
func TestNotHung(t *testing.T) {
	p, at := ignoring(t)
	live := current(p)
	for name, lives := range map[string]func(){
		"answers": func() { one(t, view(t, p), "Alpha") },
		"progress": func() {
			put(t, filepath.Join(filepath.Dir(at.Path), "more.toy"), "def Beta\n")
			p.follow1(t)
		},
	} {
		givesUp(t, p, at)
		ticks(p, 3)
		forget(p)
		lives()
		eventually(t, name+" are heard", func() bool { requests, _ := live.Ignored(); return requests == 0 })
		ticks(p, 99)
		if s := p.Status()[0]; current(p) != live || s.Restarts != 0 || s.Note != "" {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// A server that hangs again and again is given up.
func TestHungAgain(t *testing.T) {
	p, at := ignoring(t)
	for range workspace.ExitLimit {
		givesUp(t, p, at)
		live := current(p)
		ticks(p, 4)
		isEnded(t, live)
	}
	_, err := p.View(t.Context(), ViewOptions{})
	if err == nil || !strings.Contains(err.Error(), "no sign of life for 3s while a request waited (5 times in a row, not started again)") {
		t.Errorf("%v", err)
	}
	if s := p.Status()[0]; s.State != Failed || s.PID != 0 || s.Restarts != workspace.ExitLimit-1 || !strings.HasPrefix(s.Note, "stopped: it gave no sign of life") {
		t.Errorf("%+v", s)
	}
}

// A client of a proxy that waits hears why its server was ended, and is served by the next.
func TestProxyServerHangs(t *testing.T) {
	p, c, path := toyClient(t, lsptest.Ignores("textDocument/hover"))
	calm(t, p, At(path, 1, 5))
	live, waits, cancels := current(p), c.begin("textDocument/hover", placed(path, 0, 4)), c.begin("textDocument/hover", placed(path, 0, 4))
	eventually(t, "both are asked", func() bool { requests, _ := live.Ignored(); return requests == 2 })
	c.notify("$/cancelRequest", `{"id":`+cancels+`}`)
	eventually(t, "one is given up", func() bool { _, givenUp := live.Ignored(); return givenUp })
	ticks(p, 4)
	c.isRefused(c.end(waits), -32803, "no sign of life for 3s while 2 requests waited")
	c.call("textDocument/definition", placed(path, 0, 4))
	if current(p) == live {
		t.Error("it is still the same session")
	}
}
