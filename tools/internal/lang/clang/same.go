package clang

import (
	"context"
	"path/filepath"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// merged leaves out the symbols that declare again what another one of the list declares: the name of `typedef struct box {…} box`,
// and prototypes beside the definition.
func merged(ctx context.Context, q *query.Query, symbols []lsp.Symbol) ([]lsp.Symbol, error) {
	tags := map[query.Spot]bool{}
	for _, s := range symbols {
		tags[query.SpotOf(s.Location)] = true
	}
	var left []lsp.Symbol
	for _, s := range symbols {
		if of, ok := tagged(ctx, q, s, func(at query.Spot) bool { return tags[at] }); !ok || !tags[of] {
			left = append(left, s)
		}
	}
	return definitions(ctx, q, left)
}

// tagged returns where the type is declared to which a typedef gives its own name again; known says of a place that it is one.
func tagged(ctx context.Context, q *query.Query, s lsp.Symbol, known func(query.Spot) bool) (query.Spot, bool) {
	tag, ok := tagOf(q, s)
	if ok && !known(query.SpotOf(tag)) { // typedef struct box box;
		if found, err := q.View.Definition(ctx, tag); err == nil && len(found) > 0 {
			tag = found[0]
		}
	}
	return query.SpotOf(tag), ok
}

// tagOf returns where the structure, union or enum is declared whose own name a typedef gives it again.
func tagOf(q *query.Query, s lsp.Symbol) (lsp.Location, bool) {
	f, err := open(q.Lexed, s.Location.Path)
	if err != nil || !query.IsType(s.Kind) {
		return lsp.Location{}, false
	}
	tag := tag(f.At(s.Location.Range.Start.Line, s.Location.Range.Start.Column))
	if !tag.Is(s.Name) {
		return lsp.Location{}, false
	}
	line, column := tag.Position()
	return lsp.At(f.Path, line, column), true
}

// tag returns the name behind the word struct, union or enum in the typedef whose new name a token is; the zero Token if there
// is none, and for a typedef of a pointer or an array.
func tag(alias lexer.Token) lexer.Token {
	if !alias.Next().Is(";", ",") || !defines(alias) {
		return lexer.Token{}
	}
	name := alias.Prev()
	if name.Is("}") {
		name = name.Match().Prev()
	}
	if name.Kind() == lexer.Name && name.Prev().Is("struct", "union", "enum") {
		return name
	}
	return lexer.Token{}
}

// maxMerged bounds the functions of one name that the server is asked about.
const maxMerged = 16

// definitions keeps one of the symbols that declare the same function: the one with its body, or else the first.
func definitions(ctx context.Context, q *query.Query, symbols []lsp.Symbol) ([]lsp.Symbol, error) {
	if len(symbols) < 2 || len(symbols) > maxMerged {
		return symbols, nil
	}
	var kept []lsp.Symbol
	of := map[query.Spot]int{} // which of kept declares what is declared or defined at a place
	for _, s := range symbols {
		at := query.SpotOf(s.Location)
		same, err := definition(ctx, q, s)
		if err != nil {
			return nil, err
		}
		i, known := of[same]
		if !known {
			i, known = of[at]
		}
		switch {
		case !known:
			i, kept = len(kept), append(kept, s)
		case defined(q, s) && !defined(q, kept[i]):
			kept[i] = s
		}
		of[same], of[at] = i, i
	}
	return kept, nil
}

// definition returns a place that the declarations of one function have in common. Asked at a prototype clangd names the
// definition, and asked at that the prototype. In a file of C one name is one function.
func definition(ctx context.Context, q *query.Query, s lsp.Symbol) (query.Spot, error) {
	at := query.SpotOf(s.Location)
	if !query.Callable(s.Kind) {
		return at, nil
	}
	if filepath.Ext(at.Path) == ".c" {
		return query.Spot{Path: at.Path, Line: -1}, nil
	}
	found, err := q.View.Definition(ctx, s.Location)
	if err != nil && !lsp.Unanswered(err) && !q.Within(at.Path) {
		return at, nil // clangd says "invalid AST" of a header of the system, such as a .tcc, that it cannot compile by itself
	}
	if err != nil || len(found) != 1 {
		return at, err
	}
	return query.SpotOf(found[0]), nil
}

// defined reports whether a function has a body where it is declared.
func defined(q *query.Query, s lsp.Symbol) bool {
	f, err := open(q.Lexed, s.Location.Path)
	if err != nil {
		return false
	}
	for t := f.At(s.Location.Range.Start.Line, s.Location.Range.Start.Column).Next(); t.Kind() != 0 && !t.Is(";"); t = t.Next() {
		if t.Is("{") {
			return true
		}
		if t.Is("(") && t.Match().Kind() != 0 {
			t = t.Match()
		}
	}
	return false
}
