package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// maxPoll is the longest pause between two looks at the lock of a daemon that is stopping.
const maxPoll = 50 * time.Millisecond

// A StopError says why a running daemon was not stopped.
type StopError struct {
	Owner Owner
	Err   error
	hint  string
}

func (e *StopError) Error() string {
	return fmt.Sprintf("cannot stop the daemon (pid %d): %v", e.Owner.PID, e.Err)
}

func (e *StopError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *StopError) Hint() string { return e.hint }

// Stop asks the daemon that holds a lock file to end and waits until the lock is free, or ctx ends. It reports who
// was stopped; running is false, and nothing happens, if nobody held the lock.
func Stop(ctx context.Context, lock string) (owner Owner, running bool, err error) {
	owner, running, err = Find(lock)
	if err != nil || !running {
		return owner, running, err
	}
	if err := terminate(lock, owner); err != nil {
		return owner, true, err
	}
	for wait := time.Millisecond; ; wait = min(2*wait, maxPoll) {
		now, held, err := Find(lock)
		if err != nil || !held || now.PID != 0 && now != owner {
			return owner, true, err
		}
		if err := pause(ctx, wait); err != nil {
			return owner, true, &StopError{owner, fmt.Errorf("waiting for its calls to finish: %w", err),
				fmt.Sprintf("wait and ask again, or kill -KILL %d", owner.PID)}
		}
	}
}

// terminate sends TERM to the owner of a lock. The process is taken hold of before the lock is looked at again, so
// that a pid given to somebody else in between is not hit.
func terminate(lock string, owner Owner) error {
	if owner.PID <= 0 {
		return &StopError{owner, errors.New("it has not said who it is"), "ask again in a moment"}
	}
	if !owner.here() {
		return &StopError{owner, fmt.Errorf("it runs on host %q", owner.Host), "stop it there"}
	}
	process, err := os.FindProcess(owner.PID)
	if err != nil {
		return &StopError{owner, err, "ask again in a moment"}
	}
	defer process.Release()
	if now, running, err := Find(lock); err != nil || !running || now != owner {
		return err
	}
	if err := process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return &StopError{owner, err, "stop it as the user who started it"}
	}
	return nil
}
