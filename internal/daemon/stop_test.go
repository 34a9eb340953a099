package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStop(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	lock := filepath.Join(dir, "control.lock")
	p := start(t, dir)
	p.said(t)
	owner, running, err := Find(lock)
	if !running || err != nil || owner.PID != p.cmd.Process.Pid || owner.Version != "child" || time.Since(owner.Started) > time.Minute {
		t.Fatalf("found %+v, %v, %v", owner, running, err)
	}
	stopped, running, err := Stop(t.Context(), filepath.Join(dir, "control.sock"))
	if stopped != owner || !running || err != nil {
		t.Fatalf("stop: %+v, %v, %v", stopped, running, err)
	}
	if _, running, err := Find(lock); running || err != nil {
		t.Errorf("after stop: running %v, %v", running, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "control.sock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
}

func TestStopGivesUpWithItsContext(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	p := start(t, dir, childIgnores+"=1")
	p.said(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, running, err := Stop(ctx, filepath.Join(dir, "control.sock"))
	var stop *StopError
	if !running || !errors.As(err, &stop) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("stop: running %v, %v", running, err)
	}
	if !strings.Contains(stop.Hint(), "kill -KILL") {
		t.Errorf("hint: %q", stop.Hint())
	}
}

// The socket says which process is stopped. What stands in the lock may name another.
func TestStopAsksTheSocket(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	daemon, innocent := start(t, dir), start(t, filepath.Join(t.TempDir(), ".tidepool"))
	daemon.said(t)
	innocent.said(t)
	lie, err := os.OpenFile(filepath.Join(dir, "control.lock"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	owner := thisProcess(t)
	owner.PID = innocent.cmd.Process.Pid
	if err := errors.Join(writeOwner(lie, owner), lie.Close()); err != nil {
		t.Fatal(err)
	}
	stopped, running, err := Stop(t.Context(), filepath.Join(dir, "control.sock"))
	if !running || err != nil || stopped.PID != daemon.cmd.Process.Pid {
		t.Errorf("stopped %+v, %v, %v", stopped, running, err)
	}
	if _, running, err := Find(filepath.Join(innocent.dir, "control.lock")); !running || err != nil {
		t.Errorf("the process that the lock names was hit: running %v, %v", running, err)
	}
}

// A daemon that has its lock and nothing else yet is waited for.
func TestStopWaitsForAStart(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir, childPauses+"=1")
	if said := p.said(t); said != "holding" {
		t.Fatalf("the child says %q", said)
	}
	type end struct {
		owner   Owner
		running bool
		err     error
	}
	ended := make(chan end)
	go func() {
		owner, running, err := Stop(t.Context(), filepath.Join(dir, "control.sock"))
		ended <- end{owner, running, err}
	}()
	select {
	case e := <-ended:
		t.Fatalf("stop did not wait: %+v", e)
	case <-time.After(50 * time.Millisecond): // it waits; a stop that does not would have ended
	}
	if _, err := p.stdin.Write([]byte("go on\n")); err != nil {
		t.Fatal(err)
	}
	if e := <-ended; !e.running || e.err != nil || e.owner.PID != p.cmd.Process.Pid {
		t.Errorf("stopped %+v", e)
	}
}

// Whoever has the lock and never listens ends the wait with ctx, or with its own end.
func TestStopOfAStartThatFails(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "control.sock")
	f, err := acquire(t.Context(), LockPath(socket))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, running, err := Stop(ctx, socket)
	if stop := (*StopError)(nil); !running || !errors.As(err, &stop) || !strings.Contains(stop.Hint(), "control.lock") {
		t.Errorf("stop: running %v, %v", running, err)
	}
	time.AfterFunc(10*time.Millisecond, func() { f.Close() })
	if _, running, err := Stop(t.Context(), socket); running || err != nil {
		t.Errorf("stop of one that has given up: running %v, %v", running, err)
	}
}

func TestNobodyToStop(t *testing.T) {
	dir := t.TempDir()
	// A pid without a held lock is nobody, least of all this very process.
	left := filepath.Join(dir, "left.lock")
	f, err := os.Create(left)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(writeOwner(f, thisProcess(t)), f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, socket := range []string{filepath.Join(dir, "left.sock"), filepath.Join(dir, "none.sock")} {
		if _, running, err := Stop(t.Context(), socket); running || err != nil {
			t.Errorf("%s: running %v, %v", filepath.Base(socket), running, err)
		}
	}
}

func TestStopSparesOtherHosts(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "control.sock")
	f, err := acquire(t.Context(), LockPath(socket))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	owner := thisProcess(t)
	owner.Host = "elsewhere.example"
	if err := writeOwner(f, owner); err != nil {
		t.Fatal(err)
	}
	_, _, err = Stop(t.Context(), socket)
	var stop *StopError
	if !errors.As(err, &stop) || stop.Hint() != "stop it there" {
		t.Errorf("stop: %v", err)
	}
}

// A starter is not sent away by somebody who only looks at the lock, nor by what a dead owner wrote there.
func TestClaimWhileSomebodyLooks(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "control.lock")
	looking := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-looking:
				return
			default:
				_, _, _ = Find(lock)
			}
		}
	}()
	for range 1000 {
		f, err := acquire(t.Context(), lock)
		if err != nil {
			t.Errorf("acquire: %v", err)
			break
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	close(looking)
	<-done
}

func thisProcess(t *testing.T) Owner {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return Owner{PID: os.Getpid(), Host: host}
}
