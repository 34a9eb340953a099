package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/process"
	"tidepool/lsp/lsptest"
)

// threeSeconds are limits for tests that count the pulses themselves: 4 are 3 s, as the first may come at once.
func threeSeconds() limits { return limits{silence: 3 * time.Second, pulse: time.Second} }

// TestSilence plays what passes between us and a server. A number is how many pulses follow.
func TestSilence(t *testing.T) {
	const ready = "+load -load "
	tests := []struct{ script, want string }{
		{ready + "99", ""}, // it was not asked
		{ready + "ask 30", ""},
		{ready + "ask 31", "30s while a request"},
		{ready + "ask give-up 3", ""},
		{ready + "ask give-up 4", "3s while a request"},
		{ready + "ask 5 ask give-up 4", "8s while 2 requests"},
		{ready + "ask 5 give-up 1 give-up 3", "8s while a request"},
		{ready + "ask give-up 3 hear 99", ""},
		{ready + "ask hear give-up 99", ""}, // the answer came just before
		{ready + "ask 30 hear ask 30", ""},
		{ready + "ask give-up 3 hear ask give-up 3", ""},
		{ready + "ask give-up +search 99", ""}, // that was heard
		{ready + "+search ask give-up 30", ""},
		{ready + "+search ask give-up 31", "30s while a request"},
		{ready + "+search ask -search ask give-up 4", "3s while a request"},
		{"ask give-up 99", ""}, // it may be loading
		{"+load ask give-up 99", ""},
	}
	language := golang()
	for _, test := range tests {
		s := &session{wire: &wire{}, progress: newProgress(&language)}
		got := ""
		for _, word := range strings.Fields(test.script) {
			switch name := word[1:]; {
			case word == "ask":
				s.wire.silence.ask()
			case word == "give-up":
				s.wire.silence.giveUp()
			case word == "hear":
				s.wire.silence.end()
			case word[0] == '+':
				s.wire.silence.end()
				s.progress.begin(name, task{title: map[string]string{"load": language.LoadTitle}[name]})
			case word[0] == '-':
				s.wire.silence.end()
				s.progress.end(name, language.LoadEnd)
			default:
				pulses, err := strconv.Atoi(word)
				if err != nil {
					t.Fatal(err)
				}
				for range pulses {
					got = s.hung(threeSeconds())
				}
			}
		}
		if test.want != "" {
			test.want = "it gave no sign of life for " + test.want + " waited"
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.script, got, test.want)
		}
	}
}

// A server that is stopped for good is replaced: who has asked it hears why, who asks then is answered.
func TestHung(t *testing.T) {
	eachServer(t, func(t *testing.T, language Language, dir string) {
		var d diary
		p := openWith(t, Options{
			Root: dir, Languages: []Language{language}, Env: append(environment(), "GOWORK=off", "XDG_CACHE_HOME="+t.TempDir()),
			Events: d.note, answer: 500 * time.Millisecond, silence: 2 * time.Second, pulse: 20 * time.Millisecond,
		})
		want, c, err := hubUses(t.Context(), p, language.ID)
		if err != nil || want == 0 || c.State != Complete {
			t.Fatalf("%d uses, %v, %+v", want, err, c)
		}
		at := one(t, view(t, p), samples()[language.ID].Functions()[0]).Location
		before, live := first(p), current(p)
		process.SignalGroup(before.PID, syscall.SIGSTOP)
		patient := asking(t, p, live, at)
		var late *SlowError
		if _, err := impatient(t, p).References(t.Context(), at, false); !errors.As(err, &late) {
			t.Errorf("while it is stopped: %v", err)
		}
		var exit *ExitError
		if err := <-patient; !errors.As(err, &exit) || !strings.Contains(err.Error(), "exited: it gave no sign of life for ") || !strings.Contains(hint(err), "ask again") {
			t.Errorf("who was waiting: %v, hint %q", err, hint(err))
		}
		if got, c, err := hubUses(t.Context(), p, language.ID); got != want || err != nil || c.State != Complete {
			t.Errorf("afterwards: %d uses, want %d; %v, %+v", got, want, err, c)
		}
		const why = "restarted: it gave no sign of life for "
		if s := first(p); s.PID == before.PID || s.Restarts != 1 || s.State != Ready || !strings.HasPrefix(s.Note, why) || !d.has(why) {
			t.Errorf("status %+v, events %q", s, d.events)
		}
		<-live.gone
		eventually(t, "nothing is left of it", func() bool { return syscall.Kill(-before.PID, 0) != nil })
	})
}

