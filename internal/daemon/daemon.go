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

// Options say where a daemon lives.
type Options struct {
	// StateDir is the absolute path of the project's .tidepool directory. It is made if it is missing.
	StateDir string
	// Socket is the absolute path of the socket. "" is control.sock in StateDir.
	Socket string
	// Version is written into the lock for who asks which daemon is running. "" is allowed.
	Version string
	// Patience is how long to wait for an owner that is leaving or dying: it holds the lock and listens no more. 0 does
	// not wait.
	Patience time.Duration
}

// A Daemon is the one owner of a socket, from Claim to Resign or Close.
type Daemon struct {
	lock     *os.File
	socket   string
	home     *state.Dir  // where the socket is
	bound    os.FileInfo // the socket as it was bound
	listener net.Listener

	mu        sync.Mutex
	withdrawn bool // the socket is not at its path any more, or not ours to remove
	resigned  bool // the lock is free
}

// AlreadyRunning is Claim's error when another process holds the lock.
type AlreadyRunning struct {
	PID int // 0 if the owner has not said yet who it is
}

func (e *AlreadyRunning) Error() string {
	if e.PID == 0 {
		return "already running"
	}
	return fmt.Sprintf("already running (pid %d)", e.PID)
}

// Claim makes this process the daemon: state directory, lock, stale socket, listener, in this order. The error is
// an *AlreadyRunning if there is a daemon, and a *state.RefusedError or *state.ForeignError if the state directory, or
// something in it, is none of tidepool's making. ctx bounds the wait for an owner that is just appearing or leaving,
// which is short in any case.
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
	lock, err := succeed(ctx, socket, o.Patience)
	if err != nil {
		return nil, errors.Join(err, home.Close())
	}
	d := &Daemon{lock: lock, socket: socket, home: home}
	if err := d.open(o.Version); err != nil {
		return nil, errors.Join(err, lock.Close(), home.Close())
	}
	return d, nil
}

// makeState makes the state directory, and looks at what is in it.
func makeState(path string, sockets ...string) error {
	dir, err := state.Make(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Check(sockets...), dir.Close())
}

// open makes the holder of the lock a daemon.
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

// Listener accepts the connections of this user; those of others are closed unseen. The caller may close it early,
// to stop accepting while calls in flight are finished, and shall withdraw before.
func (d *Daemon) Listener() net.Listener { return d.listener }

// Socket is the absolute path of the socket.
func (d *Daemon) Socket() string { return d.socket }

// Lost says why this daemon cannot be found any more, or nil: its socket was removed or moved, with the project or
// without, or another one is in its place. It costs a few system calls.
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
	return nil // there, or nobody can tell
}

// Withdraw removes the socket if it still is this daemon's own, so that no further client finds it. Connections that
// were made before can still be accepted.
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

// Resign withdraws and releases the lock: another process may become the daemon, while this one finishes what it has
// accepted.
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
