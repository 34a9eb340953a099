// Package fact has what is known of Go packages as values: declarations by the place of their name, what uses them, which
// switches list them, which tests may run them.
//
// They are what the analysis process finds out and the daemon makes an answer of. Nothing in them refers to a syntax tree or
// a type, so that they can be sent and kept.
package fact

import "strings"

// A Place is where the name of a declaration stands. The zero value is nowhere: outside of the tree, or unknown.
type Place struct {
	Path         string
	Line, Column int // from 1; columns count bytes
}

// A Site is a place in a declaration.
type Site struct {
	At            Place
	In            Place  // the name of the top-level declaration around it
	Enclosing     string // that name: "F", "T.M"
	OtherPlatform bool   // the system we run on does not build the file
}

// A Function is a function or method with a body, or a variable of a package with what it is made of.
type Function struct {
	Name          string // "F", "T.M"
	At            Place
	Package       string // import path
	Receiver      Place  // of a method: its type
	Variable      bool
	Test          bool // only tests compile it
	OtherPlatform bool // the system we run on does not build the file
	Fails         bool // an error is among its results
	Uses          []Use

	// The body.
	Words []string // of a test: of names and texts, and pairs that follow each other, sorted, each once
	Rows  int      // entries of composite literals
}

// Base returns the name without that of the receiver.
func (f *Function) Base() string { return f.Name[strings.LastIndexByte(f.Name, '.')+1:] }

// A UseKind says what a function does with a declaration.
type UseKind string

// The kinds of use.
const (
	Called UseKind = "called"
	Taken  UseKind = "taken" // as a value, which somebody may call
	Built  UseKind = "built" // a type that is named where values of it come from
	Read   UseKind = "read"  // a variable of a package
)

// A Use is a place at which a function uses a declaration.
type Use struct {
	To       Place
	At       Place
	Kind     UseKind
	Closure  bool     // in a function without a name
	ErrorUse ErrorUse // Called: of the error that is returned
	// Needs are types of which a value must have been made for a run to come to the place, any of them: it stands in a case
	// of a type switch, or after an assertion. Empty: none.
	Needs []Place
}

// A UseIn is a use, and what it is in.
type UseIn struct {
	By *Function
	*Use
}

// An ErrorUse is what becomes of the error that a call returns.
type ErrorUse string

// The uses of a returned error.
const (
	NoError ErrorUse = ""        // it returns none
	Passed  ErrorUse = "passed"  // the function around the call returns it: itself, in another error, or another one in its place
	Handled ErrorUse = "handled" // the function looks at it and goes on
	Dropped ErrorUse = "dropped" // nobody looks at it
)
