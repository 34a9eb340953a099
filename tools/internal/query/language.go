package query

import (
	"context"
	"fmt"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// A Language is what is known of a programming language beyond what its server tells. All but Use may be left out; without
// Use nothing is known.
type Language struct {
	// Use says how a name is used at a place; the zero Use if it is not used there.
	Use func(context.Context, *Query, lsp.Location) (Use, error)
	// Outlined says that Use leaves the enclosing declaration to the server's list of those in the file.
	Outlined bool
	// Declares says that Use asks that list whether a name is declared at a place, so that it is fetched for all such
	// places at once; nil: it never does.
	Declares func(*Query, lsp.Location) bool
	// Called begins to say of the references to a function how they use it, where Use cannot know: it does not know that the name
	// means a function. nil: Use does.
	Called func(q *Query, symbol lsp.Symbol) func(context.Context, lsp.Location, Use) (Use, error)
	// Runs says whether a call at a place, one of the references to a method, can run that method, and through which
	// contract if it does so for some values only: "Shape.area"; nil: every call does.
	Runs Runs
	// Alone says of a method without relatives that all of its references name it, so that Runs is not asked; nil: it may not be so.
	Alone func(ctx context.Context, q *Query, method lsp.Symbol) (bool, error)
	// Ahead reads what Alone and Related will need of the text of a method's tree, while the server looks for references; nil: nothing.
	Ahead func(ctx context.Context, q *Query, method lsp.Symbol)
	// Together is how many such questions the server is asked at a time; 0: [Concurrent].
	Together int
	// Abstract returns the type that declares the method at a place without a body; "" for any other place. With it,
	// the server is asked for implementations.
	Abstract func(context.Context, *Query, lsp.Location) string
	// Unrelated says of a method that it implements no other one, nor another one it, so that the server need not be asked for
	// implementations; nil: that is not known of any.
	Unrelated func(method lsp.Symbol) bool
	// Related adds to found what calls a symbol under the name of a relative, such as the method that it overrides, where the
	// server keeps the references of each apart. It returns the references to the relatives.
	Related func(ctx context.Context, q *Query, symbol lsp.Symbol, references []lsp.Location, found *CallSites) ([]lsp.Location, error)
	// Unresolved finds the mentions of a function's name of which the server cannot say whether they mean it.
	Unresolved func(ctx context.Context, q *Query, symbol lsp.Symbol, references []lsp.Location) ([]lsp.Location, error)
	// Asked returns where the server is asked for the references of a symbol; false, with a doubt about the answer, if there is
	// no such place. nil: where the symbol is declared.
	Asked func(ctx context.Context, q *Query, symbol lsp.Symbol) (at lsp.Location, known bool, err error)
	// Promoted finds the method that a type has from one it embeds or inherits from; false if there is none.
	Promoted func(ctx context.Context, q *Query, typ lsp.Symbol, method string) (lsp.Symbol, bool, error)
	// Fields and Constructors fill in what show_fields and show_constructors say of a type.
	Fields       func(context.Context, *Query, lsp.Symbol, *Record) error
	Constructors func(context.Context, *Query, lsp.Symbol, *Construction) error

	Naming
	Reading
	Explaining
}

// Naming is how people write the names of a language.
type Naming struct {
	// Separator stands between the parts of a name, such as ::; "": a dot.
	Separator string
	// Qualifiers are what may stand before a name for its package, shortest first; nil: nothing, and names that are not
	// enough alone are told apart by their files.
	Qualifiers func(pkg string) []string
	// Settled completes a symbol that the server lists by what its file has at the place; nil: it is as it is.
	Settled func(q *Query, s lsp.Symbol) lsp.Symbol
	// Unlisted says that a file may declare what the server does not list.
	Unlisted bool
	// Scoped reports, where no symbol has the name as it is written, whether a name with dots means a symbol of that last component, though it does not end in what the
	// server calls the symbol; nil: it does not.
	Scoped func(q *Query, s lsp.Symbol, name string) bool
	// Merged leaves out the symbols that declare again what others of the list declare; nil: none does.
	Merged func(ctx context.Context, q *Query, symbols []lsp.Symbol) ([]lsp.Symbol, error)
	// Made are the kinds of symbols besides functions and variables that calls may name: classes, constants.
	Made []lsp.Kind
	// Beside writes the name of a type declared at a place as the file of symbol would; nil: as it is.
	Beside func(symbol lsp.Symbol, at lsp.Location, name string) string
	// Pkg returns the name by which the file of a place calls its package, if that may be another than the symbol's.
	Pkg func(*Query, lsp.Location) string
	// Named returns the name of a declaration in a file as others are listed below it, "" to leave it out of their
	// names, and whether what it contains is to be told apart from it; nil: OwnName.
	Named func(lsp.DocumentSymbol) (name string, container bool)
}

// Reading is how the files of a language are read.
type Reading struct {
	// Declared lists the declarations in a file; nil: the server does.
	Declared func(context.Context, *Query, string) ([]lsp.Symbol, error)
	// DeclaredAs lists those of the declarations in a file that have a name, whatever stands before it, and maybe others; nil: Declared
	// does.
	DeclaredAs func(ctx context.Context, q *Query, path, name string) ([]lsp.Symbol, error)
	// Written lists the declarations of a name in the files that the build at hand may have, by their text alone; nil: only
	// the server knows.
	Written func(ctx context.Context, q *Query, name string) ([]lsp.Symbol, error)
	// Declaring returns the function or type that is declared where a name stands; nil: the text does not tell.
	Declaring func(*lexer.File, lexer.Token) (lsp.Symbol, bool)
	// Overloaded says that a declaration is a part of the one that follows it in its file; nil: none is.
	Overloaded func(s, next lsp.Symbol) bool
	// Elsewhere says that a symbol which the server lists is not declared at its place.
	Elsewhere func(context.Context, *Query, lsp.Symbol) bool
	// Inside names the function whose body a token stands in, as the list of declarations would, with the types around
	// it; "" where the text alone does not tell for certain; nil: it never does. macro says of a name that sources define a macro of it.
	Inside func(t lexer.Token, macro func(name string) bool) string
	// Source reads a file; nil: as plain text.
	Source func(*Query, string) (Source, error)
	// Test says that only tests use a file.
	Test func(path string) bool
	// Writer says what has written a file, "" if that is not known, and whether a program has; nil: the comment at its head
	// does.
	Writer func(q *Query, path string) (by string, ok bool)
	// Needs says what a build needs to have a line of a file, such as "windows && !cgo"; "" if every build has it. It is
	// nil, or returns nil, where that cannot be told.
	Needs func(q *Query, path string) func(line int) string
	// LeftOut says that the build at hand does not have a file; nil: it cannot be told.
	LeftOut func(path string) bool
}

// Explaining is how declarations of a language are explained.
type Explaining struct {
	// Package lists the files in which the methods of a type in a file may be declared; nil: that file alone.
	Package func(path string) []string
	// Forward says that a function may be declared in one place and defined in another.
	Forward bool
	// Body finds the token that the body of a function begins with, by its name and the end of its declaration, an offset;
	// nil: the body is in the braces at the end.
	Body func(name lexer.Token, end int) lexer.Token
	// Signature chooses between the head of a declaration as written and what the server shows; nil: the head.
	Signature func(s lsp.Symbol, head, shown string) string
	// Undocumented says that what the server shows of a declaration holds no documentation.
	Undocumented bool
	// TestRecord returns what the tests around a file ran, as far as it is known; nil: nobody runs tests to see.
	TestRecord func(ctx context.Context, q *Query, path string) TestRecord
	// Functional says that variables often hold functions: one whose type says nothing is explained itself.
	Functional bool
}

// dot returns what stands between the parts of a name.
func (n Naming) dot() string {
	if n.Separator == "" {
		return "."
	}
	return n.Separator
}

// languageOf returns what is known of the language of a symbol. It fails with advice for one of which nothing is.
func (q *Query) languageOf(s lsp.Symbol) (Language, error) {
	known := q.Languages(s.Language)
	if known.Use == nil {
		return Language{}, &HintedError{
			What:   fmt.Sprintf("%s is written in %s, whose syntax the tools do not know", s.Name, s.Language),
			Advice: "read the file itself: " + s.Location.Path,
		}
	}
	return known, nil
}

// Unknown is the kind of a use that the syntax around it does not tell for certain.
const Unknown = "unknown"

// A Use is how a name is used at one place. These kinds mean the same in every language: call, new (makes a value),
// value, import, export (is handed on), type (stands in a type or signature), base (is inherited from), implements, case,
// key (of a table), cast, assertion (is tested for), decorator, write, declaration, unknown.
type Use struct {
	Kind      string // "call", "go", "defer", "value", "import", …
	Called    bool   // what is named there is called there
	Taken     bool   // it is taken as a value, to be called elsewhere
	Enclosing string // the declaration around it: "F", "T.M"; "" at the level of the file, or if the Language is Outlined
	Passed    string // taken: the function it is passed to, as written
	Test      bool   // in code that only tests compile
	// Whole is where the switch starts that the name is a case of, or the table that it is an entry of; zero: neither.
	Whole lsp.Location
}

// A Source is the text of a file by lines, counted from 1.
type Source interface {
	Lines() int
	Line(n int) string // without its end; "" outside the file
}

// Source reads the file at path, which may be of any language.
func (q *Query) Source(path string) (Source, error) {
	if known := q.Languages(lsp.LanguageOf(path)); known.Source != nil {
		return known.Source(q, path)
	}
	return q.Lexed.Open(path)
}

// IsTest reports whether only tests use a file.
func (q *Query) IsTest(path string) bool {
	known := q.Languages(lsp.LanguageOf(path))
	return known.Test != nil && known.Test(path)
}

// Undeclared says that the declaration of a symbol cannot be read where its server has it.
func Undeclared(symbol lsp.Symbol) error {
	return &HintedError{
		What:   fmt.Sprintf("cannot read the declaration of %s at %s:%d", symbol.Name, symbol.Location.Path, symbol.Location.Range.Start.Line),
		Advice: "the file may have just changed or not parse; look at it, then ask again",
	}
}

// MaxFollowed bounds how many names lead from one type to another, and how deep embedded types are looked into.
const MaxFollowed = 10
