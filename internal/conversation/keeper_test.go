package conversation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// run runs the keeper until the test ends, or the returned function is called.
func (f *fixture) run(k *Keeper) (stop func()) {
	f.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- k.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			f.t.Error(err)
		}
	}
	f.t.Cleanup(stop)
	return stop
}

// eventually calls do until it returns true.
func eventually(t testing.TB, what string, do func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !do(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it never happens: %s", what)
		}
	}
}

// finds reports whether a complete answer to a word has so many hits.
func finds(t testing.TB, a *Archive, word string, hits int) bool {
	t.Helper()
	found, err := a.Search(context.Background(), Query{Text: word})
	if err != nil {
		t.Fatal(err)
	}
	return found.State.State == Complete && len(found.Hits) == hits
}

func TestKeeperFollows(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "first", "gateway")
	a, k := f.archive()
	f.run(k)
	eventually(t, "the first look", func() bool { return finds(t, a, "gateway", 1) })
	f.say("aaaaaaaa-1", "u2", "u1", "second", "portal")
	eventually(t, "a turn of a file that is known", func() bool { return finds(t, a, "portal", 1) })
	f.say("bbbbbbbb-1", "u3", "", "third", "doorway")
	k.Hint(f.path("bbbbbbbb-1"))
	eventually(t, "a new file that a hook names", func() bool { return finds(t, a, "doorway", 1) })
	f.say("cccccccc-1", "u4", "", "fourth", "archway")
	eventually(t, "a new file that nobody names", func() bool { return finds(t, a, "archway", 1) })
	if err := os.Remove(f.path("aaaaaaaa-1")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a file that is gone", func() bool {
		found := search(t, a, Query{Text: "portal"})
		return len(found.Hits) == 1 && !found.Hits[0].Resumable
	})
	status, err := a.Status(t.Context())
	if err != nil || !status.Writer || status.Sessions != 3 || status.Turns != 4 || status.Gone != 1 || status.Memory == 0 || status.State.State != Complete {
		t.Errorf("%+v, %v", status, err)
	}
}

// A search may still look at a file when the keeper ends: the store stays open until it is done.
func TestEndWaitsForSearches(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "first", "gateway")
	_, k := f.archive()
	if err := k.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	path := f.path("aaaaaaaa-1")
	k.changedNow(path)
	release := k.exclude(path)
	if k.refresh(t.Context()) {
		t.Fatal("the search did not wait for the file")
	}
	ended := make(chan error, 1)
	go func() { ended <- k.end() }()
	eventually(t, "the keeper is ending", func() bool {
		k.config.Lock()
		defer k.config.Unlock()
		return k.ending
	})
	if !k.refresh(t.Context()) {
		t.Error("a search began to use a store that is about to be closed")
	}
	release()
	if err := <-ended; err != nil || len(k.failed) > 0 {
		t.Error(err, k.failed)
	}
}

// An endsAfter ends when it was asked so many times whether it has ended.
type endsAfter struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func (c *endsAfter) Err() error {
	if c.left.Add(-1) == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// Whenever the keeper is told to end, that is no error: a daemon may exit while it starts.
func TestEndIsNoError(t *testing.T) {
	for n := range int64(30) {
		f := newFixture(t)
		f.say("aaaaaaaa-1", "u1", "", "first", "gateway")
		_, k := f.archive()
		ctx, cancel := context.WithCancel(t.Context())
		counted := &endsAfter{Context: ctx, cancel: cancel}
		counted.left.Store(n + 1)
		ended := make(chan error, 1)
		go func() { ended <- k.Run(counted) }()
		eventually(t, "the keeper asks, or has nothing more to ask", func() bool {
			k.config.Lock()
			defer k.config.Unlock()
			return ctx.Err() != nil || k.state.State == Complete
		})
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("ended at its question %d: %v", n+1, err)
		}
	}
}

