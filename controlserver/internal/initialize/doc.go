// Package initialize is `agent init` and `agent uninit`: what they ask a person, and what they do besides changing the files that
// package setup plans.
package initialize

// An initError says why something was not done, and what to do.
type initError struct{ what, hint string }

func (e *initError) Error() string { return e.what }

// Hint says what to do.
func (e *initError) Hint() string { return e.hint }
