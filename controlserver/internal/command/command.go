// Package command implements the commands of the command line: one type each, whose fields are the arguments and
// flags and whose Run executes it.
//
// A command asks the daemon of a project over its socket, as every other client does, or does without one. What a daemon
// would have here and now (its settings, policy, language servers and scorer) package serve tells, which puts it together.
package command

import (
	"io"
	"os"
)

// A Stdio is what a command reads, and where it writes: what was asked for to Out, all else to Err.
type Stdio struct {
	In  *os.File
	Out io.Writer
	Err *os.File // a terminal gets the daemon's log
}

// A UsageError means that the command line could not be understood.
type UsageError struct {
	Err  error
	Near string // what may be meant, as a person would write it; "": nothing is near
	Of   string // the command that is misused, as a person would write it; "": none, or it is not known
}

func (e *UsageError) Error() string { return e.Err.Error() }

// Hint says what may be meant, and where all commands and flags are listed.
func (e *UsageError) Hint() string {
	list := "--help lists the commands, and behind a command its flags"
	if e.Of != "" {
		list = "`" + e.Of + " --help` shows what it takes"
	}
	if e.Near != "" {
		return "did you mean `" + e.Near + "`? " + list
	}
	return list
}

// A commandError says why a command did not do what it was asked for, and what to do.
type commandError struct{ what, hint string }

func (e *commandError) Error() string { return e.what }

// Hint says what to do.
func (e *commandError) Hint() string { return e.hint }
