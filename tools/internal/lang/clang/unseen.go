package clang

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// unseen returns the function or method that is defined where a name stands, as its text tells; clangd lists none that #if leaves out.
func unseen(f *lexer.File, t lexer.Token) (lsp.Symbol, bool) {
	line, column := t.Position()
	if t = f.AsC().At(line, column); !declarator(t) || !bodyBehind(t).Is("{") {
		return lsp.Symbol{}, false
	}
	s := lsp.Symbol{Name: t.Text(), Kind: lsp.KindFunction, Language: "c", Location: lsp.At(f.Path, line, column)}
	var around []string
	qualified, _ := qualifiers(t)
	for _, q := range qualified {
		around = append(around, q.name)
	}
	if classes, _ := scopes(t); len(around) > 0 && (len(classes.names) > 0 || t.Prev().Is("::")) {
		last := len(around) - 1
		s.Kind, s.Receiver, around = lsp.KindMethod, around[last], around[:last]
	}
	s.Package = strings.Join(around, ".")
	return s, true
}

// maxMentions bounds the mentions of a function that clangd does not list.
const maxMentions = 200

// unresolved finds what may call a function that clangd does not list: all calls by its name, and what else mentions it between #if and
// #endif.
func unresolved(ctx context.Context, q *query.Query, symbol lsp.Symbol, _ []lsp.Location) ([]lsp.Location, error) {
	at := symbol.Location.Range.Start
	f, err := open(q.Lexed, symbol.Location.Path)
	if err != nil {
		return nil, err
	}
	if _, defined := unseen(f, f.At(at.Line, at.Column)); !defined { // a macro is not listed either
		return nil, nil
	}
	outline, err := q.Outline(ctx, symbol.Location.Path)
	if err != nil {
		return nil, err
	}
	if _, listed := declaredAt(outline, at); listed {
		return nil, nil
	}
	var all []lsp.Location
	for _, path := range q.View.WrittenIn(symbol.Language, symbol.Name) {
		f, err := open(q.Lexed, path)
		if err != nil {
			continue // gone since
		}
		for t := range f.Mentions(symbol.Name) {
			line, column := t.Position()
			at := lsp.At(path, line, column)
			if !t.Is(symbol.Name) || query.SpotOf(at) == query.SpotOf(symbol.Location) || !mayCall(t) {
				continue
			}
			if len(all) == maxMentions {
				q.Doubt(fmt.Sprintf("more than %d mentions of %s may be calls", maxMentions, symbol.Name))
				return all, nil
			}
			all = append(all, at)
		}
	}
	return all, nil
}

// mayCall reports whether a mention may be a call of a function, or a use of its value in what #if may leave out.
func mayCall(t lexer.Token) bool {
	switch u := useOf(t); {
	case directive(t) == "define":
		return !t.Prev().Is("define")
	case u.Called:
		return !declarator(t)
	default:
		return u.Taken && betweenIfs(t)
	}
}

// betweenIfs reports whether a token stands between #if and #endif.
func betweenIfs(t lexer.Token) bool {
	depth := 0
	for at := t.File().First(); at.Kind() != 0 && at.Start() < t.Start(); at = at.Next() {
		if at.Prev().Is("#") && at.Is("if", "ifdef", "ifndef") {
			depth++
		} else if at.Prev().Is("#") && at.Is("endif") {
			depth--
		}
	}
	return depth > 0
}
