package typescript

import (
	"context"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// settled tells a variable that holds a function from others, and names what is assigned to a member as the text does: tsserver
// lists Foo.prototype.draw and Foo.draw alike, as draw or as Foo.draw, and often at the function that is assigned.
func settled(q *query.Query, s lsp.Symbol) lsp.Symbol {
	t := token(q, s.Location)
	if name := holder(t); name.Is(s.Name) {
		t, s.Location = name, placeOf(s.Location.Path, name)
	}
	if !t.Is(s.Name) {
		return s
	}
	owner := assigned(t)
	if len(owner) > 0 {
		s.Receiver = strings.Join(owner, ".")
	}
	switch s.Kind {
	case lsp.KindVariable, lsp.KindConstant, lsp.KindEnumMember:
		if len(owner) > 0 {
			s.Kind = lsp.KindVariable
		}
		if (len(owner) > 0 || declares(t)) && s.Kind == lsp.KindVariable && functional(value(t)) {
			s.Kind = lsp.KindFunction
		}
	}
	return s
}

// assigned returns what stands before a member that is assigned to, such as Foo and prototype; nil for a member of this.
func assigned(t lexer.Token) []string {
	if !t.Next().Is("=") {
		return nil
	}
	var owner []string
	for t.Prev().Is(".") && t.Prev().Prev().Kind() == lexer.Name {
		t = t.Prev().Prev()
		owner = append(owner, t.Text())
	}
	if t.Prev().Is(".") || t.Is("this") {
		return nil
	}
	slices.Reverse(owner)
	return owner
}

// scoped reports whether a name means a symbol if both leave prototypes out, and say exports for module.exports.
func scoped(_ *query.Query, s lsp.Symbol, name string) bool {
	short := func(name string) string {
		return "." + strings.TrimPrefix(strings.ReplaceAll(name, ".prototype.", "."), "module.")
	}
	return strings.HasSuffix(short(query.Dotted(s)), short(name))
}

// value returns the first token of what the name of a variable or member is given, behind its type; the zero Token if that
// is nothing.
func value(name lexer.Token) lexer.Token {
	if !name.Next().Is("=", ":", "?", "!") {
		return lexer.Token{}
	}
	for t, left := name.Next(), 200; t.Kind() != 0 && left > 0; t, left = t.Next(), left-1 {
		switch {
		case t.Is("=") || t == name.Next() && t.Is(":") && name.Outer().Is("{") && !holdsBody(name.Outer()) && !declares(name):
			return t.Next()
		case t.Is(";", ",", ")", "}", "]"), t.Outer() != name.Outer(), t.Line() > t.Prev().Line() && t.Statement() == t:
			return lexer.Token{}
		case t.Match().Kind() != 0 && t.Match().Start() > t.Start():
			t = t.Match()
		}
	}
	return lexer.Token{}
}

// functional reports whether an expression that begins with a token is a function.
func functional(t lexer.Token) bool {
	if t.Is("async") && t.Next().Line() == t.Line() {
		t = t.Next()
	}
	if end := t.Angles(); end.Kind() != 0 {
		t = end.Next()
	}
	switch {
	case t.Is("function"), t.Kind() == lexer.Name && t.Next().Is("=>"):
		return true
	case t.Is("(") && t.Match().Kind() != 0:
		return t.Match().Next().Is("=>", ":")
	}
	return false
}

// merged leaves out the own names of function expressions that are given to what has the same name: exports.f = function f() {}.
func merged(_ context.Context, q *query.Query, symbols []lsp.Symbol) ([]lsp.Symbol, error) {
	listed := map[query.Spot]bool{}
	for _, s := range symbols {
		listed[query.SpotOf(s.Location)] = true
	}
	return slices.DeleteFunc(symbols, func(s lsp.Symbol) bool {
		holder := holder(token(q, s.Location))
		return holder.Kind() != 0 && listed[query.SpotOf(placeOf(s.Location.Path, holder))]
	}), nil
}

// holder returns the name of the variable or member that a function is given to, of which t is the own name or the first token.
func holder(t lexer.Token) lexer.Token {
	before := t.Prev()
	if before.Is("*") {
		before = before.Prev()
	}
	if before.Is("function") {
		before = before.Prev()
	} else if !functional(t) {
		return lexer.Token{}
	}
	if before.Is("async") {
		before = before.Prev()
	}
	if name := before.Prev(); before.Is("=", ":") && name.Kind() == lexer.Name && value(name) == before.Next() {
		return name
	}
	return lexer.Token{}
}

// own returns the name of the function expression that a variable or member is given; the zero Token if it has none.
func own(holder lexer.Token) lexer.Token {
	t := value(holder)
	if t.Is("async") {
		t = t.Next()
	}
	if !t.Is("function") {
		return lexer.Token{}
	}
	if t = t.Next(); t.Is("*") {
		t = t.Next()
	}
	if t.Kind() == lexer.Name {
		return t
	}
	return lexer.Token{}
}

// related finds the calls of a function by its other name: that of the function expression, or of what that is given to.
func related(ctx context.Context, q *query.Query, symbol lsp.Symbol, _ []lsp.Location, found *query.CallSites) ([]lsp.Location, error) {
	t := token(q, symbol.Location)
	other := holder(t)
	if other.Kind() == 0 {
		other = own(t)
	}
	if other.Kind() == 0 || !t.Is(symbol.Name) {
		return nil, nil
	}
	references, err := q.View.References(ctx, placeOf(symbol.Location.Path, other), false)
	if err != nil {
		return nil, err
	}
	known := map[query.Spot]bool{query.SpotOf(symbol.Location): true, query.SpotOf(placeOf(symbol.Location.Path, other)): true}
	for _, s := range found.Sites {
		known[query.SpotOf(s.At)] = true
	}
	for _, at := range references {
		if known[query.SpotOf(at)] {
			continue
		}
		u, err := use(ctx, q, at)
		if err != nil {
			return nil, err
		}
		found.References++
		if u.Called || u.Taken {
			found.Sites = append(found.Sites, query.Site{At: at, Use: u, Via: u.Passed})
		}
	}
	slices.SortFunc(found.Sites, func(a, b query.Site) int { return query.CompareSpots(query.SpotOf(a.At), query.SpotOf(b.At)) })
	return nil, nil
}
