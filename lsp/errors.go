package lsp

import (
	"errors"
	"fmt"
	"path"
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

// An ExitError says that a language server ended although nobody had asked it to.
type ExitError struct {
	Command string   // base name of the program
	Cause   string   // "signal: killed", "exit status 2", "it closed its output", …
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
		return "find out why " + e.Command + " ends (run it in the project by hand), then restart the daemon"
	}
	return "ask again: the language server restarts by itself; free memory if it was killed"
}

// A NoLanguageError says that no language of the table has its root marker in the project.
type NoLanguageError struct {
	Root    string
	Markers []string // what was looked for
	Nested  []string // some of those that lie in subdirectories, slash-separated below Root
	Join    string   // command that makes them part of a project in Root; "": there is none
}

// Error names the project and the markers.
func (e *NoLanguageError) Error() string {
	if len(e.Markers) == 0 {
		return "no language server for " + filepath.Base(e.Root) + ": all languages are switched off"
	}
	where := ""
	if len(e.Nested) > 0 {
		where = " in its root, only " + strings.Join(e.Nested, ", ")
	}
	return fmt.Sprintf("no language server for %s: it has no %s%s", filepath.Base(e.Root), strings.Join(e.Markers, ", "), where)
}

// Hint says where a project starts.
func (e *NoLanguageError) Hint() string {
	if len(e.Markers) == 0 {
		return "enable one under languages in the configuration"
	}
	if len(e.Nested) > 0 {
		return e.nestedHint()
	}
	return "work in the directory that holds the project's " + strings.Join(e.Markers, " or ") + ", or create it"
}

func (e *NoLanguageError) nestedHint() string {
	serve := "serve the directory of " + e.Nested[0] + " as a project of its own: controlserver serve --project " + path.Dir(e.Nested[0])
	if e.Join == "" {
		return serve
	}
	return "run `" + e.Join + "` in " + e.Root + " and ask again; or " + serve
}

// A NoServerError says that no language server reads files of this kind.
type NoServerError struct{ Path string }

// Error names the file.
func (e *NoServerError) Error() string {
	return fmt.Sprintf("no language server of this project reads %s", filepath.Base(e.Path))
}
