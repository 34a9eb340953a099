package diagnostics

import "context"

// A Diagnoser finds the errors in the project's code. Paths are absolute.
type Diagnoser interface {
	// Diagnose waits until the language servers have checked the files, or ctx ends; it returns soon after. It never
	// waits for a language server that is not ready.
	Diagnose(ctx context.Context, paths ...string) Diagnosis
	// Known returns at once what is known to be wrong with the tree that a file belongs to, by language.
	Known(path string) map[string]Errors
}

// A Diagnosis is the errors before and after changes, by language. Of a language that is missing nothing is known.
type Diagnosis struct {
	Before, Now map[string]Errors // read-only
	Over        bool              // Now is from after the changes; else the check was not over in time
}

// Errors are those in one language.
type Errors struct {
	Problems []Problem
	More     int // beyond Problems, which are bounded
}

// A Problem is one error.
type Problem struct {
	Path         string // absolute
	Line, Column int    // from 1, the column in bytes
	Message      string // of the language server
}

// newErrors returns the errors in now that were not there before, and how many more there are. In a language of which
// nothing was known, or not all, nothing is new.
func newErrors(before, now map[string]Errors) (list []Problem, more int) {
	for language, errors := range now {
		if old, known := before[language]; known && old.More == 0 {
			list = append(list, errors.since(old)...)
			more += errors.More
		}
	}
	return list, more
}

// since returns what is not in old. An error stays the same when lines above it come or go: as many of one message in
// one file as there were are old, first those that stand where they stood.
func (e Errors) since(old Errors) []Problem {
	there, anywhere := map[Problem]int{}, map[Problem]int{}
	for _, p := range old.Problems {
		there[p]++
		anywhere[p.withoutPosition()]++
	}
	var moved, list []Problem
	for _, p := range e.Problems {
		if there[p] > 0 {
			there[p]--
			anywhere[p.withoutPosition()]--
		} else {
			moved = append(moved, p)
		}
	}
	for _, p := range moved {
		if anywhere[p.withoutPosition()] > 0 {
			anywhere[p.withoutPosition()]--
		} else {
			list = append(list, p)
		}
	}
	return list
}

func (p Problem) withoutPosition() Problem { return Problem{Path: p.Path, Message: p.Message} }
