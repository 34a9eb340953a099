package tools

import (
	"fmt"
	"strings"

	"tidepool/internal/wording"
)

// An UnknownToolError means that no tool has this name.
type UnknownToolError struct {
	Name  string
	Known []string // all names, sorted
}

// Error names the tool asked for.
func (e *UnknownToolError) Error() string { return fmt.Sprintf("unknown tool %q", e.Name) }

// Hint names the nearest tool, or all of them.
func (e *UnknownToolError) Hint() string {
	if near := wording.Nearest(e.Name, e.Known, 1); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return "the tools are " + strings.Join(e.Known, ", ")
}

// An ArgumentError says which arguments do not fit the tool's schema. The tool has not run.
type ArgumentError struct {
	Tool     string
	Problems []string // one per field: "max_results: expected an integer, got a string"
	Accepts  string   // the tool's parameters in one line
}

// Error lists the problems.
func (e *ArgumentError) Error() string { return strings.Join(e.Problems, "; ") }

// Hint says what the tool accepts.
func (e *ArgumentError) Hint() string { return e.Tool + " takes " + e.Accepts }
