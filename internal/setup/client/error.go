package client

import (
	"errors"
	"fmt"

	"tidepool/internal/setup/jsonedit"
	"tidepool/internal/setup/tomledit"
)

// An Error says what is wrong with a file's text, and where.
type Error struct {
	Line    int // from 1
	Problem string
	hint    string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// Hint says what to do.
func (e *Error) Hint() string { return e.hint }

// explain turns an error of the editors into an Error.
func explain(err error) error {
	const hint = "put the file right, then try again; nothing was changed"
	if wrong, is := errors.AsType[*jsonedit.Error](err); is {
		return &Error{wrong.Line, wrong.Problem, hint}
	}
	if wrong, is := errors.AsType[*tomledit.Error](err); is {
		return &Error{wrong.Line, wrong.Problem, hint}
	}
	return err
}

// taken is the error for a server of somebody else's under our name.
func taken(line int) error {
	return &Error{line, "another server is already called " + serverName, "give that one another name, or remove it"}
}
