package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// hookClients is how many clients send hooks at once.
const hookClients = 8

// totals are what the hooks of one trial came to. They are safe for concurrent use.
type totals struct {
	hooks, unanswered, longest atomic.Int64

	mu  sync.Mutex
	err error // the first
}

func (t *totals) note(v verdict) {
	t.hooks.Add(1)
	if !v.answered {
		t.unanswered.Add(1)
	}
	for {
		longest := t.longest.Load()
		if int64(v.took) <= longest || t.longest.CompareAndSwap(longest, int64(v.took)) {
			return
		}
	}
}

func (t *totals) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err = errors.Join(t.err, err)
}

func (t *totals) String() string {
	return fmt.Sprintf("%d hooks, the longest %v, %d without a daemon",
		t.hooks.Load(), time.Duration(t.longest.Load()).Round(time.Millisecond), t.unanswered.Load())
}

// outliveKills kills the daemon again and again while clients send hooks, half
// of them in either fail mode; now and then one begins a session, which starts
// the next daemon.
func outliveKills(ctx context.Context, f *fixture, rounds int) (string, error) {
	fresh, err := f.fresh(ctx)
	if err != nil {
		return "", err
	}
	storm, calm := context.WithCancel(ctx)
	defer calm()
	var t totals
	var clients sync.WaitGroup
	for i := range hookClients {
		clients.Go(func() {
			if err := f.sendHooks(storm, []string{open, closed}[i%2], &t); err != nil {
				t.fail(err)
				calm()
			}
		})
	}
	err = f.kill(storm, rounds)
	calm()
	clients.Wait()
	if t.err != nil {
		return "", t.err
	}
	if err != nil {
		return "", err
	}
	left, err := f.survivors(ctx, fresh)
	return fmt.Sprintf("%v; %s", &t, left), err
}

// sendHooks sends one random event after the other until ctx ends, and sees the
// last one through.
func (f *fixture) sendHooks(ctx context.Context, mode string, t *totals) error {
	for ctx.Err() == nil {
		e := f.events[rand.IntN(len(f.events))]
		v, err := f.hook(context.WithoutCancel(ctx), e, mode)
		if err != nil {
			return err
		}
		t.note(v)
	}
	return nil
}

// kill waits for a daemon, and for some moment in its first half second, in
// which it claims its place, answers, and starts its language server; then it
// kills it.
func (f *fixture) kill(ctx context.Context, rounds int) error {
	last := 0
	for range rounds {
		next := 0
		err := f.eventually("there is another daemon", func() (string, bool) {
			var err error
			next, err = daemontest.Owner(f.project)
			return fmt.Sprintf("pid %d has the lock, %v", next, err), next != 0 && next != last || ctx.Err() != nil
		})
		if err != nil {
			return err
		}
		select {
		case <-time.After(rand.N(500 * time.Millisecond)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := syscall.Kill(next, syscall.SIGKILL); err != nil {
			return fmt.Errorf("killing daemon %d: %w", next, err)
		}
		last = next
	}
	return nil
}

// survivors looks at what the storm has left: one daemon, that has no more open
// than one which has seen nothing, and its own language servers.
func (f *fixture) survivors(ctx context.Context, fresh int) (string, error) {
	if err := f.start(ctx); err != nil {
		return "", err
	}
	if err := f.alone(); err != nil {
		return "", err
	}
	status, err := f.settled()
	if err != nil {
		return "", err
	}
	left, err := f.drained(status.PID, fresh)
	return fmt.Sprintf("1 daemon with %d descriptors, a fresh one has %d; 0 orphans", left, fresh), err
}

// drained waits until the daemon has no more than so many descriptors open.
func (f *fixture) drained(pid, most int) (left int, err error) {
	err = f.eventually(fmt.Sprintf("the daemon has %d descriptors", most), func() (string, bool) {
		fds, err := descriptors(pid)
		left = countOpen(fds)
		return fmt.Sprintf("%d: %q, %v", left, fds, err), err == nil && left <= most
	})
	return left, err
}

// fresh starts a daemon and counts its descriptors.
func (f *fixture) fresh(ctx context.Context) (int, error) {
	if err := f.start(ctx); err != nil {
		return 0, err
	}
	status, err := f.settled()
	if err != nil {
		return 0, err
	}
	fds, err := descriptors(status.PID)
	return countOpen(fds), err
}

// mostOfDatabases is how many descriptors the daemon's two databases may have: file and log for a writer and four readers each, shared memory
// and lock.
const mostOfDatabases = 2 * (2*5 + 2)

// countOpen counts descriptors, but for those that the two databases may have. A database is opened at its first use, and its readers are
// closed a minute after their last one, so their number depends on the moment.
func countOpen(fds []string) int {
	databases := 0
	for _, name := range fds {
		if base := filepath.Base(name); strings.Contains(base, ".db") {
			databases++
		}
	}
	return len(fds) - min(databases, mostOfDatabases)
}

// alone waits until there is one daemon, whose programs are all its own.
func (f *fixture) alone() error {
	return f.eventually("one daemon is left", func() (string, bool) {
		left, err := f.processes()
		daemons, orphans, ours := 0, 0, map[int]bool{}
		for _, p := range left {
			ours[p.pid] = true
		}
		for _, p := range left {
			switch {
			case p.name == "controlserver":
				daemons++
			case !ours[p.parent]:
				orphans++
			}
		}
		return fmt.Sprintf("there are %v, %v", left, err), err == nil && daemons == 1 && orphans == 0
	})
}

// settled returns the status once nothing is in flight.
func (f *fixture) settled() (status *protocol.StatusResponse, err error) {
	err = f.eventually("the daemon has settled", func() (string, bool) {
		s, err := f.status()
		if err != nil {
			return err.Error(), false
		}
		status = s
		return fmt.Sprintf("%d clients, %d calls, ready: %t", s.Clients, s.CallsInFlight, s.Ready), s.Ready && s.CallsInFlight == 0 && s.Clients == 0
	})
	return status, err
}
