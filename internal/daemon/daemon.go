package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
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
}

// A Daemon is the one owner of a socket, from Claim to Close.
type Daemon struct {
	lock     *os.File
	socket   string
	bound    os.FileInfo // the socket as it was bound
	listener net.Listener

	closing sync.Once
	closed  error
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
	lock, err := acquire(ctx, LockPath(socket))
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
// to stop accepting while calls in flight are finished; the socket file stays until Close.
func (d *Daemon) Listener() net.Listener { return d.listener }

// Socket is the absolute path of the socket.
func (d *Daemon) Socket() string { return d.socket }

// Close stops listening, removes the socket if it still is this daemon's own, and releases the lock last. Calling it
// again does nothing and returns the same error.
func (d *Daemon) Close() error {
	d.closing.Do(func() {
		err := d.listener.Close()
		if errors.Is(err, net.ErrClosed) {
			err = nil
		}
		d.closed = errors.Join(err, d.removeSocket(), d.lock.Truncate(0), d.lock.Close())
	})
	return d.closed
}

func (d *Daemon) removeSocket() error {
	now, err := os.Lstat(d.socket)
	if errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(now, d.bound) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.Remove(d.socket)
}
