package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"tidepool/internal/state"
)

// Options configures Claim.
type Options struct {
	// StateDir is the absolute path of the project's .tidepool directory. It is made if it is missing.
	StateDir string
	// Socket is the absolute path of the socket. "" is control.sock in StateDir.
	Socket string
	// Version is written into the lock file, for messages about the running daemon. "" is allowed.
	Version string
	// Wait is how long to wait for an owner that is exiting: it holds the lock and no longer listens. 0: do not wait.
	Wait time.Duration
}

// A Daemon owns the socket and the lock, from Claim to Resign or Close.
type Daemon struct {
	lock     *os.File
	socket   string
	home     *state.Dir  // where the socket is
	bound    os.FileInfo // the socket as it was bound
	listener net.Listener

	mu        sync.Mutex
	withdrawn bool // the socket is no longer at its path, or is another daemon's
	resigned  bool // the lock is free
}

// AlreadyRunning is Claim's error if another process holds the lock.
type AlreadyRunning struct {
	PID int // 0 if the owner has not written the lock file yet
}

func (e *AlreadyRunning) Error() string {
	if e.PID == 0 {
		return "already running"
	}
	return fmt.Sprintf("already running (pid %d)", e.PID)
}

// Claim makes this process the daemon: state directory, lock, stale socket, listener, in this order. The error is
// an *AlreadyRunning if there is a daemon, and a *state.RefusedError or *state.ForeignError if tidepool has not made the state
// directory or something in it. ctx bounds the wait for an owner that is just starting or exiting, which is short in any
// case.
func Claim(ctx context.Context, o Options) (*Daemon, error) {
	const usual = "control.sock"
	socket := o.Socket
	if socket == "" {
		socket = filepath.Join(o.StateDir, usual)
	}
	if err := makeState(o.StateDir, usual, filepath.Base(socket)); err != nil {
		return nil, err
	}
	if dir := filepath.Dir(socket); dir != filepath.Clean(o.StateDir) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("making the directory of the socket: %w", err)
		}
	}
	home, err := state.Around(socket)
	if err != nil {
		return nil, err
	}
	lock, err := takeOver(ctx, socket, o.Wait)
	if err != nil {
		return nil, errors.Join(err, home.Close())
	}
	d := &Daemon{lock: lock, socket: socket, home: home}
	if err := d.open(o.Version); err != nil {
		return nil, errors.Join(err, lock.Close(), home.Close())
	}
	return d, nil
}

// makeState makes the state directory and checks its entries.
func makeState(path string, sockets ...string) error {
	dir, err := state.Make(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Check(sockets...), dir.Close())
}

// open makes the holder of the lock the daemon: it replaces a stale socket and listens.
func (d *Daemon) open(version string) error {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("asking for the name of this host: %w", err)
	}
	owner := Owner{PID: os.Getpid(), Version: version, Started: time.Now().UTC().Truncate(time.Second), Host: host}
	if err := writeOwner(d.lock, owner); err != nil {
		return err
	}
	if err := removeStale(d.home, d.socket); err != nil {
		return err
	}
	d.listener, d.bound, err = listen(d.home, d.socket)
	return err
}

// Listener returns the listener. It accepts connections of this user and closes those of others. The caller may close it early,
// after Withdraw, to stop accepting while calls in flight finish.
func (d *Daemon) Listener() net.Listener { return d.listener }

// Socket returns the absolute path of the socket.
func (d *Daemon) Socket() string { return d.socket }

// Lost returns why clients cannot find this daemon any more, or nil: its socket was removed, moved or replaced, perhaps with the
// whole project. It costs a few system calls.
func (d *Daemon) Lost() error {
	err := d.home.Here()
	if err == nil {
		var now os.FileInfo
		if now, err = d.home.File(filepath.Base(d.socket)).Stat(); err == nil && !os.SameFile(now, d.bound) {
			return fmt.Errorf("%s was replaced", d.socket)
		}
	}
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s was removed", d.socket)
	case state.IsRefused(err):
		return fmt.Errorf("%s was replaced", d.socket)
	}
	return nil // it is there, or that is unknown
}

// Withdraw removes the socket if it is still this daemon's own, so that no further client finds it. Connections made before can
// still be accepted.
func (d *Daemon) Withdraw() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.withdraw()
}

func (d *Daemon) withdraw() error {
	if d.withdrawn {
		return nil
	}
	d.withdrawn = true
	// The directory may have been moved: the socket is removed where it is now.
	name := filepath.Base(d.socket)
	if now, err := d.home.File(name).Stat(); err != nil || !os.SameFile(now, d.bound) {
		return nil
	}
	return d.home.RemoveSocket(name)
}

// Resign withdraws and releases the lock. Another process may then become the daemon while this one finishes the calls that it
// has accepted.
func (d *Daemon) Resign() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.withdraw()
	if d.resigned {
		return err
	}
	d.resigned = true
	return errors.Join(err, d.lock.Truncate(0), d.lock.Close())
}

// Close stops listening and resigns. Calling it again does nothing.
func (d *Daemon) Close() error {
	err := d.Withdraw() // while the listener still keeps the inode from being used again
	if closing := d.listener.Close(); !errors.Is(closing, net.ErrClosed) {
		err = errors.Join(err, closing)
	}
	return errors.Join(err, d.Resign(), d.home.Close())
}
