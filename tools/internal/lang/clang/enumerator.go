package clang

import (
	"context"
	"fmt"
	"slices"

	"tidepool/internal/lexer"
	"tidepool/internal/macro"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// beside lists what depends on a type by a second name that a typedef gives it, and the constants of an enum of which the server's
// list of declarations does not say that they are its own: those of an enum without a name of its own, and those that an included
// file makes.
func beside(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location, known []scout.Edge) ([]scout.Edge, error) {
	f, err := open(g.Lexed, l.Path)
	if err != nil {
		return nil, err
	}
	name := f.At(l.Range.Start.Line, l.Range.Start.Column)
	body := enumBody(name)
	edges, err := aliasUses(ctx, g, n, l, name)
	if err != nil {
		return nil, err
	}
	if body.Kind() == 0 || slices.ContainsFunc(known, func(e scout.Edge) bool { return e.Role == scout.RoleMember }) {
		return edges, nil
	}
	constants, err := enumerators(ctx, g, body)
	if err != nil {
		return nil, err
	}
	members, err := g.Members(ctx, n, constants)
	return append(edges, members...), err
}

// enumBody returns the brace that opens the body of an enum with the name, be it its own or the one that a typedef gives it; the
// zero Token for what is no enum with a body.
func enumBody(name lexer.Token) lexer.Token {
	body := name.Next()
	if name.Prev().Is("}") && defines(name) {
		body = name.Prev().Match()
	}
	word := body.Prev()
	if word.Kind() == lexer.Name {
		word = word.Prev()
	}
	if word.Is("class", "struct") {
		word = word.Prev()
	}
	if body.Is("{") && word.Is("enum") {
		return body
	}
	return lexer.Token{}
}

// defines reports whether the statement that a name of a type stands in is a typedef.
func defines(name lexer.Token) bool {
	if name.Prev().Is("}") {
		name = name.Prev().Match()
	}
	return name.Statement().Is("typedef")
}

// aliasUses lists the uses of a type by the same name that a typedef gives it.
func aliasUses(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location, name lexer.Token) ([]scout.Edge, error) {
	if !name.Prev().Is("struct", "union", "enum") {
		return nil, nil
	}
	symbols, err := g.View.Symbols(ctx, name.Text())
	if err != nil {
		return nil, fmt.Errorf("looking up %s: %w", name.Text(), err)
	}
	is := func(at query.Spot) bool { return at == query.SpotOf(l) }
	for _, s := range symbols {
		if of, ok := tagged(ctx, &g.Query, s, is); is(query.SpotOf(s.Location)) || !ok || !is(of) {
			continue
		}
		references, err := g.References(ctx, n.Name, s.Location)
		if err != nil {
			return nil, err
		}
		return g.Uses(ctx, n, lsp.KindType, references, func(u query.Use, at lsp.Location, role scout.Role) []scout.Trait {
			return traits(g, u, at, role)
		})
	}
	return nil, nil
}

// enumerators returns the constants in the body of an enum: those that stand there, and those that an included file makes.
func enumerators(ctx context.Context, g *graph.Graph, body lexer.Token) ([]lsp.Symbol, error) {
	var all []lsp.Symbol
	for t := body.Next(); t.Kind() != 0 && t != body.Match(); t = t.Next() {
		switch {
		case t.Is("include") && t.Prev().Is("#"):
			made, err := includedEnumerators(ctx, g, t)
			if err != nil {
				return nil, err
			}
			all = append(all, made...)
		case t.Kind() == lexer.Name && t.Outer() == body && directive(t) == "" && t.Next().Is(",", "=", "}"):
			line, column := t.Position()
			all = append(all, lsp.Symbol{
				Name: t.Text(), Kind: lsp.KindEnumMember, Language: "c", Location: lsp.At(t.File().Path, line, column),
			})
		}
	}
	return all, nil
}

// includedEnumerators returns the constants that an included file makes of a macro which the including file defines, as
//
//	#define TOKEN(name) TOK_##name,
//	#include "token.def"
func includedEnumerators(ctx context.Context, g *graph.Graph, include lexer.Token) ([]lsp.Symbol, error) {
	line, column := include.Next().Position()
	found, err := g.View.Definition(ctx, lsp.At(include.File().Path, line, column+1))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	f, err := open(g.Lexed, found[0].Path)
	if err != nil {
		return nil, err
	}
	var all []lsp.Symbol
	for _, t := range f.Tokens() {
		if t.Kind() != lexer.Name || !t.Next().Is("(") || t.Outer().Kind() != 0 || directive(t) != "" {
			continue
		}
		name := enumeratorOf(macroBefore(include, t.Text()), t)
		if name == "" {
			g.Doubt(fmt.Sprintf("%s:%d may make a constant that is not known", g.Relative(f.Path), t.Line()))
			continue
		}
		symbols, err := g.View.Symbols(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("looking up %s: %w", name, err)
		}
		for _, s := range symbols {
			if s.Name == name && s.Kind == lsp.KindEnumMember && s.Location.Path == f.Path && s.Location.Range.Start.Line == t.Line() {
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// macroBefore returns the name in the last #define of a macro before a directive; the zero Token if its file has none.
func macroBefore(at lexer.Token, name string) lexer.Token {
	for t := at; t.Kind() != 0; t = t.Prev() {
		if t.Is(name) && t.Prev().Is("define") && directive(t) == "define" {
			return t
		}
	}
	return lexer.Token{}
}

// enumeratorOf returns the constant that a macro, whose name in its #define is a token, makes of what a use gives it; "" if it makes
// something else.
func enumeratorOf(definition, use lexer.Token) string {
	m, ok := macro.Defined(definition)
	if !ok || !m.Function {
		return ""
	}
	made, whole := macro.Expand(macro.Tokens(use, use.Next().Match()), func(name string) (macro.Macro, bool) { return m, name == m.Name })
	if !whole || len(made) == 0 || len(made) > 1 && made[1].Text != "," && made[1].Text != "=" {
		return ""
	}
	if lexer.Parse("a.c", []byte(made[0].Text)).First().Kind() != lexer.Name {
		return ""
	}
	return made[0].Text
}
