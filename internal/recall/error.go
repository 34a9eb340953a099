package recall

import (
	"errors"
	"fmt"

	"tidepool/internal/wording"
)

// An OffError means that no database can be opened, so nothing is remembered or found.
type OffError struct{ Err error }

func (e *OffError) Error() string { return "recall is off: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *OffError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *OffError) Hint() string {
	if hint := wording.HintOf(e.Err); hint != "" {
		return hint
	}
	return "set XDG_DATA_HOME to a directory on a local disk that you can write"
}

var errNoPlace = errors.New("the environment has neither XDG_DATA_HOME nor HOME")

// An UnknownError means that no memory has the id.
type UnknownError struct{ ID string } // clipped to one line

func (e *UnknownError) Error() string { return fmt.Sprintf("no memory has the id %q", e.ID) }

// Hint says what to do.
func (*UnknownError) Hint() string {
	return "ids look like mem_3f2a9c01b7de; recall what you look for, or list the memories; it may have been forgotten"
}

// IsNotFound tells this failure from others.
func (*UnknownError) IsNotFound() bool { return true }

func unknown(id string) error { return &UnknownError{wording.Line(id, 40)} }

// A DraftError means that something cannot be kept as it is.
type DraftError struct{ Field, Why string } // of our own words: neither quotes the draft

func (e *DraftError) Error() string { return e.Field + " cannot be kept: " + e.Why }

// Hint says what to do.
func (e *DraftError) Hint() string { return "give " + e.Field + " another value" }

// isRefused reports whether a draft cannot be kept, whoever tries again.
func isRefused(err error) bool {
	var draft *DraftError
	var withheld *WithheldError
	return errors.As(err, &draft) || errors.As(err, &withheld)
}

// A WithheldError means that a text could not be searched for secrets, so that it was not kept.
type WithheldError struct{}

func (*WithheldError) Error() string {
	return "the text could not be searched for secrets, so it was not kept"
}

// Hint says what to do.
func (*WithheldError) Hint() string { return "save a shorter or simpler text" }

// An IndexError means that memories cannot be searched.
type IndexError struct{ Why string }

func (e *IndexError) Error() string { return "memories cannot be searched: " + e.Why }

// Hint says what to do.
func (*IndexError) Hint() string { return "ask through the daemon of a project, which has the index" }

// A RemainsError means that something was forgotten, but that its text is still in a file.
type RemainsError struct{ Err error }

func (e *RemainsError) Error() string {
	return "it is forgotten, but its text is not out of all files yet: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *RemainsError) Unwrap() error { return e.Err }

// Hint says what to do.
func (*RemainsError) Hint() string {
	return "nothing now: the daemon tries again every minute, and whoever opens the memories next"
}

// A LostError means that some of what was to be learned was not kept.
type LostError struct {
	Drafts int
	Err    error // the last reason
}

func (e *LostError) Error() string {
	return wording.Count(e.Drafts, "memory") + " could not be kept: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *LostError) Hint() string { return wording.HintOf(e.Err) }
