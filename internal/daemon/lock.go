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

// An Owner is what the holder of a lock says about itself: the one line in the lock file.
type Owner struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Started time.Time `json:"started"` // UTC, whole seconds
	Host    string    `json:"host"`    // where PID means something: containers may share the directory
}

// maxPause is the longest of the pauses, doubling from a millisecond, in which an owner that holds the lock is
// given time to write who it is, or a process that only looked at the lock to let go of it.
const maxPause = 128 * time.Millisecond

// LockPath is the lock file that belongs to a socket: beside it, .lock for .sock.
func LockPath(socket string) string { return strings.TrimSuffix(socket, ".sock") + ".lock" }

// Find tells who holds a lock file, and whether anybody does. The Owner is zero if nobody does, however recent the
// file looks, and also if the owner has not said who it is.
func Find(lock string) (owner Owner, running bool, err error) {
	f, err := openLock(lock, os.O_RDONLY)
	if errors.Is(err, os.ErrNotExist) {
		return Owner{}, false, nil
	}
	if err != nil {
		return Owner{}, false, fmt.Errorf("opening the lock: %w", err)
	}
	defer f.Close()
	// A shared lock: several who look are not in each other's way.
	switch err := flock(f, syscall.LOCK_SH); {
	case err == nil:
		return Owner{}, false, nil
	case !errors.Is(err, syscall.EWOULDBLOCK):
		return Owner{}, false, lockError(lock, err)
	}
	owner, _ = readOwner(f)
	return owner, true, nil
}

// succeed takes the lock, after an owner that is leaving or was killed just now if that takes no longer than patience.
// The error is *AlreadyRunning if a living process has it.
func succeed(ctx context.Context, socket string, patience time.Duration) (*os.File, error) {
	giveUp := time.Now().Add(patience)
	for {
		lock, err := acquire(ctx, LockPath(socket))
		if _, running := errors.AsType[*AlreadyRunning](err); !running || isHeard(socket) || !time.Now().Before(giveUp) {
			return lock, err
		}
		if err := pause(ctx, maxPoll); err != nil {
			return nil, err
		}
	}
}

// acquire takes the lock for life. The error is *AlreadyRunning if a living process has it.
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

// tryAcquire takes the lock, or says who its file names as the owner.
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

// openLock opens the lock file with flags of os.OpenFile: for a clone may have brought a file of that name.
func openLock(path string, flag int) (*os.File, error) {
	dir, err := state.Around(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.File(filepath.Base(path)).Open(flag)
}

// isStillAt reports whether f is the file that a later starter would find: a lock on a file that was removed in
// between excludes nobody.
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

// alive reports whether the owner's process may exist.
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

// A LockError says that a lock could not be taken for a reason other than its being held.
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
