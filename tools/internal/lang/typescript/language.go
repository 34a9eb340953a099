package typescript

import (
	"context"
	"path/filepath"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// Language returns what the tools know of TypeScript and JavaScript. Which declaration a name means the server says,
// how it is used the tokens around it.
func Language() graph.Language {
	return graph.Language{
		Language: query.Language{
			Use: use, Outlined: true, Runs: runs, Abstract: abstract, Related: related, Promoted: promoted,
			Fields: fields, Constructors: constructors,
			Naming: query.Naming{
				Made:  []lsp.Kind{lsp.KindClass},
				Named: named, Settled: settled, Scoped: scoped, Merged: merged, Unlisted: true,
			},
			Reading:    query.Reading{Declared: declared, Overloaded: overloaded, Inside: inside, Test: test},
			Explaining: query.Explaining{Signature: inferred, Functional: true},
		},
		Edges: edgesFrom, Used: graph.Called, Check: check, Written: written,
		Hidden:  []scout.Role{scout.RoleTable}, // whose keys are of a union of texts, not all of them
		Without: []scout.Role{scout.RoleEmbedding, scout.RolePromotion, scout.RoleStringMethod, scout.RoleExample},
		Traits: []scout.TraitName{
			scout.TraitKeyed, scout.TraitText, scout.TraitPropagates, scout.TraitHandles, scout.TraitDrops, scout.TraitGenerated,
			scout.TraitTest,
		},
	}
}

// inferred returns the server's for a function, with the types that it has inferred, and no more.
func inferred(s lsp.Symbol, head, shown string) string {
	if query.Callable(s.Kind) && shown != "" {
		return shown
	}
	return head
}

// test reports whether only tests use a file, by the names that test runners look for.
func test(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return strings.HasSuffix(name, ".test") || strings.HasSuffix(name, ".spec") ||
		strings.Contains(filepath.ToSlash(path), "/__tests__/")
}

// named leaves out functions without a name, of which the server writes `describe("x") callback`, but not what is
// declared in them.
func named(s lsp.DocumentSymbol) (name string, container bool) {
	if strings.ContainsAny(s.Name, "( <") {
		return "", true
	}
	switch s.Kind {
	case lsp.KindFunction, lsp.KindMethod, lsp.KindConstructor:
		return s.Name, false
	}
	return s.Name, true
}

// declared lists what a file declares, with type aliases told from variables.
func declared(ctx context.Context, q *query.Query, path string) ([]lsp.Symbol, error) {
	symbols, err := q.Outline(ctx, path)
	if err != nil {
		return nil, err
	}
	all := query.Flattened(path, "typescript", query.Naming{Named: named}, symbols)
	for i, s := range all {
		all[i].Kind = kindOf(q, s)
		all[i] = settled(q, all[i])
	}
	return all, nil
}

// overloaded reports whether a declaration is a signature of the function or method that comes next: nothing may stand
// between overloads.
func overloaded(s, next lsp.Symbol) bool {
	callable := s.Kind == lsp.KindFunction || s.Kind == lsp.KindMethod || s.Kind == lsp.KindConstructor
	return callable && s.Kind == next.Kind && s.Name == next.Name && s.Receiver == next.Receiver
}

// kindOf corrects the kind that an outline gives.
func kindOf(q *query.Query, s lsp.Symbol) lsp.Kind {
	t := token(q, s.Location)
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

// token returns the token at a place, the zero Token if the file cannot be read.
func token(q *query.Query, at lsp.Location) lexer.Token {
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return lexer.Token{}
	}
	return tokenIn(f, at)
}

func tokenIn(f *lexer.File, at lsp.Location) lexer.Token {
	t := f.At(at.Range.Start.Line, at.Range.Start.Column)
	// Between two tokens the one that ends there comes; the place is that of the one that starts.
	if line, column := t.Position(); t.Kind() != 0 && (line != at.Range.Start.Line || column < at.Range.Start.Column) {
		if next := t.Next(); starts(next, at) {
			return next
		}
	}
	return t
}

func starts(t lexer.Token, at lsp.Location) bool {
	line, column := t.Position()
	return line == at.Range.Start.Line && column == at.Range.Start.Column
}

// placeOf returns where a token of a file starts.
func placeOf(path string, t lexer.Token) lsp.Location {
	line, column := t.Position()
	return lsp.At(path, line, column)
}
