package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidepool/internal/wording"
	"tidepool/lsp/internal/text"
)

// Bounds of what is kept of the errors that one server reports.
const (
	ProblemsPerFile = 100
	problemsKept    = 1000
	MessageLimit    = 1000 // bytes
)

// A Problem is an error that a language server reports in a source file or a manifest.
type Problem struct {
	Path    string        // absolute
	At      text.Position // where it begins
	Message string        // one line, in the server's words, at most 1,000 bytes
}

// Errors are those that one language server reports for the whole project.
type Errors struct {
	Language string    // ID of the language
	Problems []Problem // by path, then by place; at most 1,000, and 100 of one file
	More     int       // errors beyond those
}

// FileErrors are the errors of one file. Once in Diagnostics they are never changed, only replaced.
type FileErrors struct {
	First []Problem // in the order of the server; at most ProblemsPerFile
	Count int
}

// Add adds an error, unless as many are kept as may be.
func (f *FileErrors) Add(p Problem, most int) {
	if f.Count++; f.Count <= most {
		p.Message = text.Clip(WithoutNotes(p.Message), MessageLimit)
		f.First = append(f.First, p)
	}
}

// WithoutNotes returns a message on one line, without the notes that clangd adds behind an empty line: they have absolute paths.
func WithoutNotes(message string) string {
	first, _, _ := strings.Cut(message, "\n\n")
	return wording.OneLine(first)
}

// Diagnostics are the errors of all files that have some, by path.
type Diagnostics map[string]FileErrors

// put replaces the errors of one file.
func (d Diagnostics) put(path string, found FileErrors) {
	if found.Count == 0 {
		delete(d, path)
	} else {
		d[path] = found
	}
}

// within returns the errors of the files in a part.
func (d Diagnostics) within(of Part) Diagnostics {
	if of.Foreign == nil {
		return d
	}
	in := Diagnostics{}
	for path, found := range d {
		if of.has(path) {
			in[path] = found
		}
	}
	return in
}

func (d Diagnostics) count() int {
	count := 0
	for _, of := range d {
		count += of.Count
	}
	return count
}

// list sorts them.
func (d Diagnostics) list(language string) Errors {
	e := Errors{Language: language, More: d.count()}
	for _, path := range slices.Sorted(maps.Keys(d)) {
		sorted := slices.SortedStableFunc(slices.Values(d[path].First), Problem.Compare)
		e.Problems = append(e.Problems, sorted[:min(len(sorted), problemsKept-len(e.Problems))]...)
	}
	e.More -= len(e.Problems)
	return e
}

// describe names one error and counts the others. There must be one.
func (d Diagnostics) describe(relative func(string) string) string {
	first := slices.Min(slices.Collect(maps.Keys(d)))
	reason := "does not compile: " + d[first].First[0].describe(relative)
	if count := d.count(); count > 1 {
		reason += fmt.Sprintf(" (and %d more errors)", count-1)
	}
	return reason
}

// Compare orders the problems of one file by their places.
func (p Problem) Compare(other Problem) int { return p.At.Compare(other.At) }

func (p Problem) describe(relative func(string) string) string {
	return fmt.Sprintf("%s:%d:%d: %s", relative(p.Path), p.At.Line, p.At.Column, p.Message)
}

// FirstError returns the message of the first error in a file, "" if none is known.
func (p *Progress) FirstError(path string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if first := p.diagnostics[path].First; len(first) > 0 {
		return first[0].Message
	}
	return ""
}
