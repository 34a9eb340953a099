package tools

import (
	"context"
	"path/filepath"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
)

// typescriptLanguage is what the tools know of TypeScript and JavaScript. Which declaration a name means the server says,
// how it is used the tokens around it.
func typescriptLanguage() Language {
	return Language{
		Use: tsUse, Outlined: true, Runs: tsRuns, Abstract: tsAbstract, Promoted: tsPromoted,
		Fields: tsFields, Constructors: tsConstructors,
		Naming: Naming{
			Made:  []lsp.Kind{lsp.KindClass},
			Named: tsNamed,
		},
		Reading: Reading{Declared: tsDeclared, Overloaded: tsOverloaded, Inside: tsInside, Test: tsTest},
	}
}

// typescriptWalked is what scout needs of them.
func typescriptWalked() walkedLanguage {
	return walkedLanguage{
		Edges: tsEdges, Used: Called, Check: tsCheck,
		Hidden: []scout.Role{scout.RoleTable}, // whose keys are of a union of texts, not all of them
	}
}

// tsTest says whether only tests use a file, by the names that test runners look for.
func tsTest(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return strings.HasSuffix(name, ".test") || strings.HasSuffix(name, ".spec") ||
		strings.Contains(filepath.ToSlash(path), "/__tests__/")
}

// tsNamed leaves out functions without a name, of which the server writes `describe("x") callback`, but not what is
// declared in them.
func tsNamed(s lsp.DocumentSymbol) (name string, container bool) {
	if strings.ContainsAny(s.Name, "( <") {
		return "", true
	}
	switch s.Kind {
	case lsp.KindFunction, lsp.KindMethod, lsp.KindConstructor:
		return s.Name, false
	}
	return s.Name, true
}

// tsDeclared lists what a file declares, with type aliases told from variables.
func tsDeclared(ctx context.Context, q *Inquiry, path string) ([]lsp.Symbol, error) {
	symbols, err := q.Outline(ctx, path)
	if err != nil {
		return nil, err
	}
	all := Flattened(path, "typescript", Naming{Named: tsNamed}, symbols)
	for i, s := range all {
		all[i].Kind = tsKindOf(q, s)
	}
	return all, nil
}

// tsOverloaded says whether a declaration is a signature of the function or method that comes next: nothing may stand
// between overloads.
func tsOverloaded(s, next lsp.Symbol) bool {
	callable := s.Kind == lsp.KindFunction || s.Kind == lsp.KindMethod || s.Kind == lsp.KindConstructor
	return callable && s.Kind == next.Kind && s.Name == next.Name && s.Receiver == next.Receiver
}

// tsKindOf corrects the kind that an outline gives.
func tsKindOf(q *Inquiry, s lsp.Symbol) lsp.Kind {
	t := tsToken(q, s.Location)
	switch {
	case t.Prev().Is("type") && t.Next().Is("=", "<"):
		return lsp.KindType
	case t.Prev().Is("get", "set") && s.Kind == lsp.KindMethod, s.Kind == lsp.KindProperty:
		return lsp.KindField
	case s.Kind != lsp.KindConstant:
		return s.Kind
	case t.Prev().Is("const", "let", "var", ","):
		return lsp.KindVariable
	}
	return lsp.KindEnumMember
}

// tsToken is the token at a place, the zero Token if the file cannot be read.
func tsToken(q *Inquiry, at lsp.Location) lexer.Token {
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return lexer.Token{}
	}
	return tsTokenIn(f, at)
}

func tsTokenIn(f *lexer.File, at lsp.Location) lexer.Token {
	t := f.At(at.Range.Start.Line, at.Range.Start.Column)
	// Between two tokens the one that ends there comes; the place is that of the one that starts.
	if line, column := t.Position(); t.Kind() != 0 && (line != at.Range.Start.Line || column < at.Range.Start.Column) {
		if next := t.Next(); tsStarts(next, at) {
			return next
		}
	}
	return t
}

func tsStarts(t lexer.Token, at lsp.Location) bool {
	line, column := t.Position()
	return line == at.Range.Start.Line && column == at.Range.Start.Column
}

// tsAt is where a token of a file starts.
func tsAt(path string, t lexer.Token) lsp.Location {
	line, column := t.Position()
	return lsp.At(path, line, column)
}
