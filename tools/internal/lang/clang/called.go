package clang

import (
	"context"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/internal/macro"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// called begins to say how the references to a function use it: behind parentheses, which look like a cast, and by macros, whose
// bodies are read.
func called(q *query.Query, symbol lsp.Symbol) func(context.Context, lsp.Location, query.Use) (query.Use, error) {
	q.Doubt(implicit(symbol))
	c := &caller{query: q, name: symbol.Name, macros: map[string][]macro.Macro{}}
	c.constructs = symbol.Receiver[strings.LastIndexByte(symbol.Receiver, '.')+1:] == symbol.Name
	return func(ctx context.Context, at lsp.Location, u query.Use) (query.Use, error) {
		f, err := open(q.Lexed, at.Path)
		if err != nil || !q.Within(at.Path) {
			return u, err
		}
		t := f.At(at.Range.Start.Line, at.Range.Start.Column)
		if t.Kind() != lexer.Name || directive(t) != "" {
			return u, nil
		}
		return c.use(t, u), nil
	}
}

// A caller says of the references to one function how they use it.
type caller struct {
	query      *query.Query
	name       string
	constructs bool                     // it is a constructor, whose name is that of a type
	macros     map[string][]macro.Macro // what was found of names
}

// use is what the function is used for where a token names it, or a macro that does.
func (c *caller) use(t lexer.Token, u query.Use) query.Use {
	if t.Is(c.name) && (u.Called || u.Kind == "declaration") {
		return u
	}
	first, meant := c.given(t)
	if len(meant) == 0 && !t.Is(c.name) {
		meant = c.defined(t.Text())
	}
	found := query.Use{}
	for _, m := range meant {
		if made := c.expanded(first, t, m); found.Kind == "" || made.Called {
			found = made
		}
	}
	if found.Kind == "" {
		return c.plain(t, u)
	}
	found.Test, found.Enclosing = u.Test, u.Enclosing
	return found
}

// plain corrects what the syntax around the name of a function says: (f)(1) is no cast, and F<f> has no type f. Where a value is
// converted, its name stands for the operator.
func (c *caller) plain(t lexer.Token, u query.Use) query.Use {
	switch {
	case u.Called || c.constructs || u.Kind != "value" && u.Kind != "cast" && u.Kind != "type":
	case calledBehind(t), strings.HasPrefix(c.name, "operator ") && !t.Is("operator"):
		u.Kind, u.Called, u.Taken, u.Passed = "call", true, false, ""
	default:
		u.Kind, u.Taken = "value", true
	}
	return u
}

// calledBehind reports whether parentheses, with nothing in them but a name, & and *, are what a call calls.
func calledBehind(t lexer.Token) bool {
	before, next := chainStart(t).Prev(), behind(t)
	for inner := false; ; inner = true {
		for before.Is("*", "&") {
			before = before.Prev()
		}
		if !before.Is("(") || before.Match() != next || heads(before.Prev()) || before.Prev().Is(")", "]") {
			return inner && next.Is("(")
		}
		before, next = before.Prev(), next.Next()
	}
}
