package tools

import (
	"context"
	"fmt"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
)

// A tsType is the declaration of a type.
type tsType struct {
	path  string
	file  *lexer.File
	name  lexer.Token
	word  string        // class, interface, enum, type
	body  lexer.Token   // the brace of members; zero for a type that is no object
	value tsSpan        // of "type": what stands behind =
	bases []lexer.Token // the names that it extends
	all   []lexer.Token // bases, and the names that it implements
}

// tsTypeAt returns the type that is declared at a place; false if none is.
func tsTypeAt(q *Inquiry, at lsp.Location) (tsType, bool) {
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return tsType{}, false
	}
	return tsTypeNamed(f, at.Path, tsTokenIn(f, at))
}

// tsTypeNamed reads the type that a name declares.
func tsTypeNamed(f *lexer.File, path string, name lexer.Token) (tsType, bool) {
	t := tsType{path: path, file: f, name: name}
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

func (t tsType) at() lsp.Location { return tsAt(t.path, t.name) }

// heritage reads what stands between name and body.
func (t *tsType) heritage() {
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
func (t *tsType) alias() {
	next := t.name.Next()
	if end := next.Angles(); end.Kind() != 0 {
		next = end.Next()
	}
	first := next.Next()
	t.value = tsSpan{first, tsEnd(first, lexer.Token{})}
	if first.Is("{") && first.Match() == t.value.last && !tsMapped(first) {
		t.body = first
	}
}

// tsMapped says whether a brace begins a mapped type: { [K in T]: … }.
func tsMapped(brace lexer.Token) bool {
	next := brace.Next()
	for next.Is("readonly", "+", "-") {
		next = next.Next()
	}
	return next.Is("[") && next.Next().Next().Is("in")
}

// statement is the whole declaration.
func (t tsType) statement() tsSpan {
	first := t.name.Statement()
	if t.word == "type" {
		return tsSpan{first, t.value.last}
	}
	return tsSpan{first, t.body.Match()}
}

// raw is the declaration as written.
func (t tsType) raw() string {
	s := t.statement()
	if !s.is() || s.last.Kind() == 0 {
		return t.file.Line(t.name.Line())
	}
	return t.file.Text(s.first.Start(), s.last.End())
}

func (t tsType) doc() string { return tsDoc(t.name.Statement()) }

// kind says what the type is.
func (t tsType) kind() string {
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

// parts are what the type joins by a sign, "|" or "&", outside of all brackets.
func (t tsType) parts(sign string) []tsSpan {
	if t.has("?") || t.has("=>") {
		return nil // they bind less than the sign
	}
	return tsSplit(t.value, sign)
}

// tsSplit cuts a type at a sign outside of brackets.
func tsSplit(whole tsSpan, sign string) []tsSpan {
	var all []tsSpan
	part := tsSpan{}
	tsEach(whole, func(first, last lexer.Token) {
		switch {
		case first.Is(sign):
			if part.is() {
				all = append(all, part)
			}
			part = tsSpan{}
		case !part.is():
			part = tsSpan{first, last}
		default:
			part.last = last
		}
	})
	if part.is() {
		all = append(all, part)
	}
	return all
}

// has says whether a sign stands outside of all brackets.
func (t tsType) has(sign string) bool {
	found := false
	tsEach(t.value, func(first, _ lexer.Token) { found = found || first.Is(sign) })
	return found
}

// tsEach calls visit for each token of a span, and for brackets with all that is in them once.
func tsEach(s tsSpan, visit func(first, last lexer.Token)) {
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

// tsName is the last name of a type that is a name, with arguments perhaps: the C of a.b.C<D>.
func tsName(s tsSpan) lexer.Token {
	var name lexer.Token
	simple := true
	tsEach(s, func(first, _ lexer.Token) {
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

// tsTarget returns the type that a name in a file means; false if it is declared in a way of its own, or nowhere.
func tsTarget(ctx context.Context, q *Inquiry, path string, name lexer.Token) (tsType, bool, error) {
	found, err := q.View.Definition(ctx, tsAt(path, name))
	if err != nil {
		return tsType{}, false, fmt.Errorf("following a type in %s: %w", path, err)
	}
	for _, at := range found { // of a class its constructor comes as well
		if t, ok := tsTypeAt(q, at); ok {
			return t, true, nil
		}
	}
	return tsType{}, false, nil
}

// tsTypeMeant finds the type that a symbol is the name of, and the one that this stands for.
func tsTypeMeant(ctx context.Context, q *Inquiry, symbol lsp.Symbol) (asked, t tsType, h code.Head, err error) {
	asked, ok := tsTypeAt(q, symbol.Location)
	if !ok {
		return asked, t, h, Undeclared(symbol)
	}
	t, steps, err := tsFollow(ctx, q, asked)
	return asked, t, code.Head{Path: asked.path, Line: asked.name.Line(), Kind: t.kind(), Doc: asked.doc(), Raw: t.raw(), Followed: steps}, err
}

// tsFollow goes from an alias of another type's name to the type that has a form of its own, and says how it went.
func tsFollow(ctx context.Context, q *Inquiry, t tsType) (tsType, []string, error) {
	steps := []string{}
	for range MaxFollowed {
		name := tsName(t.value)
		if t.word != "type" || name.Kind() == 0 {
			break
		}
		next, ok, err := tsTarget(ctx, q, t.path, name)
		if err != nil || !ok {
			return t, steps, err
		}
		steps = append(steps, fmt.Sprintf("type %s = %s, see %s:%d", t.name.Text(), t.value.in(t.file), q.Relative(next.path), next.name.Line()))
		t = next
	}
	return t, steps, nil
}

// tsOwner is the name of the type whose members a brace holds, and the word that declares it; "" if it holds none.
func tsOwner(brace lexer.Token) (name, word string) {
	if before := brace.Prev(); before.Is("=") && before.Prev().Kind() == lexer.Name && before.Prev().Prev().Is("type") {
		return before.Prev().Text(), "type"
	}
	if !tsBody(brace) {
		return "", ""
	}
	for t := brace.Prev(); t.Kind() != 0; t = t.Prev() {
		if t.Is("class", "interface", "enum") {
			return t.Next().Text(), t.Text()
		}
	}
	return "", ""
}

// tsAbove says whether the member declared at a place belongs to a type that the one of method extends or implements.
func tsAbove(ctx context.Context, q *Inquiry, method lsp.Symbol, at lsp.Location) (bool, error) {
	above := tsToken(q, at).Outer()
	return tsReaches(ctx, q, method.Location.Path, tsToken(q, method.Location).Outer(), at.Path, above, MaxFollowed)
}

// tsReaches looks for the type of a brace among those above the type of another one.
func tsReaches(ctx context.Context, q *Inquiry, path string, from lexer.Token, toPath string, to lexer.Token, depth int) (bool, error) {
	if depth == 0 || !tsBody(from) {
		return false, nil
	}
	for word := from.Prev(); word.Kind() != 0; word = word.Prev() {
		if !word.Is("class", "interface") {
			continue
		}
		t, ok := tsTypeAt(q, tsAt(path, word.Next()))
		if !ok {
			return false, nil
		}
		for _, name := range t.all {
			next, ok, err := tsTarget(ctx, q, path, name)
			if err != nil {
				return false, err
			}
			if !ok {
				continue
			}
			if next.path == toPath && next.body == to {
				return true, nil
			}
			if found, err := tsReaches(ctx, q, next.path, next.body, toPath, to, depth-1); found || err != nil {
				return found, err
			}
		}
		return false, nil
	}
	return false, nil
}

// tsOverload says whether two places of one file are declarations of one function or method.
func tsOverload(q *Inquiry, a, b lsp.Location) bool {
	one, other := tsToken(q, a), tsToken(q, b)
	return one.Text() == other.Text() && one.Outer() == other.Outer()
}
