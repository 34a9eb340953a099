package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tidepool/internal/state"
)

// An Owner is what the holder of a lock has written about itself into the lock file.
type Owner struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Started time.Time `json:"started"` // UTC, whole seconds
	Host    string    `json:"host"`    // where PID is valid: containers may share the directory
}

// maxPause is the longest of the pauses, which double from a millisecond. They give an owner time to write who it is, and a
// process that only checked the lock time to release it.
const maxPause = 128 * time.Millisecond

// LockPath returns the lock file of a socket: beside it, .lock for .sock.
func LockPath(socket string) string { return strings.TrimSuffix(socket, ".sock") + ".lock" }

// Find returns who holds a lock file, and whether anybody does. The Owner is zero if nobody does, and if the owner has not
// written the file yet.
func Find(lock string) (owner Owner, running bool, err error) {
	f, err := openLock(lock, os.O_RDONLY)
	if errors.Is(err, os.ErrNotExist) {
		return Owner{}, false, nil
	}
	if err != nil {
		return Owner{}, false, fmt.Errorf("opening the lock: %w", err)
	}
	defer f.Close()
	// A shared lock: several processes may check at once.
	switch err := flock(f, syscall.LOCK_SH); {
	case err == nil:
		return Owner{}, false, nil
	case !errors.Is(err, syscall.EWOULDBLOCK):
		return Owner{}, false, lockError(lock, err)
	}
	owner, _ = readOwner(f)
	return owner, true, nil
}

// takeOver takes the lock. It waits at most patience for an owner that is exiting or was just killed. The error is
// *AlreadyRunning if a running process has the lock.
func takeOver(ctx context.Context, socket string, patience time.Duration) (*os.File, error) {
	giveUp := time.Now().Add(patience)
	for {
		lock, err := acquire(ctx, LockPath(socket))
		if _, running := errors.AsType[*AlreadyRunning](err); !running || isListening(socket) || !time.Now().Before(giveUp) {
			return lock, err
		}
		if err := pause(ctx, maxPoll); err != nil {
			return nil, err
		}
	}
}

// acquire takes the lock for life. The error is *AlreadyRunning if a running process has it.
func acquire(ctx context.Context, path string) (*os.File, error) {
	for wait := time.Millisecond; ; wait *= 2 {
		f, owner, err := tryAcquire(path)
		if f != nil || err != nil {
			return f, err
		}
		if owner.alive() || wait > maxPause {
			return nil, &AlreadyRunning{PID: owner.PID}
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// tryAcquire takes the lock, or returns the owner that its file names.
func tryAcquire(path string) (*os.File, Owner, error) {
	f, err := openLock(path, os.O_RDWR|os.O_CREATE)
	if state.IsRefused(err) {
		return nil, Owner{}, err
	}
	if err != nil {
		return nil, Owner{}, &state.UnwritableError{What: "opening the lock", Err: err}
	}
	err = flock(f, syscall.LOCK_EX)
	if err == nil && isStillAt(f, path) {
		return f, Owner{}, nil
	}
	defer f.Close()
	if err != nil && !errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, Owner{}, lockError(path, err)
	}
	owner, err := readOwner(f)
	if err != nil {
		return nil, Owner{}, nil
	}
	return nil, owner, nil
}

// openLock opens the lock file with flags of os.OpenFile, through state: a clone may have brought a file of that name.
func openLock(path string, flag int) (*os.File, error) {
	dir, err := state.Around(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.File(filepath.Base(path)).Open(flag)
}

// isStillAt reports whether f is the file that the next process would find: a lock on a file that has been removed excludes
// nobody.
func isStillAt(f *os.File, path string) bool {
	held, err := f.Stat()
	if err != nil {
		return false
	}
	found, err := os.Lstat(path)
	return err == nil && os.SameFile(held, found)
}

// flock tries to lock f, without waiting, for as long as f is open.
func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func readOwner(f *os.File) (Owner, error) {
	line, err := io.ReadAll(io.NewSectionReader(f, 0, 4096))
	if err != nil {
		return Owner{}, err
	}
	var o Owner
	if err := json.Unmarshal(line, &o); err != nil {
		return Owner{}, err
	}
	return o, nil
}

func writeOwner(f *os.File, o Owner) error {
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return &state.UnwritableError{What: "emptying the lock", Err: err}
	}
	if _, err := f.WriteAt(append(line, '\n'), 0); err != nil {
		return &state.UnwritableError{What: "writing the lock", Err: err}
	}
	return nil
}

// alive reports whether the owner's process may still exist.
func (o Owner) alive() bool {
	if o.PID <= 0 {
		return false
	}
	if !o.here() {
		return true
	}
	return !errors.Is(syscall.Kill(o.PID, 0), syscall.ESRCH)
}

// here reports whether PID is a process of this host.
func (o Owner) here() bool {
	host, err := os.Hostname()
	return err == nil && host == o.Host
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A LockError is why a lock could not be taken, other than that somebody holds it.
type LockError struct {
	Path string
	Err  error
}

func lockError(path string, err error) error { return &LockError{path, err} }

func (e *LockError) Error() string { return "cannot lock " + e.Path + ": " + e.Err.Error() }
func (e *LockError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *LockError) Hint() string {
	return "the file system may not have locks; set TIDEPOOL_CONTROL_SOCKET to a path on a local disk"
}
