package serve

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	"tidepool/internal/daemon"
	"tidepool/internal/loopback"
	"tidepool/internal/memory"
	"tidepool/internal/server"
)

const (
	// homeEvery is the interval in which a daemon checks, by one system call, that its socket is still there.
	homeEvery = 2 * time.Second
	// linger is how long a client that has connected before the daemon exits may take to send its request.
	linger = 20 * time.Millisecond
	// patienceForOwner is how long a daemon that was started by itself waits for one that is leaving: longer than a
	// drain and the end of language servers usually take.
	patienceForOwner = 30 * time.Second
)

// Signals are the signals to stop: Quit ends with the first one, Hurry with the second.
type Signals struct {
	Quit, Hurry context.Context
	Reread      <-chan struct{} // asks to read the settings again; never closed
}

// A lifecycle decides how long this process is the project's daemon. It ends with a signal, when the daemon is idle, when its
// socket is gone, or when a client has another build.
type lifecycle struct {
	signals  Signals
	claimed  *daemon.Daemon
	server   *server.Server
	handover *handover
	port     *loopback.Port // nil: none is open
	api      http.Handler   // answers what comes by it
	idle     time.Duration  // how long nobody may need the daemon; 0: for ever
	drain    time.Duration  // how long calls in flight may take after a signal
	log      *slog.Logger
}

// serve answers on the socket, and the port if one is open, until the end of the lifecycle, and then finishes the calls in flight.
// Goroutines: one accepts for each, and has ended when serve returns.
func (l *lifecycle) serve() error {
	stopped := make(chan error, 1)
	go func() { stopped <- l.server.Serve(l.claimed.Listener()) }()
	defer l.servePort()()
	give, failed := l.await(stopped)
	if failed != nil {
		stopped <- nil
	}
	failed = errors.Join(failed, give(), l.leave(), <-stopped)
	l.log.Info("stopped")
	return failed
}

// servePort serves the port if one is open. The function that it returns waits for the end, which Shutdown brings.
func (l *lifecycle) servePort() (wait func()) {
	if l.port == nil {
		return func() {}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := l.server.ServePort(l.port.Listener(), l.port.Guard(l.api)); err != nil {
			l.log.Error("the port is closed", "err", err)
		}
	}()
	return func() { <-ended }
}

// await returns at the end of the lifecycle: how to withdraw, with the lock if a successor may start at once, and the error if
// serving has failed. Goroutines: one waits for idleness, and has ended when await returns.
func (l *lifecycle) await(stopped <-chan error) (give func() error, failed error) {
	ctx, cancel := context.WithCancel(l.signals.Quit)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer cancel()
	idle := make(chan struct{})
	if l.idle > 0 {
		watch.Go(func() {
			if l.server.AwaitIdle(ctx, l.idle) == nil {
				close(idle)
			}
		})
	}
	home := time.NewTicker(homeEvery)
	defer home.Stop()
	released := int64(-1) // tool calls when memory was given back last
	for {
		select {
		case <-l.signals.Quit.Done():
			l.log.Info("stopping", "calls in flight", l.server.Stats().CallsInFlight)
			return l.claimed.Withdraw, nil
		case <-l.handover.done:
			l.log.Info("leaving: another daemon is to take over", "calls in flight", l.server.Stats().CallsInFlight)
			return l.claimed.Resign, nil
		case <-idle:
			l.log.Info("leaving: nobody has needed the daemon", "for", l.idle)
			return l.claimed.Resign, nil
		case <-home.C:
			memory.Follow()
			released = l.release(released)
			if err := l.claimed.Lost(); err != nil {
				l.log.Warn("leaving: nobody can find the daemon", "err", err)
				return l.claimed.Resign, nil
			}
		case err := <-stopped:
			return l.claimed.Withdraw, err
		}
	}
}

// releaseAbove is how many bytes the heap may hold between calls: of an ordinary project it holds less.
const releaseAbove = 32 << 20

// release gives back what starting needed, at once, and then what calls have left of the heap, once none runs. It takes and returns how
// many calls there had been when it last did; -1: it never has.
func (l *lifecycle) release(released int64) int64 {
	stats := l.server.Stats()
	first, busy := released < 0, stats.CallsInFlight > 0
	if !first && (busy || stats.Calls == released) {
		return released
	}
	if gave := !busy && memory.Release(releaseAbove); !gave && !first {
		return released
	}
	if err := memory.ReleaseProgram(); err != nil {
		l.log.Debug("pages of the program stay in memory", "err", err)
	}
	if busy {
		return 0 // the heap is for when none runs
	}
	return stats.Calls
}

// leave serves clients that have connected before, and ends the others. After a handover calls may take all of their time: another
// daemon runs already.
func (l *lifecycle) leave() error {
	timer := time.NewTimer(linger)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.signals.Hurry.Done():
	}
	select {
	case <-l.handover.done:
		l.server.Drain(l.signals.Quit)
	default:
	}
	return shutdown(l.signals, l.server, l.drain)
}

// started tells the client that waits for it that the daemon answers, by releasing the lock of the start log.
func started(log *os.File) error {
	return os.NewSyscallError("flock", syscall.Flock(int(log.Fd()), syscall.LOCK_UN))
}
