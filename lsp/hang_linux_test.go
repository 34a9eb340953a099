package lsp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tidepool/lsp/internal/process"
	"tidepool/lsp/internal/session"
)

// freeze stops a server, and returns when none of its threads runs.
func freeze(t *testing.T, pid int) {
	t.Helper()
	process.SignalGroup(pid, unix.SIGSTOP)
	err := unix.EINTR
	for err == unix.EINTR {
		err, _ = unix.Waitid(unix.P_PID, pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil).(unix.Errno)
	}
	if err != 0 {
		t.Fatal(err)
	}
}

// A server that is stopped for good is replaced: who has asked it hears why, who asks then is answered.
func TestHung(t *testing.T) {
	eachServer(t, func(t *testing.T, language Language, dir string) {
		var d diary
		p := openWith(t, Options{
			Root: dir, Languages: []Language{language}, Env: append(environment(), "GOWORK=off", "XDG_CACHE_HOME="+t.TempDir()),
			Events: d.note, answer: 500 * time.Millisecond, hangTimeout: 2 * time.Second, interval: 20 * time.Millisecond,
		})
		want, c, err := hubUses(t.Context(), p, language.ID)
		if err != nil || want == 0 || c.State != Complete {
			t.Fatalf("%d uses, %v, %+v", want, err, c)
		}
		at := one(t, view(t, p), samples()[language.ID].Functions()[0]).Location
		before, live := first(p), current(p)
		freeze(t, before.PID)
		patient := asking(t, p, live, at)
		var late *SlowError
		if _, err := impatient(t, p).References(t.Context(), at, false); !errors.As(err, &late) {
			t.Errorf("while it is stopped: %v", err)
		}
		var exit *session.ExitError
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
		isEnded(t, live)
		eventually(t, "nothing is left of it", func() bool { return unix.Kill(-before.PID, 0) != nil })
	})
}

// asking has a patient caller wait for the uses of what is at a place.
func asking(t *testing.T, p *Project, live *session.Session, at Location) <-chan error {
	t.Helper()
	v, done := view(t, p), make(chan error, 1)
	go func() {
		_, err := v.References(context.WithoutCancel(t.Context()), at, false)
		done <- err
	}()
	eventually(t, "the request has left", func() bool { requests, _ := live.Ignored(); return requests > 0 })
	return done
}

// A server for drafts that says nothing of a change is ended; the next draft has another one.
func TestDraftServerHangs(t *testing.T) {
	p, dir := project(t, shopAndTill)
	d := drafting(t, p)
	live := d.server.Living()
	freeze(t, live.PID())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := trying(t, ctx, d, replaced(t, dir, "price/price.go", "item string", "item string, tax int"))
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	for range 4 {
		d.server.RestartIfHung(threeSeconds())
	}
	isEnded(t, live)
	if s := d.server.Status(); s.State != Backoff || !strings.HasPrefix(s.Note, "stopped: it gave no sign of life for 3s") {
		t.Errorf("status %+v", s)
	}
	if got := try(t, d); len(got) > 0 {
		t.Errorf("nothing tried: %q", got)
	}
}