// asking has a patient caller wait for the uses of what is at a place.
func asking(t *testing.T, p *Project, live *session, at Location) <-chan error {
	t.Helper()
	v, done := view(t, p), make(chan error, 1)
	go func() {
		_, err := v.References(context.WithoutCancel(t.Context()), at, false)
		done <- err
	}()
	eventually(t, "the request has left", func() bool { return live.isAsked() })
	return done
}

// isAsked says whether a request has left that nothing has come for.
func (s *session) isAsked() bool {
	q := &s.wire.silence
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.requests > 0
}

// pulses looks so often whether the project's only server hangs.
func pulses(p *Project, n int) {
	for range n {
		p.allServers()[0].revive(threeSeconds())
	}
}

// calm returns when the server has nothing left to say of a document that it holds open.
func calm(t *testing.T, p *Project, at Location) {
	t.Helper()
	if _, err := view(t, p).References(t.Context(), at, false); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all is told", func() bool { errors, _ := current(p).progress.atRest(); return errors != nil })
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
		pulses(p, 3)
		forget(p)
		lives()
		eventually(t, name+" are heard", func() bool { return !live.isAsked() })
		pulses(p, 99)
		if s := p.Status()[0]; current(p) != live || s.Restarts != 0 || s.Note != "" {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// A server that hangs again and again is given up.
func TestHungAgain(t *testing.T) {
	p, at := ignoring(t)
	for range exitLimit {
		givesUp(t, p, at)
		live := current(p)
		pulses(p, 4)
		<-live.gone
	}
	_, err := p.View(t.Context(), ViewOptions{})
	if err == nil || !strings.Contains(err.Error(), "no sign of life for 3s while a request waited (5 times in a row, not started again)") {
		t.Errorf("%v", err)
	}
	if s := p.Status()[0]; s.State != Failed || s.PID != 0 || s.Restarts != exitLimit-1 || !strings.HasPrefix(s.Note, "stopped: it gave no sign of life") {
		t.Errorf("%+v", s)
	}
}

// A client of a proxy that waits hears why its server was ended, and is served by the next.
func TestProxyServerHangs(t *testing.T) {
	p, c, path := toyGuest(t, lsptest.Ignores("textDocument/hover"))
	calm(t, p, At(path, 1, 5))
	live, waits := current(p), c.begin("textDocument/hover", placed(path, 0, 4))
	c.notify("$/cancelRequest", `{"id":`+c.begin("textDocument/hover", placed(path, 0, 4))+`}`)
	eventually(t, "one is given up", func() bool {
		live.wire.silence.mu.Lock()
		defer live.wire.silence.mu.Unlock()
		return live.wire.silence.givenUp && live.wire.silence.requests == 2
	})
	pulses(p, 4)
	c.isRefused(c.end(waits), -32803, "no sign of life for 3s while 2 requests waited")
	c.call("textDocument/definition", placed(path, 0, 4))
	if current(p) == live {
		t.Error("it is still the same session")
	}
}

// A server for drafts that says nothing of a change is ended; the next draft has another one.
func TestDraftServerHangs(t *testing.T) {
	p, dir := project(t, shopAndTill)
	d := drafting(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := trying(t, ctx, d, replaced(t, dir, "price/price.go", "item string", "item string, tax int"))
	live := d.server.living()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	for range 4 {
		d.server.revive(threeSeconds())
	}
	<-live.gone
	if s := d.server.status(); s.State != Backoff || !strings.HasPrefix(s.Note, "stopped: it gave no sign of life for 3s") {
		t.Errorf("status %+v", s)
	}
	if got := try(t, d); len(got) > 0 {
		t.Errorf("nothing tried: %q", got)
	}
}
