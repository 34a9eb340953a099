package lsp

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// errClosed is the answer to every call after Close.
var errClosed = errors.New("the language servers of this project are shut down")

// A MissingError says that the program of a language server was not found.
type MissingError struct {
	Language Language
	Path     string // where it was configured to be; "" if it was looked for by name
}

// Error says which program is missing.
func (e *MissingError) Error() string {
	if e.Path != "" {
		return fmt.Sprintf("no language server for %s: %s is not an executable file", e.Language.Name, e.Path)
	}
	return fmt.Sprintf("no language server for %s: %s is not on PATH", e.Language.Name, e.Language.Command[0])
}

// Hint is the command that installs it.
func (e *MissingError) Hint() string {
	if e.Path != "" || e.Language.Install == "" {
		return "correct the command of languages." + e.Language.ID + " in the configuration"
	}
	return "run: " + e.Language.Install
}

// An ExitError says that a language server ended although nobody had asked it to, or was ended because it hung.
type ExitError struct {
	Command string   // base name of the program
	Cause   string   // "signal: killed", "exit status 2", "it closed its output", "it gave no sign of life …", …
	Stderr  []string // the last lines it wrote to its standard error; may be empty
	Exits   int      // how many times in a row it ended so
	GaveUp  bool     // it will not be started again
}

// Error is one line with the reason, followed by what the server last wrote.
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

// A NoLanguageError says that a directory has nothing that a language of the table could serve.
type NoLanguageError struct {
	Root      string
	Languages []Language // what was looked for
}

// Error names the directory and the languages.
func (e *NoLanguageError) Error() string {
	if len(e.Languages) == 0 {
		return "no language server for " + filepath.Base(e.Root) + ": all languages are switched off"
	}
	names := make([]string, len(e.Languages))
	for i, l := range e.Languages {
		names[i] = l.Name
	}
	return fmt.Sprintf("no language server for %s: it has no project of %s", filepath.Base(e.Root), strings.Join(names, ", "))
}

// Hint says what makes a project.
func (e *NoLanguageError) Hint() string {
	if len(e.Languages) == 0 {
		return "enable one under languages in the configuration"
	}
	var forms []string
	for _, l := range e.Languages {
		if !l.Markerless {
			forms = append(forms, l.Name+": "+strings.Join(l.RootMarkers, " or "))
		}
	}
	return "a project is source files with one of these in their directory or above it, below " + e.Root + ": " + strings.Join(forms, "; ")
}

// A NoServerError says that no language server reads a file.
type NoServerError struct {
	Path      string
	Elsewhere bool // it lies in another checkout
}

// Error names the file.
func (e *NoServerError) Error() string {
	if e.Elsewhere {
		return e.Path + " lies in another checkout of the repository"
	}
	return fmt.Sprintf("no language server of this project reads %s", filepath.Base(e.Path))
}

// Hint says which file can be asked about.
func (e *NoServerError) Hint() string {
	if e.Elsewhere {
		return "ask from a session in that checkout, or about a file of this one"
	}
	return "ask about a source file of a language that is served: `agent status` lists them"
}

// A DraftError says that changes in a language cannot be tried out.
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

// An EditError says that an edit of a draft cannot be made.
type EditError struct {
	Edit   Edit
	Reason string
}

// Error says which edit and why.
func (e *EditError) Error() string {
	return fmt.Sprintf("bytes %d to %d of %s cannot be replaced: %s", e.Edit.Start, e.Edit.End, filepath.Base(e.Edit.Path), e.Reason)
}

// Hint says how edits count.
func (e *EditError) Hint() string {
	return "edits count bytes in the text on the disk, and none may reach into another; begin another draft for another text"
}

// A StartingError says that a language server has not started within the budget, or not answered because it is at work.
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
