package state

import (
	"errors"
	"syscall"
)

// An UnwritableError is why a program cannot write a file that it needs.
type UnwritableError struct {
	What string // was attempted, as "writing the lock"
	Err  error
}

func (e *UnwritableError) Error() string { return e.What + ": " + e.Err.Error() }
func (e *UnwritableError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *UnwritableError) Hint() string {
	switch {
	case errors.Is(e.Err, syscall.ENOSPC), errors.Is(e.Err, syscall.EDQUOT):
		return "free some space on that disk"
	case errors.Is(e.Err, syscall.EROFS):
		return "mount the file system writable, or set TIDEPOOL_PROJECT_DIR to a project on another one"
	case errors.Is(e.Err, syscall.EFBIG):
		return "raise the limit on the size of files: ulimit -f unlimited"
	}
	return "make the directory writable for you"
}
