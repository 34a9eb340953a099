package tools

import (
	"context"
	"fmt"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
)

// A language is what the tools know of a programming language beyond what its server tells. Supporting another one
// is writing another case of languageWith. All but use may be left out.
type language struct {
	// use says how a name is used at a place; the zero use if it is not used there.
	use func(context.Context, *inquiry, lsp.Location) (use, error)
	// outlined says that use leaves the enclosing declaration to the server's list of those in the file.
	outlined bool
	// declares says that use asks that list whether a name is declared at a place, so that it is fetched for all such
	// places at once; nil: it never does.
	declares func(*inquiry, lsp.Location) bool
	// runs says whether a call at a place, one of the references to a method, can run that method, and through which
	// contract if it does so for some values only: "Shape.area"; nil: every call does.
	runs func(ctx context.Context, q *inquiry, method lsp.Symbol, at lsp.Location) (contract string, ok bool, err error)
	// abstract returns the type that declares the method at a place without a body; "" for any other place. With it,
	// the server is asked for implementations.
	abstract func(context.Context, *inquiry, lsp.Location) string
	// kin adds to found what calls a symbol under the name of a relative, such as the method that it overrides, where the
	// server keeps the references of each apart. It returns the references to the relatives.
	kin func(ctx context.Context, q *inquiry, symbol lsp.Symbol, references []lsp.Location, found *callSites) ([]lsp.Location, error)
	// unresolved finds the mentions of a function's name of which the server cannot say whether they mean it.
	unresolved func(ctx context.Context, q *inquiry, symbol lsp.Symbol, references []lsp.Location) ([]lsp.Location, error)
	// promoted finds the method that a type has from one it embeds or inherits from; false if there is none.
	promoted func(ctx context.Context, q *inquiry, typ lsp.Symbol, method string) (lsp.Symbol, bool, error)
	// fields and constructors fill in what show_fields and show_constructors say of a type.
	fields       func(context.Context, *inquiry, lsp.Symbol, *code.Record) error
	constructors func(context.Context, *inquiry, lsp.Symbol, *code.Construction) error

	naming
	reading
}

// naming is how people write the names of a language.
type naming struct {
	// separator stands between the parts of a name, such as ::; "": a dot.
	separator string
	// qualifiers are what may stand before a name for its package, shortest first; nil: nothing, and names that are not
	// enough alone are told apart by their files.
	qualifiers func(pkg string) []string
	// made are the kinds of symbols besides functions and variables that calls may name: classes, constants.
	made []lsp.Kind
	// beside writes the name of a type declared at a place as the file of symbol would; nil: as it is.
	beside func(symbol lsp.Symbol, at lsp.Location, name string) string
	// pkg returns the name by which the file of a place calls its package, if that may be another than the symbol's.
	pkg func(*inquiry, lsp.Location) string
	// named returns the name of a declaration in a file as others are listed below it, "" to leave it out of their
	// names, and whether what it contains is to be told apart from it; nil: ownName.
	named func(lsp.DocumentSymbol) (name string, container bool)
}

// reading is how the files of a language are read.
type reading struct {
	// declared lists the declarations in a file; nil: the server does.
	declared func(context.Context, *inquiry, string) ([]lsp.Symbol, error)
	// overloaded says that a declaration is a part of the one that follows it in its file; nil: none is.
	overloaded func(s, next lsp.Symbol) bool
	// elsewhere says that a symbol which the server lists is not declared at its place.
	elsewhere func(context.Context, *inquiry, lsp.Symbol) bool
	// inside names the function whose body a token stands in, as the list of declarations would, with the types around
	// it; "" where the text alone does not tell for certain; nil: it never does.
	inside func(lexer.Token) string
	// source reads a file; nil: as plain text.
	source func(*inquiry, string) (source, error)
	// test says that only tests use a file.
	test func(path string) bool
	// writer says what has written a file, "" if that is not known, and whether a program has; nil: the comment at its head
	// does.
	writer func(q *inquiry, path string) (by string, ok bool)
	// needs says what a build needs to have a line of a file, such as "windows && !cgo"; "" if every build has it. It is
	// nil, or returns nil, where that cannot be told.
	needs func(q *inquiry, path string) func(line int) string
	// leftOut says that the build at hand does not have a file; nil: it cannot be told.
	leftOut func(path string) bool
}

// dot is what stands between the parts of a name.
func (n naming) dot() string {
	if n.separator == "" {
		return "."
	}
	return n.separator
}

// languageOf is what is known of the language of a symbol. It fails with advice for one of which nothing is.
func (q *inquiry) languageOf(s lsp.Symbol) (language, error) {
	known := q.languages(s.Language)
	if known.use == nil {
		return language{}, &hintedError{
			what:   fmt.Sprintf("%s is written in %s, whose syntax the tools do not know", s.Name, s.Language),
			advice: "read the file itself: " + s.Location.Path,
		}
	}
	return known, nil
}

// A use is how a name is used at one place. These kinds mean the same in every language: call, new (makes a value),
// value, import, export (is handed on), type (stands in a type or signature), base (is inherited from), implements, case,
// key (of a table), cast, assertion (is tested for), decorator, write, declaration.
type use struct {
	kind      string // "call", "go", "defer", "value", "import", …
	called    bool   // what is named there is called there
	taken     bool   // it is taken as a value, to be called elsewhere
	enclosing string // the declaration around it: "F", "T.M"; "" at the level of the file, or outlined
	passed    string // taken: the function it is passed to, as written
	test      bool   // in code that only tests compile
	// whole is where the switch starts that the name is a case of, or the table that it is an entry of; zero: neither.
	whole lsp.Location
}

// A source is the text of a file by lines, counted from 1.
type source interface {
	Lines() int
	Line(n int) string // without its end; "" outside the file
}

// source reads the file at path, which may be of any language.
func (q *inquiry) source(path string) (source, error) {
	if known := q.languages(lsp.LanguageOf(path)); known.source != nil {
		return known.source(q, path)
	}
	return q.lexed.Open(path)
}

// isTest says whether only tests use a file.
func (q *inquiry) isTest(path string) bool {
	known := q.languages(lsp.LanguageOf(path))
	return known.test != nil && known.test(path)
}

// undeclared says that the declaration of a symbol cannot be read where its server has it.
func undeclared(symbol lsp.Symbol) error {
	return &hintedError{
		what:   fmt.Sprintf("cannot read the declaration of %s at %s:%d", symbol.Name, symbol.Location.Path, symbol.Location.Range.Start.Line),
		advice: "the file may have just changed or not parse; look at it, then ask again",
	}
}

// maxFollowed bounds how many names lead from one type to another, and how deep embedded types are looked into.
const maxFollowed = 10
