package workspace

import "errors"

// ErrClosed is the answer to every call after Close.
var ErrClosed = errors.New("the language servers of this project are shut down")

// A StartingError means that a language server has not started within the budget, or not answered because it is at work.
type StartingError struct {
	Command string // base name of the program
	Reason  string // what it does: "is starting", "is still at work"
}

// Error names the server.
func (e *StartingError) Error() string {
	return e.Command + " " + e.Reason + ", and the time to wait for it is over"
}

// Hint says what to do.
func (e *StartingError) Hint() string { return "ask again in a moment, or wait longer for it" }
