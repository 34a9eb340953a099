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
	stopped, running, err := Stop(t.Context(), lock)
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
	_, running, err := Stop(ctx, filepath.Join(dir, "control.lock"))
	var stop *StopError
	if !running || !errors.As(err, &stop) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("stop: running %v, %v", running, err)
	}
	if !strings.Contains(stop.Hint(), "kill -KILL") {
		t.Errorf("hint: %q", stop.Hint())
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
	for _, lock := range []string{left, filepath.Join(dir, "none.lock")} {
		if _, running, err := Stop(t.Context(), lock); running || err != nil {
			t.Errorf("%s: running %v, %v", filepath.Base(lock), running, err)
		}
	}
}

func TestStopSparesOtherHosts(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "control.lock")
	f, err := acquire(t.Context(), lock)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	owner := thisProcess(t)
	owner.Host = "elsewhere.example"
	if err := writeOwner(f, owner); err != nil {
		t.Fatal(err)
	}
	_, _, err = Stop(t.Context(), lock)
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
