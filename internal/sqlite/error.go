package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A RefusedError means that a file or directory is not one to keep a database in.
type RefusedError struct {
	Path string
	Why  string
}

func (e *RefusedError) Error() string { return e.Path + " is not used: " + e.Why }

// Hint says what to do.
func (e *RefusedError) Hint() string { return "look at it, and remove it if you did not make it so" }

// A NetworkError means that a database would be on a network file system.
type NetworkError struct{ Dir string }

func (e *NetworkError) Error() string {
	return e.Dir + " is on a network file system, where processes cannot share a database"
}

// Hint says what to do.
func (*NetworkError) Hint() string { return "set XDG_STATE_HOME to a directory on a local disk" }

// A NewerError means that a newer program has written the database.
type NewerError struct {
	Path           string
	Version, Known int // of its schema, and the newest that this program knows
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s has schema %d, and this program knows up to %d", e.Path, e.Version, e.Known)
}

// Hint says what to do.
func (*NewerError) Hint() string { return "use the newer tidepool that has written it" }

// An OlderError means that a database has an older schema, which only a writer brings up to date.
type OlderError struct{ Path string }

func (e *OlderError) Error() string { return e.Path + " has an older schema, and is being read only" }

// Hint says what to do.
func (*OlderError) Hint() string { return "end the older program that is writing it" }

// An UnreadableError means that a file is no database of this kind, or a damaged one. SetAside gets it out of the way.
type UnreadableError struct {
	Path string
	Err  error
}

func (e *UnreadableError) Error() string { return e.Path + " cannot be read: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *UnreadableError) Unwrap() error { return e.Err }

// Hint says what to do.
func (*UnreadableError) Hint() string { return "move it away; a new one is made in its place" }

// A FullError means that there is no space left for a database.
type FullError struct{ Path string }

func (e *FullError) Error() string { return "the disk is full, so " + e.Path + " does not change" }

// Hint says what to do.
func (e *FullError) Hint() string { return "free space below " + filepath.Dir(e.Path) }

// A BusyError means that another process has been writing a database for too long, or is stopped while it does.
type BusyError struct{ Path string }

func (e *BusyError) Error() string { return "another process does not stop writing " + e.Path }

// Hint says what to do.
func (*BusyError) Hint() string {
	return "try again; if it stays so, look for a tidepool process that is stopped, and end it"
}

// isBusy reports whether an error says that another process has a lock.
func isBusy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// isMoved reports whether an error says that a file is not there, or was not when SQLite opened it.
func isMoved(err error) bool {
	var e *sqlite.Error
	return errors.Is(err, fs.ErrNotExist) || errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_CANTOPEN
}

// explain says what some results of SQLite mean.
func explain(path string, err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // memory that processes share is a file, which cannot grow
		return &FullError{path}
	}
	switch e.Code() & 0xff { // the rest tells more of the same
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return &UnreadableError{path, err}
	case sqlite3.SQLITE_FULL:
		return &FullError{path}
	}
	return err
}
