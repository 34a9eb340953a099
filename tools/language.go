package tools

import (
	"context"
	"fmt"

	"tidepool/internal/gosyntax"
	"tidepool/lsp"
	"tidepool/scout"
)

// A language is what the tools know of a programming language beyond what its server tells. Supporting another one
// is writing another entry of languages.
type language struct {
	// use says how a name is used at a place; the zero use if it is not used there.
	use func(*gosyntax.Reading, lsp.Location) (use, error)
	// abstract returns the type that declares the method at a place without a body; "" for any other place.
	abstract func(*gosyntax.Reading, lsp.Location) string
	// pkg returns the name by which the file of a place calls its package.
	pkg func(*gosyntax.Reading, lsp.Location) string
	// promoted finds the method that a type has from one it embeds or inherits from; false if there is none.
	promoted func(ctx context.Context, q *inquiry, typ lsp.Symbol, method string) (lsp.Symbol, bool, error)
	// fields and constructors fill in what show_fields and show_constructors say of a type.
	fields       func(context.Context, *inquiry, lsp.Symbol, *ShowFieldsOutput) error
	constructors func(context.Context, *inquiry, lsp.Symbol, *ShowConstructorsOutput) error
	// edges lists what depends on the declaration at a place, for scout.
	edges func(context.Context, *graph, scout.Node, lsp.Location) ([]scout.Edge, error)
}

func languages() map[string]language {
	return map[string]language{
		"go": {
			use: goUse, abstract: goAbstract, pkg: goPackage, promoted: goPromoted,
			fields: goFields, constructors: goConstructors, edges: goEdges,
		},
	}
}

func languageOf(s lsp.Symbol) (language, error) {
	known, ok := languages()[s.Language]
	if !ok {
		return language{}, &hintedError{
			what: fmt.Sprintf("%s is written in %s, whose syntax the tools do not know", s.Name, s.Language),
			hint: "read the file itself: " + s.Location.Path,
		}
	}
	return known, nil
}

// A use is how a name is used at one place.
type use struct {
	kind      string // "call", "go", "defer", "value", "import", …
	called    bool   // what is named there is called there
	taken     bool   // it is taken as a value, to be called elsewhere
	enclosing string // the declaration around it: "F", "T.M"; "" at the level of the file
	passed    string // taken: the function it is passed to, as written
	test      bool   // in code that only tests compile
}

func goUse(files *gosyntax.Reading, l lsp.Location) (use, error) {
	f, err := files.Open(l.Path)
	if err != nil {
		return use{}, err
	}
	u, ok := f.Use(place(l))
	if !ok {
		return use{}, nil
	}
	return use{
		kind: string(u.Kind), called: u.Called(), taken: u.Kind == gosyntax.Value,
		enclosing: u.Enclosing, passed: u.Passed, test: f.Test(),
	}, nil
}

func goAbstract(files *gosyntax.Reading, l lsp.Location) string {
	f, err := files.Open(l.Path)
	if err != nil {
		return ""
	}
	name, _ := f.InterfaceOf(place(l))
	return name
}

func goPackage(files *gosyntax.Reading, l lsp.Location) string {
	f, err := files.Open(l.Path)
	if err != nil {
		return ""
	}
	return f.Package
}
