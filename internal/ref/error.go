package ref

import (
	"fmt"

	"tidepool/internal/wording"
)

// A NotFoundError means that a session has no text under a reference: it has expired, made room, or is another session's.
type NotFoundError struct{ ID string }

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no reference %q in this session", wording.Line(wording.Visible(e.ID), 60))
}

// Hint says what to do.
func (e *NotFoundError) Hint() string {
	return "whole outputs are kept for a day at most, until their session ends or newer ones need the room (refs.ttl, refs.max_mb): run the command again"
}

// IsNotFound tells this failure from others.
func (e *NotFoundError) IsNotFound() bool { return true }

// A TooLargeError means that a text is larger than all that a Store may keep.
type TooLargeError struct{ Size, Limit int64 } // bytes

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the whole text has %d bytes, and %d are kept at most", e.Size, e.Limit)
}

// Hint says what to do.
func (e *TooLargeError) Hint() string {
	return "let the command write to a file of the project and read that, or raise refs.max_mb"
}

// A RequestError means that a Request cannot be met.
type RequestError struct{ Problem, Advice string }

func (e *RequestError) Error() string { return e.Problem }

// Hint says what to do.
func (e *RequestError) Hint() string { return e.Advice }
