package typescript

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// fields lists the members of a class, interface or object type, with what it inherits; of a union or intersection
// those of its parts; of other types it says what they are.
func fields(ctx context.Context, q *query.Query, symbol lsp.Symbol, out *query.Record) error {
	asked, t, h, err := typeMeant(ctx, q, symbol)
	if err != nil {
		return err
	}
	out.Head = h
	list := listing{q: q, out: out, taken: map[string]bool{}, seen: map[query.Spot]bool{}}
	switch out.Kind {
	case "class", "abstract class", "interface", "object type", "intersection":
		out.IsRecord = true
		return list.add(ctx, t, "")
	case "union":
		out.Problem = unionText(ctx, q, asked.name.Text(), t)
		return list.union(ctx, t)
	case "enum", "const enum":
		out.Problem = fmt.Sprintf("%s is an enum with %s; show_constructors lists them", asked.name.Text(), wording.Count(len(membersIn(t.file, t.body)), "member"))
	default:
		out.Problem = fmt.Sprintf("%s is %s: %s", asked.name.Text(), withArticle(out.Kind), excerpt.Clip(t.value.in(t.file)))
	}
	return nil
}

func withArticle(kind string) string {
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// A listing collects the members of a type: a name hides the same name of the types above.
type listing struct {
	q     *query.Query
	out   *query.Record
	taken map[string]bool
	seen  map[query.Spot]bool
}

// add takes the members of t, reached by the names in from, and of the types that it extends.
func (l *listing) add(ctx context.Context, t typeDecl, from string) error {
	if l.seen[query.SpotOf(t.at())] || strings.Count(from, ".") >= query.MaxFollowed {
		return nil
	}
	l.seen[query.SpotOf(t.at())] = true
	if t.body.Kind() != 0 {
		if err := l.members(ctx, t, membersIn(t.file, t.body), from); err != nil {
			return err
		}
	}
	if err := l.merged(ctx, t, from); err != nil {
		return err
	}
	for _, name := range t.bases {
		if err := l.follow(ctx, t, name, from); err != nil {
			return err
		}
	}
	if t.word == "type" {
		for _, part := range t.parts("&") {
			if err := l.part(ctx, t, part, from); err != nil {
				return err
			}
		}
	}
	return nil
}

// merged takes what other declarations of an interface add to it.
func (l *listing) merged(ctx context.Context, t typeDecl, from string) error {
	if t.word != "interface" {
		return nil
	}
	all, err := l.q.View.Definition(ctx, t.at())
	if err != nil {
		return fmt.Errorf("looking for other declarations of %s: %w", t.name.Text(), err)
	}
	for _, at := range all {
		if other, ok := typeAt(l.q, at); ok && other.word == "interface" {
			if err := l.add(ctx, other, from); err != nil {
				return err
			}
		}
	}
	return nil
}

// part takes the members of one part of a union or intersection.
func (l *listing) part(ctx context.Context, t typeDecl, part span, from string) error {
	if part.first.Is("{") && !mapped(part.first) {
		return l.members(ctx, t, membersIn(t.file, part.first), from)
	}
	if name := lastName(part); name.Kind() != 0 {
		return l.follow(ctx, t, name, from)
	}
	return nil
}

func (l *listing) follow(ctx context.Context, t typeDecl, name lexer.Token, from string) error {
	next, ok, err := target(ctx, l.q, t.path, name)
	if err != nil || !ok {
		return err
	}
	if next, _, err = follow(ctx, l.q, next); err != nil {
		return err
	}
	return l.add(ctx, next, query.Joined(from, name.Text()))
}

// union lists the members of each part on their own.
func (l *listing) union(ctx context.Context, t typeDecl) error {
	for i, part := range t.parts("|") {
		l.taken = map[string]bool{}
		from := ""
		if part.first.Is("{") {
			from = fmt.Sprintf("{%d}", i+1)
		}
		if err := l.part(ctx, t, part, from); err != nil {
			return err
		}
	}
	return nil
}

// members takes what a type declares itself.
func (l *listing) members(ctx context.Context, t typeDecl, members []member, from string) error {
	own := map[string]bool{}
	for _, m := range members {
		switch {
		case m.label == "static" && m.name.Kind() == 0:
		case m.label == "constructor" && m.method() && t.word == "class":
			for _, p := range params(t.file, m.params) {
				if p.property() {
					l.field(t, p.member, p.name, from, own)
				}
			}
		case m.method():
			l.method(t, m, from, own)
		default:
			l.field(t, m, m.name, from, own)
		}
	}
	if script(t.path) && t.word == "class" {
		if err := l.assigned(ctx, t, from, own); err != nil {
			return err
		}
	}
	for name := range own {
		l.taken[name] = true
	}
	return nil
}

func (l *listing) field(t typeDecl, m member, name lexer.Token, from string, own map[string]bool) {
	if l.taken[m.label] || own[m.label] { // hidden, or the setter of a getter
		return
	}
	own[m.label] = true
	line := name.Line()
	if line == 0 {
		line = m.typ.first.Line()
	}
	computed := m.has("get") || m.has("set")
	typ := m.typ.in(t.file)
	if typ == "" && m.value.is() {
		typ = "= " + excerpt.Clip(m.value.in(t.file))
	}
	if m.has("set") && typ == "" {
		typ = firstParam(t.file, m.params)
	}
	l.out.Fields = append(l.out.Fields, query.Field{
		Name: m.label, Type: typ, Strict: !computed, Tag: strings.Join(m.modifiers, " "), Doc: m.doc,
		PromotedFrom: from, File: t.path, Line: line,
	})
}

func firstParam(f *lexer.File, open lexer.Token) string {
	if params := params(f, open); len(params) > 0 {
		return params[0].typ.in(f)
	}
	return ""
}

// method takes a method: those of interfaces are what they ask for, those of classes what the type can do.
func (l *listing) method(t typeDecl, m member, from string, own map[string]bool) {
	if l.taken[m.label] || m.body && own[m.label+"()"] { // hidden, or the body of what was overloaded
		return
	}
	own[m.label+"()"], own[m.label] = true, true
	label := m.label
	if modifiers := strings.Join(m.modifiers, " "); modifiers != "" {
		label = modifiers + " " + label
	}
	at := m.name
	if at.Kind() == 0 {
		at = m.params
	}
	line, column := at.Position()
	l.out.Methods = append(l.out.Methods, query.Method{
		Name: label, Type: m.signature(t.file), Doc: m.doc, PromotedFrom: from, File: t.path, Line: line, Column: column,
	})
}

// script reports whether a file is JavaScript.
func script(path string) bool {
	return !strings.Contains(path[max(strings.LastIndexByte(path, '.'), 0):], "ts")
}

// assigned takes the properties that methods of a JavaScript class give to this, with the types that the server infers
// or JSDoc says.
func (l *listing) assigned(ctx context.Context, t typeDecl, from string, own map[string]bool) error {
	end := t.body.Match()
	for next := t.body.Next(); next.Kind() != 0 && next != end; next = next.Next() {
		name := next.Next().Next()
		if !next.Is("this") || !next.Next().Is(".") || !name.Next().Is("=") || own[name.Text()] || l.taken[name.Text()] {
			continue
		}
		hover, err := l.q.View.Hover(ctx, placeOf(t.path, name))
		if err != nil {
			return err
		}
		own[name.Text()] = true
		typ, value := hovered(hover), name.Next().Next()
		if typ == "any" || typ == "" { // what it is given says more
			typ = "= " + excerpt.Clip(span{value, endOf(value, lexer.Token{})}.in(t.file))
		}
		l.out.Fields = append(l.out.Fields, query.Field{
			Name: name.Text(), Type: typ, Strict: true, Doc: doc(next), PromotedFrom: from, File: t.path, Line: name.Line(),
		})
	}
	return nil
}

// hovered returns the type in what an editor shows of a property: "(property) Box.value: string".
func hovered(hover string) string {
	_, code, _ := strings.Cut(hover, "```typescript\n")
	code, _, _ = strings.Cut(code, "\n```")
	_, typ, _ := strings.Cut(code, ": ")
	return excerpt.OneLine(typ)
}
