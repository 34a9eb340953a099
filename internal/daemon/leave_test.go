package daemon

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// Who has found the daemon before it withdrew is served, who comes later does not find it.
func TestWithdraw(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	d := claim(t, dir)
	early, err := net.Dial("unix", d.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer early.Close()
	if err := errors.Join(d.Withdraw(), d.Withdraw()); err != nil {
		t.Fatal(err)
	}
	if _, err := net.Dial("unix", d.Socket()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a later client gets %v", err)
	}
	conn, err := d.Listener().Accept()
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if _, err := Claim(t.Context(), Options{StateDir: dir}); !errors.As(err, new(*AlreadyRunning)) {
		t.Errorf("a second claim before the end: %v", err)
	}
}

// The successor starts at once, and the end of its predecessor leaves it alone.
func TestResign(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	first := claim(t, dir)
	if err := errors.Join(first.Resign(), first.Resign()); err != nil {
		t.Fatal(err)
	}
	second := claim(t, dir)
	if err := errors.Join(first.Close(), first.Close()); err != nil {
		t.Fatal(err)
	}
	dial(t, dir)
	if owner, running, err := Find(LockPath(second.Socket())); !running || err != nil || owner.PID != os.Getpid() {
		t.Errorf("found %+v, %v, %v", owner, running, err)
	}
}

func TestLost(t *testing.T) {
	for name, lose := range map[string]func(dir, socket string) error{
		"the socket is removed":           func(_, socket string) error { return os.Remove(socket) },
		"the state directory is removed":  func(dir, _ string) error { return os.RemoveAll(dir) },
		"the project is removed":          func(dir, _ string) error { return os.RemoveAll(filepath.Dir(dir)) },
		"the project is moved":            func(dir, _ string) error { return os.Rename(filepath.Dir(dir), filepath.Dir(dir)+"2") },
		"a file is where the project was": func(dir, _ string) error { return replace(filepath.Dir(dir)) },
		"another socket is in its place":  func(_, socket string) error { return replace(socket) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "project", ".tidepool")
			if err := os.Mkdir(filepath.Dir(dir), 0o700); err != nil {
				t.Fatal(err)
			}
			d := claim(t, dir)
			if err := d.Lost(); err != nil {
				t.Fatalf("lost from the start: %v", err)
			}
			if err := lose(dir, d.Socket()); err != nil {
				t.Fatal(err)
			}
			if d.Lost() == nil {
				t.Error("nothing is lost")
			}
			if err := d.Close(); err != nil {
				t.Errorf("closing: %v", err)
			}
		})
	}
}

// replace puts a file in the place of whatever is at path.
func replace(path string) error {
	return errors.Join(os.RemoveAll(path), os.WriteFile(path, nil, 0o600))
}

func TestPatience(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	d := claim(t, dir)
	wait := Options{StateDir: dir, Wait: 20 * time.Second}

	// An owner that can be found is not waited for.
	if _, err := Claim(t.Context(), wait); !errors.As(err, new(*AlreadyRunning)) {
		t.Fatalf("a claim beside a daemon: %v", err)
	}
	if err := d.Listener().Close(); err != nil { // the socket stays where it is, as after a kill
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) { // patience is over at once
		start := time.Now()
		if _, err := Claim(t.Context(), wait); !errors.As(err, new(*AlreadyRunning)) || time.Since(start) < wait.Wait {
			t.Errorf("a claim beside a daemon that does not leave, after %v: %v", time.Since(start), err)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Claim(ctx, wait); !errors.Is(err, context.Canceled) {
		t.Errorf("a claim that is cancelled: %v", err)
	}
	claimed := make(chan error)
	go func() {
		successor, err := Claim(t.Context(), wait)
		if err == nil {
			err = successor.Close()
		}
		claimed <- err
	}()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-claimed; err != nil {
		t.Errorf("the successor: %v", err)
	}
}
