package typescript

import (
	"context"
	"fmt"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A typeDecl is the declaration of a type.
type typeDecl struct {
	path  string
	file  *lexer.File
	name  lexer.Token
	word  string        // class, interface, enum, type
	body  lexer.Token   // the brace of members; zero for a type that is no object
	value span          // of "type": what stands behind =
	bases []lexer.Token // the names that it extends
	all   []lexer.Token // bases, and the names that it implements
}

// typeAt returns the type that is declared at a place; false if none is.
func typeAt(q *query.Query, at lsp.Location) (typeDecl, bool) {
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return typeDecl{}, false
	}
	return typeNamed(f, at.Path, tokenIn(f, at))
}

// typeNamed reads the type that a name declares.
func typeNamed(f *lexer.File, path string, name lexer.Token) (typeDecl, bool) {
	t := typeDecl{path: path, file: f, name: name}
	t.word = t.name.Prev().Text()
	switch t.word {
	case "class", "interface":
		t.heritage()
	case "enum":
		t.body = t.name.Next()
	case "type":
		t.alias()
	default:
		return t, false
	}
	return t, true
}

func (t typeDecl) at() lsp.Location { return placeOf(t.path, t.name) }

// heritage reads what stands between name and body.
func (t *typeDecl) heritage() {
	next, extends := t.name.Next(), false
	for next.Kind() != 0 {
		switch {
		case next.Is("{"):
			t.body = next
			return
		case next.Is("extends", "implements"):
			extends = next.Is("extends")
		case next.Angles().Kind() != 0:
			next = next.Angles()
		case next.Is("("): // a mixin: what it makes is not declared anywhere
			next = next.Match()
		case next.Kind() == lexer.Name && !next.Next().Is(".", "("):
			t.all = append(t.all, next)
			if extends {
				t.bases = append(t.bases, next)
			}
		}
		next = next.Next()
	}
}

// alias reads what a type stands for.
func (t *typeDecl) alias() {
	next := t.name.Next()
	if end := next.Angles(); end.Kind() != 0 {
		next = end.Next()
	}
	first := next.Next()
	t.value = span{first, endOf(first, lexer.Token{})}
	if first.Is("{") && first.Match() == t.value.last && !mapped(first) {
		t.body = first
	}
}

// mapped reports whether a brace begins a mapped type: { [K in T]: … }.
func mapped(brace lexer.Token) bool {
	next := brace.Next()
	for next.Is("readonly", "+", "-") {
		next = next.Next()
	}
	return next.Is("[") && next.Next().Next().Is("in")
}

// statement returns the whole declaration.
func (t typeDecl) statement() span {
	first := t.name.Statement()
	if t.word == "type" {
		return span{first, t.value.last}
	}
	return span{first, t.body.Match()}
}

// raw returns the declaration as written.
func (t typeDecl) raw() string {
	s := t.statement()
	if !s.is() || s.last.Kind() == 0 {
		return t.file.Line(t.name.Line())
	}
	return t.file.Text(s.first.Start(), s.last.End())
}

func (t typeDecl) doc() string { return doc(t.name.Statement()) }

// kind returns what the type is.
func (t typeDecl) kind() string {
	first := t.value.first
	switch {
	case t.word == "class" && t.name.Prev().Prev().Is("abstract"):
		return "abstract class"
	case t.word == "enum" && t.name.Prev().Prev().Is("const"):
		return "const enum"
	case t.word != "type":
		return t.word
	case t.body.Kind() != 0:
		return "object type"
	case len(t.parts("|")) > 1:
		return "union"
	case len(t.parts("&")) > 1:
		return "intersection"
	case t.has("?"):
		return "conditional type"
	case first.Is("{"):
		return "mapped type"
	case t.has("=>"):
		return "function type"
	case first.Is("[") || first.Is("readonly") && first.Next().Is("["):
		return "tuple"
	}
	return "alias"
}

// parts returns what the type joins by a sign, "|" or "&", outside of all brackets.
func (t typeDecl) parts(sign string) []span {
	if t.has("?") || t.has("=>") {
		return nil // they bind less than the sign
	}
	return split(t.value, sign)
}

// split cuts a type at a sign outside of brackets.
func split(whole span, sign string) []span {
	var all []span
	part := span{}
	each(whole, func(first, last lexer.Token) {
		switch {
		case first.Is(sign):
			if part.is() {
				all = append(all, part)
			}
			part = span{}
		case !part.is():
			part = span{first, last}
		default:
			part.last = last
		}
	})
	if part.is() {
		all = append(all, part)
	}
	return all
}

// has reports whether a sign stands outside of all brackets.
func (t typeDecl) has(sign string) bool {
	found := false
	each(t.value, func(first, _ lexer.Token) { found = found || first.Is(sign) })
	return found
}

