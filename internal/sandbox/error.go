package sandbox

import (
	"fmt"
	"strings"
)

// A SpecError means that a command cannot be run as it was asked for, here or anywhere.
type SpecError struct {
	Problem string // a sentence without its end
	Advice  string
}

func (e *SpecError) Error() string { return e.Problem }

// Hint says what to do.
func (e *SpecError) Hint() string { return e.Advice }

// A RefusedError means that commands are not confined here as far as the caller asks.
type RefusedError struct {
	Accept  Level // the lowest level that would do
	Support Support
}

func (e *RefusedError) Error() string {
	if e.Support.Level == "" {
		return "not run: how far commands are confined is not known yet"
	}
	return fmt.Sprintf("not run: the isolation here is %s, and %s is asked for; step %s failed: %s", e.Support.Level, e.Accept, e.Support.Step, e.Support.Why)
}

// Hint says what to do.
func (e *RefusedError) Hint() string {
	switch e.Support.Level {
	case Partial:
		return `agent doctor says what is missing; "exec": {"accept": "partial"} in a settings file that git does not track allows it, without: ` + strings.Join(e.Support.Missing, "; ")
	case None:
		return "agent doctor says what is missing; run it with the Bash tool, which asks"
	}
	return "try again"
}

// A StartError means that a command did not start, or that its end is not known.
type StartError struct {
	Step string // the step that failed
	Err  error
}

func (e *StartError) Error() string {
	return fmt.Sprintf("the command did not run: step %s: %v", e.Step, e.Err)
}
func (e *StartError) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *StartError) Hint() string {
	if e.Step == "plan" {
		return "agent and controlserver are of different releases: install both, then run controlserver stop"
	}
	return "agent doctor checks the sandbox"
}
