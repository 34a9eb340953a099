package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"time"

	"tidepool/internal/daemon"
	"tidepool/internal/server"
	"tidepool/protocol"
)

const (
	// homeEvery is how often a daemon looks whether its socket is still there, for one system call.
	homeEvery = 2 * time.Second
	// linger is how long who has found the daemon before it left may take to say why.
	linger = 20 * time.Millisecond
	// patienceForOwner is how long a daemon that was started by itself waits for one that is leaving: longer than a
	// drain and the end of language servers usually take.
	patienceForOwner = 30 * time.Second
)

// A tenure is the time in which this process is the project's daemon. It ends with a signal, or because nobody needs
// the daemon, or can find it, or because a client has another build of it.
type tenure struct {
	life    lifetime
	claimed *daemon.Daemon
	server  *server.Server
	yielder *yielder      // nil: there is no client to leave for
	idle    time.Duration // how long nobody may need the daemon; 0: for ever
	drain   time.Duration // how long calls in flight may take after a signal
	log     *slog.Logger
}

// serve answers on the socket until the end of the tenure, and then finishes what is in flight. Goroutines: one accepts,
// and has ended when serve returns.
func (t *tenure) serve() error {
	stopped := make(chan error, 1)
	go func() { stopped <- t.server.Serve(t.claimed.Listener()) }()
	give, failed := t.await(stopped)
	if failed != nil {
		stopped <- nil
	}
	failed = errors.Join(failed, give(), t.leave(), <-stopped)
	t.log.Info("stopped")
	return failed
}

// await returns at the end of the tenure: how to give up the place, wholly if a successor may start at once, and why
// serving has failed, if so. Goroutines: one waits for idleness, and has ended when await returns.
func (t *tenure) await(stopped <-chan error) (give func() error, failed error) {
	ctx, cancel := context.WithCancel(t.life.quit)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer cancel()
	idle := make(chan struct{})
	if t.idle > 0 {
		watch.Go(func() {
			if t.server.AwaitIdle(ctx, t.idle) == nil {
				close(idle)
			}
		})
	}
	home := time.NewTicker(homeEvery)
	defer home.Stop()
	for {
		select {
		case <-t.life.quit.Done():
			t.log.Info("stopping", "calls in flight", t.server.Stats().CallsInFlight)
			return t.claimed.Withdraw, nil
		case <-t.yielder.yielded():
			t.log.Info("leaving: another daemon is to take over", "calls in flight", t.server.Stats().CallsInFlight)
			return t.claimed.Resign, nil
		case <-idle:
			t.log.Info("leaving: nobody has needed the daemon", "for", t.idle)
			return t.claimed.Resign, nil
		case <-home.C:
			if err := t.claimed.Lost(); err != nil {
				t.log.Warn("leaving: nobody can find the daemon", "err", err)
				return t.claimed.Resign, nil
			}
		case err := <-stopped:
			return t.claimed.Withdraw, err
		}
	}
}

// leave serves who has found the daemon while it was there, and ends the rest. After it has yielded, calls may take
// what time they have: another daemon is there already.
func (t *tenure) leave() error {
	timer := time.NewTimer(linger)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.life.hurry.Done():
	}
	select {
	case <-t.yielder.yielded():
		t.server.Drain(t.life.quit)
	default:
	}
	return shutdown(t.life, t.server, t.drain)
}

// A yielder gives up the place of a daemon for a client that would start another one: of another build, if a client has
// started this one, or for the place that the project has been moved to, which the socket has come along to.
type yielder struct {
	claimed *daemon.Daemon
	build   string // of this process; "": no other one is a reason
	log     *slog.Logger

	once sync.Once
	done chan struct{} // closed when the place is given up
}

func newYielder(claimed *daemon.Daemon, detached bool, log *slog.Logger) *yielder {
	y := &yielder{claimed: claimed, log: log, done: make(chan struct{})}
	if program, err := os.Executable(); err == nil && detached {
		y.build = protocol.Build(program)
	}
	return y
}

// Yield reports whether the place is free for a daemon of that build.
func (y *yielder) Yield(build string) bool {
	if (y.build == "" || build == y.build) && y.claimed.Lost() == nil {
		return false
	}
	y.once.Do(func() {
		if err := y.claimed.Resign(); err != nil {
			y.log.Warn("giving up the daemon's place", "err", err)
		}
		close(y.done)
	})
	return true
}

// yielded is closed when the place has been given up; that of no yielder never is.
func (y *yielder) yielded() <-chan struct{} {
	if y == nil {
		return nil
	}
	return y.done
}

// started tells the client who waits for it that the daemon answers: by the lock on the log of its start.
func started(log *os.File) error {
	return os.NewSyscallError("flock", syscall.Flock(int(log.Fd()), syscall.LOCK_UN))
}
