package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// maxPoll is the longest pause between two checks of the lock of a daemon that is stopping.
const maxPoll = 50 * time.Millisecond

// A StopError is why a running daemon was not stopped.
type StopError struct {
	Owner Owner
	Err   error
	hint  string
}

func (e *StopError) Error() string {
	if e.Owner.PID == 0 {
		return fmt.Sprintf("cannot stop the daemon: %v", e.Err)
	}
	return fmt.Sprintf("cannot stop the daemon (pid %d): %v", e.Owner.PID, e.Err)
}

func (e *StopError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *StopError) Hint() string { return e.hint }

// Stop asks the daemon of a socket to exit and waits until its lock is free, or ctx ends. It waits for a daemon that has the lock
// and does not listen yet. It returns who was stopped. running is false, and nothing happens, if nobody held the lock, or
// released it without ever listening.
//
// The process id comes from the socket, not from the lock file, whose content can be out of date, of another container, or
// forged.
func Stop(ctx context.Context, socket string) (owner Owner, running bool, err error) {
	lock := LockPath(socket)
	claimed, pid, err := listening(ctx, socket)
	if err != nil || pid == 0 {
		return claimed, err != nil, err
	}
	owner = claimed
	owner.PID = pid
	if err := terminate(socket, owner); err != nil {
		return owner, true, err
	}
	for wait := time.Millisecond; ; wait = min(2*wait, maxPoll) {
		now, held, err := Find(lock)
		if err != nil || !held || now.PID != 0 && now != claimed {
			return owner, true, err
		}
		if err := pause(ctx, wait); err != nil {
			return owner, true, &StopError{owner, fmt.Errorf("waiting for its calls to finish: %w", err),
				fmt.Sprintf("wait and ask again, or kill -KILL %d", owner.PID)}
		}
	}
}

// listening waits until the holder of the lock listens, and returns its Owner and its process id; 0 if nobody holds the lock.
func listening(ctx context.Context, socket string) (claimed Owner, pid int, err error) {
	for wait := time.Millisecond; ; wait = min(2*wait, maxPoll) {
		claimed, running, err := Find(LockPath(socket))
		if err != nil || !running {
			return Owner{}, 0, err
		}
		if claimed.PID > 0 && !claimed.here() {
			return claimed, 0, &StopError{claimed, fmt.Errorf("it runs on host %q", claimed.Host), "stop it there"}
		}
		pid, err := listenerOf(socket)
		if err == nil {
			return claimed, pid, nil
		}
		if errors.Is(err, errStranger) || errors.Is(err, errElsewhere) {
			return claimed, 0, &StopError{claimed, err, "stop it where it was started"}
		}
		if waited := pause(ctx, wait); waited != nil {
			return claimed, 0, &StopError{claimed, fmt.Errorf("it has the lock and does not listen: %w (%w)", err, waited),
				fmt.Sprintf("ask again in a moment; if it stays so, end the process that has %s open", LockPath(socket))}
		}
	}
}

// terminate sends TERM to the process that listens on a socket. It opens a handle of the process before it asks the socket again,
// so it cannot hit another process that has got the pid in between.
func terminate(socket string, owner Owner) error {
	process, err := os.FindProcess(owner.PID)
	if err != nil {
		return &StopError{owner, err, "ask again in a moment"}
	}
	defer process.Release()
	if pid, err := listenerOf(socket); err != nil || pid != owner.PID {
		return nil // it no longer listens, so it is exiting
	}
	if err := process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return &StopError{owner, err, "stop it as the user who started it"}
	}
	return nil
}
