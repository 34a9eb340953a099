package lsp

import (
	"fmt"
	"maps"
	"slices"

	"tidepool/lsp/internal/text"
)

// Bounds of what is kept of the errors that one server reports.
const (
	problemsPerFile = 100
	problemsKept    = 1000
	messageLimit    = 1000 // bytes
)

// A Problem is an error that a language server reports in a source file or a manifest.
type Problem struct {
	Path    string   // absolute
	At      Position // where it begins
	Message string   // one line, in the server's words, at most 1,000 bytes
}

// Errors are those that one language server reports for the whole project.
type Errors struct {
	Language string    // ID of the language
	Problems []Problem // by path, then by place; at most 1,000, and 100 of one file
	More     int       // errors beyond those
}

// faults are the errors of one file. Once on a blackboard never changed, only replaced.
type faults struct {
	first []Problem // in the order of the server; at most problemsPerFile
	count int
}

// add adds an error, unless as many are kept as may be.
func (f *faults) add(p Problem, most int) {
	if f.count++; f.count <= most {
		p.Message = text.Clip(text.OneLine(p.Message), messageLimit)
		f.first = append(f.first, p)
	}
}

// A blackboard holds the errors of all files that have some, by path.
type blackboard map[string]faults

// put replaces the errors of one file.
func (b blackboard) put(path string, found faults) {
	if found.count == 0 {
		delete(b, path)
	} else {
		b[path] = found
	}
}

// within are the errors of the files in a part.
func (b blackboard) within(of part) blackboard {
	if of.foreign == nil {
		return b
	}
	in := blackboard{}
	for path, found := range b {
		if of.has(path) {
			in[path] = found
		}
	}
	return in
}

func (b blackboard) count() int {
	count := 0
	for _, of := range b {
		count += of.count
	}
	return count
}

// list sorts them.
func (b blackboard) list(language string) Errors {
	e := Errors{Language: language, More: b.count()}
	for _, path := range slices.Sorted(maps.Keys(b)) {
		sorted := slices.SortedStableFunc(slices.Values(b[path].first), Problem.compare)
		e.Problems = append(e.Problems, sorted[:min(len(sorted), problemsKept-len(e.Problems))]...)
	}
	e.More -= len(e.Problems)
	return e
}

// describe names one error and counts the others. There must be one.
func (b blackboard) describe(relative func(string) string) string {
	first := slices.Min(slices.Collect(maps.Keys(b)))
	reason := "does not compile: " + b[first].first[0].describe(relative)
	if count := b.count(); count > 1 {
		reason += fmt.Sprintf(" (and %d more errors)", count-1)
	}
	return reason
}

func (p Problem) compare(other Problem) int { return p.At.Compare(other.At) }

func (p Problem) describe(relative func(string) string) string {
	return fmt.Sprintf("%s:%d:%d: %s", relative(p.Path), p.At.Line, p.At.Column, p.Message)
}
