package lsp

import (
	"fmt"
	"path/filepath"
	"strings"
)

// A NoLanguageError means that a directory has nothing that a language of the table could serve.
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

// A NoServerError means that no language server reads a file.
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
