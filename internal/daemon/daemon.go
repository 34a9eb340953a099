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
// an *AlreadyRunning if there is a daemon. ctx bounds the wait for an owner that is just appearing or leaving,
// which is short in any case.
func Claim(ctx context.Context, o Options) (*Daemon, error) {
	if err := MakeStateDir(o.StateDir); err != nil {
		return nil, err
	}
	socket := o.Socket
	if socket == "" {
		socket = filepath.Join(o.StateDir, "control.sock")
	}
	if dir := filepath.Dir(socket); dir != filepath.Clean(o.StateDir) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("making the directory of the socket: %w", err)
		}
	}
	lock, err := succeed(ctx, socket, o.Patience)
	if err != nil {
		return nil, err
	}
	d, err := open(lock, socket, o.Version)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return d, nil
}

// open turns a held lock into a daemon.
func open(lock *os.File, socket, version string) (*Daemon, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("asking for the name of this host: %w", err)
	}
	owner := Owner{PID: os.Getpid(), Version: version, Started: time.Now().UTC().Truncate(time.Second), Host: host}
	if err := writeOwner(lock, owner); err != nil {
		return nil, err
	}
	if err := removeStale(socket); err != nil {
		return nil, err
	}
	listener, bound, err := listen(socket)
	if err != nil {
		return nil, err
	}
	return &Daemon{lock: lock, socket: socket, bound: bound, listener: listener}, nil
}

// Listener accepts the connections of this user; those of others are closed unseen. The caller may close it early,
// to stop accepting while calls in flight are finished, and shall withdraw before.
func (d *Daemon) Listener() net.Listener { return d.listener }

// Socket is the absolute path of the socket.
func (d *Daemon) Socket() string { return d.socket }

// Lost says why this daemon cannot be found any more, or nil: its socket was removed, with the project or without, or
// another one is in its place. It costs one system call.
func (d *Daemon) Lost() error {
	now, err := os.Lstat(d.socket)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s was removed", d.socket)
	case err == nil && !os.SameFile(now, d.bound):
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
	if d.Lost() != nil {
		return nil
	}
	return os.Remove(d.socket)
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
	return errors.Join(err, d.Resign())
}
