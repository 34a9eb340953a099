package main

import (
	"os"

	"tidepool/internal/logging"
)

// A gate stands before what only a person may do.
type gate struct {
	person func() error // why the caller cannot be a person, or nil
}

// newGate refuses programs that run under Claude Code without a terminal: the model has asked for them.
func newGate(std stdio) gate {
	return gate{person: func() error {
		if os.Getenv("CLAUDECODE") == "" || logging.IsTerminal(std.in) {
			return nil
		}
		return &statusError{"only a person can trust a project, and this runs under Claude Code without a terminal", "run `agent trust` in the project, in a terminal of your own"}
	}}
}