// Of two processes one writes, and both answer. When it ends, the other one goes on.
func TestOneWrites(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "first", "gateway")
	first, k1 := f.archive()
	stop := f.run(k1)
	eventually(t, "the first reads", func() bool { return finds(t, first, "gateway", 1) })
	second, k2 := f.archive()
	f.run(k2)
	eventually(t, "the second answers", func() bool { return finds(t, second, "gateway", 1) })
	command, k3 := f.archive()
	if err := k3.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !finds(t, command, "gateway", 1) {
		t.Error("a command beside them does not answer")
	}
	if status, err := second.Status(t.Context()); err != nil || status.Writer {
		t.Errorf("both write: %+v, %v", status, err)
	}
	f.say("aaaaaaaa-1", "u2", "u1", "second", "portal")
	eventually(t, "the second sees what the first has read", func() bool { return finds(t, second, "portal", 1) })
	stop()
	f.say("aaaaaaaa-1", "u3", "u2", "third", "doorway")
	eventually(t, "the second takes over", func() bool { return finds(t, second, "doorway", 1) })
}

func TestUnreadableStoreIsSetAside(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "first", "gateway")
	path := f.options.StorePath()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	garbage := bytes.Repeat([]byte("garbage "), 1000)
	if err := os.WriteFile(path, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	a := f.read()
	if !finds(t, a, "gateway", 1) {
		t.Error("nothing is found")
	}
	status, err := a.Status(t.Context())
	if err != nil || len(status.Notes) != 1 || !strings.Contains(status.Notes[0], "set aside") {
		t.Errorf("%+v, %v", status, err)
	}
	if aside, _ := filepath.Glob(path + ".unreadable-*"); len(aside) != 1 {
		t.Errorf("set aside: %v", aside)
	} else if data, _ := os.ReadFile(aside[0]); !bytes.Equal(data, garbage) {
		t.Error("what was set aside has changed")
	}
}

func TestSecretsAreNotStored(t *testing.T) {
	f := newFixture(t)
	secret := "ghp_" + "x7Kq2mVb9TzR4wLp8NcYd3HsJf6GaE1uQoWi"
	f.say("aaaaaaaa-1", "u1", "", "why does "+secret+" fail", "because `"+secret+"` expired")
	a := f.read()
	turn, err := a.Turn(t.Context(), "aaaa", 0)
	if err != nil || !strings.Contains(turn.User, "[secret: ") || !strings.Contains(turn.Answer, "[secret: ") {
		t.Errorf("%+v, %v", turn, err)
	}
	for _, text := range []string{dump(t, f.options.StorePath()), fmt.Sprintf("%+v", search(t, a, Query{Text: "expired fail"}))} {
		if strings.Contains(text, secret) {
			t.Errorf("the secret is in %s", text)
		}
	}
}

func TestIndexLeavesTheMemory(t *testing.T) {
	f := newFixture(t)
	f.say("aaaaaaaa-1", "u1", "", "first", "gateway")
	f.options.Idle = 20 * time.Millisecond
	a := f.read()
	search(t, a, Query{Text: "gateway"})
	eventually(t, "the index is dropped", func() bool {
		status, err := a.Status(t.Context())
		return err == nil && status.Memory == 0
	})
	if !finds(t, a, "gateway", 1) {
		t.Error("nothing is found")
	}
}

func TestNoStoreYet(t *testing.T) {
	a, err := New(newFixture(t).options)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	found, err := a.Search(t.Context(), Query{Text: "gateway"})
	if err != nil || found.State.State != Partial || found.State.Why == "" {
		t.Errorf("%+v, %v", found, err)
	}
	var unknown *SessionError
	if _, err := a.Turn(t.Context(), "aaaa", 0); !errors.As(err, &unknown) {
		t.Error(err)
	}
	if _, err := os.Stat(a.options.Dir); !os.IsNotExist(err) {
		t.Errorf("a question has made the directory: %v", err)
	}
}
