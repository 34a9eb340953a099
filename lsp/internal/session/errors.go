package session

import (
	"fmt"
	"strings"
)

// A MissingError means that the program of a language server was not found.
type MissingError struct {
	Language Language
	Path     string // where it was configured to be; "" if it was looked for by name
}

// Error returns which program is missing.
func (e *MissingError) Error() string {
	if e.Path != "" {
		return fmt.Sprintf("no language server for %s: %s is not an executable file", e.Language.Name, e.Path)
	}
	return fmt.Sprintf("no language server for %s: %s is not on PATH", e.Language.Name, e.Language.Command[0])
}

// Hint is the command that installs it.
func (e *MissingError) Hint() string {
	switch {
	case e.Path != "":
		return "correct the command of languages." + e.Language.ID + " in the configuration"
	case e.Language.Install == "":
		return "install " + e.Language.Command[0] + ", or name its program by languages." + e.Language.ID + " in the configuration"
	}
	return "run: " + e.Language.Install
}

// An ExitError means that a language server ended although nobody had asked it to, or was ended because it hung.
type ExitError struct {
	Command string   // base name of the program
	Cause   string   // "signal: killed", "exit status 2", "it closed its output", "it gave no sign of life …", …
	Stderr  []string // the last lines it wrote to its standard error; may be empty
	Exits   int      // how many times in a row it ended so
	GaveUp  bool     // it will not be started again
}

// Error returns one line with the reason, followed by what the server last wrote.
func (e *ExitError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s exited: %s", e.Command, e.Cause)
	if e.GaveUp {
		fmt.Fprintf(&text, " (%d times in a row, not started again)", e.Exits)
	}
	for _, line := range e.Stderr {
		text.WriteString("\n\t" + line)
	}
	return text.String()
}

// Hint says what happens next.
func (e *ExitError) Hint() string {
	if e.GaveUp {
		return "find out why " + e.Command + " ends (run it in the project by hand); it is started again in 5 minutes, or when one of its manifests changes"
	}
	return "ask again: the language server restarts by itself; free memory if it was killed"
}

// A DraftError means that changes in a language cannot be tried out.
type DraftError struct {
	Language string
	Reason   string
}

// Error names the language and the reason.
func (e *DraftError) Error() string {
	return "changes in " + e.Language + " cannot be tried out: " + e.Reason
}

// Hint says what else there is.
func (e *DraftError) Hint() string {
	return "find what a change touches by references and implementations, and run the compiler once it is made"
}

// UntrustedNote says in every answer what to do about it.
const UntrustedNote = "this project is not trusted (agent trust)"

// An UntrustedError means that a server does not start in a project that is not trusted.
type UntrustedError struct {
	Command string // base name of the program
	Why     string // what the program would run
}

// Error names the server and what it would run.
func (e *UntrustedError) Error() string {
	return fmt.Sprintf("%s is not started: %s, and this project is not trusted", e.Command, e.Why)
}

// Hint says how to trust it.
func (e *UntrustedError) Hint() string {
	return "look at what the project brings, then run `agent trust` in it, in a terminal of your own"
}
