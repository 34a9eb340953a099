package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// An UnknownToolError says that no tool has this name.
type UnknownToolError struct {
	Name  string
	Known []string // all names, sorted
}

// Error names the tool asked for.
func (e *UnknownToolError) Error() string { return fmt.Sprintf("unknown tool %q", e.Name) }

// Hint names the nearest tool, or all of them.
func (e *UnknownToolError) Hint() string {
	if near := nearest(e.Name, e.Known, 1); len(near) > 0 {
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

// A hintedError is a failure with advice.
type hintedError struct {
	what string
	hint string
}

func (e *hintedError) Error() string { return e.what }

// Hint says what to do about it.
func (e *hintedError) Hint() string { return e.hint }

// nearest returns up to n of names that a person who wrote word may have meant, best first.
func nearest(word string, names []string, n int) []string {
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	folded := strings.ToLower(word)
	for _, name := range names {
		lower := strings.ToLower(name)
		distance := levenshtein.ComputeDistance(folded, lower)
		if distance <= 1+len(word)/4 || strings.HasPrefix(lower, folded) && len(folded) > 2 {
			near = append(near, candidate{name, distance})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(a.distance-b.distance, strings.Compare(a.name, b.name))
	})
	found := make([]string, 0, n)
	for _, c := range near {
		if len(found) < n && (len(found) == 0 || found[len(found)-1] != c.name) {
			found = append(found, c.name)
		}
	}
	return found
}