// each calls visit for each token of a span, and for brackets with all that is in them once.
func each(s span, visit func(first, last lexer.Token)) {
	for t := s.first; t.Kind() != 0 && t.Start() <= s.last.Start(); t = t.Next() {
		first, last := t, t
		if end := t.Match(); end.Kind() != 0 && end.Start() > t.Start() {
			last = end
		} else if end := t.Angles(); end.Kind() != 0 {
			last = end
		}
		visit(first, last)
		t = last
	}
}

// lastName returns the last name of a type that is a name, with arguments perhaps: the C of a.b.C<D>.
func lastName(s span) lexer.Token {
	var name lexer.Token
	simple := true
	each(s, func(first, _ lexer.Token) {
		switch {
		case first.Kind() == lexer.Name:
			name = first
		case first.Is(".", "<"):
		default:
			simple = false
		}
	})
	if !simple {
		return lexer.Token{}
	}
	return name
}

// target returns the type that a name in a file means; false if it is declared in a way of its own, or nowhere.
func target(ctx context.Context, q *query.Query, path string, name lexer.Token) (typeDecl, bool, error) {
	found, err := q.View.Definition(ctx, placeOf(path, name))
	if err != nil {
		return typeDecl{}, false, fmt.Errorf("following a type in %s: %w", path, err)
	}
	for _, at := range found { // of a class its constructor comes as well
		if t, ok := typeAt(q, at); ok {
			return t, true, nil
		}
	}
	return typeDecl{}, false, nil
}

// typeMeant finds the type that a symbol is the name of, and the one that this stands for.
func typeMeant(ctx context.Context, q *query.Query, symbol lsp.Symbol) (asked, t typeDecl, h query.Head, err error) {
	asked, ok := typeAt(q, symbol.Location)
	if !ok {
		return asked, t, h, query.Undeclared(symbol)
	}
	t, steps, err := follow(ctx, q, asked)
	return asked, t, query.Head{Path: asked.path, Line: asked.name.Line(), Kind: t.kind(), Doc: asked.doc(), Raw: t.raw(), Followed: steps}, err
}

// follow goes from an alias of another type's name to the type that has a form of its own, and says how it went.
func follow(ctx context.Context, q *query.Query, t typeDecl) (typeDecl, []string, error) {
	steps := []string{}
	for range query.MaxFollowed {
		name := lastName(t.value)
		if t.word != "type" || name.Kind() == 0 {
			break
		}
		next, ok, err := target(ctx, q, t.path, name)
		if err != nil || !ok {
			return t, steps, err
		}
		steps = append(steps, fmt.Sprintf("type %s = %s, see %s:%d", t.name.Text(), t.value.in(t.file), q.Relative(next.path), next.name.Line()))
		t = next
	}
	return t, steps, nil
}

// owner returns the name of the type whose members a brace holds, and the word that declares it; "" if it holds none.
func owner(brace lexer.Token) (name, word string) {
	if before := brace.Prev(); before.Is("=") && before.Prev().Kind() == lexer.Name && before.Prev().Prev().Is("type") {
		return before.Prev().Text(), "type"
	}
	if !holdsBody(brace) {
		return "", ""
	}
	for t := brace.Prev(); t.Kind() != 0; t = t.Prev() {
		if t.Is("class", "interface", "enum") {
			return t.Next().Text(), t.Text()
		}
	}
	return "", ""
}

// declaredAbove reports whether the member declared at a place belongs to a type that the one of method extends or implements.
func declaredAbove(ctx context.Context, q *query.Query, method lsp.Symbol, at lsp.Location) (bool, error) {
	above := token(q, at).Outer()
	return reaches(ctx, q, method.Location.Path, token(q, method.Location).Outer(), at.Path, above, query.MaxFollowed)
}

// reaches looks for the type of a brace among those above the type of another one.
func reaches(ctx context.Context, q *query.Query, path string, from lexer.Token, toPath string, to lexer.Token, depth int) (bool, error) {
	if depth == 0 || !holdsBody(from) {
		return false, nil
	}
	for word := from.Prev(); word.Kind() != 0; word = word.Prev() {
		if !word.Is("class", "interface") {
			continue
		}
		t, ok := typeAt(q, placeOf(path, word.Next()))
		if !ok {
			return false, nil
		}
		for _, name := range t.all {
			next, ok, err := target(ctx, q, path, name)
			if err != nil {
				return false, err
			}
			if !ok {
				continue
			}
			if next.path == toPath && next.body == to {
				return true, nil
			}
			if found, err := reaches(ctx, q, next.path, next.body, toPath, to, depth-1); found || err != nil {
				return found, err
			}
		}
		return false, nil
	}
	return false, nil
}

// overload reports whether two places of one file are declarations of one function or method.
func overload(q *query.Query, a, b lsp.Location) bool {
	one, other := token(q, a), token(q, b)
	return one.Text() == other.Text() && one.Outer() == other.Outer()
}
