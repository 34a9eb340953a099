package skill

import "fmt"

// An Error means that a document is not read or not changed.
type Error struct {
	What   string
	Advice string
}

func (e *Error) Error() string { return e.What }

// Hint says what to do.
func (e *Error) Hint() string { return e.Advice }

// changedError means that a file is not the one that was read.
func changedError(path string) error {
	return &Error{fmt.Sprintf("%s has changed since it was read: nothing is written", path), "read it again, and decide anew"}
}

// thereError means that a new document would replace another one.
func thereError(path string) error {
	return &Error{path + " is there already: nothing is written", "update it, or choose another name"}
}
