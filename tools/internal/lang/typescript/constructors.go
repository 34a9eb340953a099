package typescript

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// constructors lists what makes a value of a type: the constructors of a class and what extends it, the
// alternatives of a union, the members of an enum, what implements an interface, and for all of them the functions that
// say that they return it or return a new one.
func constructors(ctx context.Context, q *query.Query, symbol lsp.Symbol, out *query.Construction) error {
	asked, t, h, err := typeMeant(ctx, q, symbol)
	if err != nil {
		return err
	}
	out.Head = h
	references, err := referencesTo(ctx, q, asked, t)
	if err != nil {
		return err
	}
	if err := ownConstructors(ctx, q, t, out); err != nil {
		return err
	}
	made := maker{q: q}
	if err := made.collect(ctx, references); err != nil {
		return err
	}
	out.Literals = made.literals
	out.List("factory function", made.functions)
	return nil
}

// referencesTo returns the references to a type and, if another name was asked for, those to that alias.
func referencesTo(ctx context.Context, q *query.Query, asked, t typeDecl) ([]lsp.Location, error) {
	references, err := q.View.References(ctx, t.at(), false)
	if err == nil && asked.at() != t.at() {
		var more []lsp.Location
		more, err = q.View.References(ctx, asked.at(), false)
		references = append(references, more...)
	}
	if err != nil {
		return nil, fmt.Errorf("finding references of %s: %w", asked.name.Text(), err)
	}
	return query.Distinct(references), nil
}

// ownConstructors lists what the declaration of the type itself tells.
func ownConstructors(ctx context.Context, q *query.Query, t typeDecl, out *query.Construction) error {
	switch t.word {
	case "enum":
		out.List("member", enumMembers(t))
		return nil
	case "type":
		all, err := alternatives(ctx, q, t, query.MaxFollowed)
		if err != nil {
			return err
		}
		if len(all) > 1 {
			out.List("alternative", alternativesOf(all))
			return nil
		}
	case "class":
		found, err := classConstructors(ctx, q, t)
		if err != nil {
			return err
		}
		out.List("constructor", found)
	}
	implementations, err := implementations(ctx, q, t)
	out.List("implementation", implementations)
	return err
}

// enumMembers lists the members of an enum with their values: those without one count on from the one before.
func enumMembers(t typeDecl) []query.Constructor {
	var all []query.Constructor
	count := 0
	for _, m := range membersIn(t.file, t.body) {
		value := m.value.in(t.file)
		if written, err := strconv.Atoi(value); err == nil {
			count = written
		}
		if value == "" {
			value = strconv.Itoa(count)
		}
		count++
		made := t.constructor(m.name, t.name.Text()+"."+m.label, value, m.doc)
		made.Shown = made.Name + " = " + value
		all = append(all, made)
	}
	return all
}

// constructor makes the entry of something that t's file declares.
func (t typeDecl) constructor(at lexer.Token, name, detail, doc string) query.Constructor {
	return query.Constructor{Name: name, Fields: []string{}, Detail: detail, Doc: doc, Test: test(t.path), File: t.path, Line: at.Line()}
}

func alternativesOf(alternatives []alternative) []query.Constructor {
	property := discriminant(alternatives)
	var all []query.Constructor
	for _, a := range alternatives {
		detail := "a value"
		switch {
		case property != "":
			detail = property + ": " + a.literal(property)
		case a.of.name != a.at:
		default:
			detail = a.of.kind()
		}
		made := a.of.constructor(a.at, a.text, detail, doc(a.at))
		made.IsRecord = a.object
		for _, m := range a.fields {
			made.Fields = append(made.Fields, m.label+": "+memberType(a.of.file, m))
		}
		made.Shown = made.Name + ", " + detail
		if fields := strings.Join(made.Fields, "; "); fields != "" && fields != detail {
			made.Shown += " {" + fields + "}"
		}
		all = append(all, made)
	}
	return all
}

func memberType(f *lexer.File, m member) string {
	if m.method() {
		return m.signature(f)
	}
	return m.typ.in(f)
}

// classConstructors lists the signatures of a class's constructor, or else those that it inherits.
func classConstructors(ctx context.Context, q *query.Query, t typeDecl) ([]query.Constructor, error) {
	declaring := t
	for range query.MaxFollowed {
		var all []query.Constructor
		for _, m := range membersIn(declaring.file, declaring.body) {
			if m.label != "constructor" || !m.method() {
				continue
			}
			if m.body && len(all) > 0 {
				break // the body of the overloads, which nobody can call
			}
			made := declaring.constructor(m.name, "new "+t.name.Text(), "", m.doc)
			made.Fields = paramTexts(declaring.file, m.params)
			if declaring.name != t.name {
				made.Detail = "inherited from " + declaring.name.Text()
			}
			if made.Detail == "" && t.kind() == "abstract class" {
				made.Detail = "only for what extends it"
			}
			made.Shown = called(made)
			all = append(all, made)
		}
		if len(all) > 0 || len(declaring.bases) == 0 {
			if len(all) == 0 {
				made := t.constructor(t.name, "new "+t.name.Text(), "implied", "")
				made.Shown = called(made)
				all = append(all, made)
			}
			return all, nil
		}
		next, ok, err := target(ctx, q, declaring.path, declaring.bases[0])
		if err != nil || !ok {
			return nil, err
		}
		declaring = next
	}
	return nil, nil
}

// called writes how something is called.
func called(c query.Constructor) string {
	line := c.Name + "(" + strings.Join(c.Fields, ", ") + ")"
	if c.Detail != "" {
		line += ": " + c.Detail
	}
	return line
}

// paramTexts writes parameters: "id: number", "name?: string".
func paramTexts(f *lexer.File, open lexer.Token) []string {
	all := []string{}
	for _, p := range params(f, open) {
		text := p.label
		if p.first.Is("...") {
			text = "..." + text
		}
		if p.has("optional") || p.value.is() {
			text += "?"
		}
		if typ := p.typ.in(f); typ != "" {
			text += ": " + typ
		}
		all = append(all, text)
	}
	return all
}

// implementations lists the classes and interfaces that extend or implement a type.
func implementations(ctx context.Context, q *query.Query, t typeDecl) ([]query.Constructor, error) {
	if t.word != "class" && t.word != "interface" {
		return nil, nil
	}
	places, err := q.View.Implementations(ctx, t.at())
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", t.name.Text(), err)
	}
	var all []query.Constructor
	for _, at := range query.Distinct(places) {
		found, ok := typeAt(q, at)
		if !ok || !q.Within(at.Path) || query.SpotOf(at) == query.SpotOf(t.at()) {
			continue
		}
		made := found.constructor(found.name, found.name.Text(), found.kind(), found.doc())
		for _, m := range membersIn(found.file, found.body) {
			if !m.method() {
				made.IsRecord = true
				made.Fields = append(made.Fields, m.label+": "+m.typ.in(found.file))
			}
		}
		all = append(all, made)
	}
	return all, nil
}

// A maker sorts the references to a type by what they make of it.
type maker struct {
	q         *query.Query
	functions []query.Constructor
	literals  int
}

func (m *maker) collect(ctx context.Context, references []lsp.Location) error {
	for _, at := range references {
		if !m.q.Within(at.Path) {
			continue
		}
		t := token(m.q, at)
		head := chainHead(t)
		if head.Prev().Is("new") || shapes(t, head) {
			m.literals++
		}
		open := resultOf(head)
		if open.Kind() == 0 && head.Prev().Is("new") {
			open = returning(head.Prev())
		}
		if open.Kind() == 0 {
			continue
		}
		if err := m.function(ctx, at, open); err != nil {
			return err
		}
	}
	return nil
}

// shapes reports whether an object literal is said to be of the type: `const x: T = {`, `{…} as T`, `{…} satisfies T`.
func shapes(t, head lexer.Token) bool {
	if head.Prev().Is("as", "satisfies") {
		return head.Prev().Prev().Is("}")
	}
	next := t.Next()
	if end := next.Angles(); end.Kind() != 0 {
		next = end.Next()
	}
	return head.Prev().Is(":") && next.Is("=") && next.Next().Is("{")
}

// resultOf returns the bracket of the parameters of the function whose declared result a type is part of.
func resultOf(head lexer.Token) lexer.Token {
	for before, left := head.Prev(), 50; before.Kind() != 0 && left > 0; before, left = before.Prev(), left-1 {
		switch {
		case before.Is(":") && before.Prev().Is(")"):
			if open := before.Prev().Match(); !objectType(open.Outer()) {
				return open
			}
			return lexer.Token{}
		case before.Is("is", "asserts"): // it tells a type and makes none
			return lexer.Token{}
		case before.Kind() == lexer.Name, before.Is("|", "&", "<", ".", "readonly", "null", "undefined", "void"), before.Is(",") && argument(before):
		default:
			return lexer.Token{}
		}
	}
	return lexer.Token{}
}

// returning returns the bracket of the parameters of the function that returns what begins at a token.
func returning(value lexer.Token) lexer.Token {
	before := value.Prev()
	if before.Is("=>") {
		return before.Prev().Match()
	}
	if !before.Is("return") {
		return lexer.Token{}
	}
	for block := before.Outer(); block.Is("{"); block = block.Outer() {
		switch before := block.Prev(); {
		case before.Is("=>"):
			return before.Prev().Match()
		case before.Is(")") && !before.Match().Prev().Is("if", "for", "while", "switch", "catch"):
			return before.Match()
		}
	}
	return lexer.Token{}
}

// function takes the function with these parameters if it has a name.
func (m *maker) function(ctx context.Context, at lsp.Location, open lexer.Token) error {
	outer, err := m.q.Enclosing(ctx, at)
	if err != nil || outer.Name == "" {
		return err
	}
	name := open.Prev()
	if name.Is(">") {
		name = token(m.q, outer.At)
	}
	if name.Is("async") {
		name = name.Prev()
	}
	if named := starts(name, outer.At); !named && !name.Is("=") {
		return nil // one without a name, in outer
	}
	f, err := m.q.Lexed.Open(at.Path)
	if err != nil {
		return fmt.Errorf("reading %s: %w", m.q.Relative(at.Path), err)
	}
	declared := token(m.q, outer.At)
	made := query.Constructor{
		Name: outer.Name, Fields: paramTexts(f, open), Detail: result(f, open), Doc: doc(declared.Statement()), Test: test(at.Path), File: at.Path, Line: declared.Line(),
	}
	made.Shown = called(made)
	same := func(c query.Constructor) bool {
		return c.File == made.File && c.Line == made.Line && c.Name == made.Name
	}
	if !slices.ContainsFunc(m.functions, same) {
		m.functions = append(m.functions, made)
	}
	return nil
}

// result writes what a function says that it returns.
func result(f *lexer.File, open lexer.Token) string {
	colon := open.Match().Next()
	if !colon.Is(":") {
		return ""
	}
	return span{colon.Next(), endOf(colon.Next(), lexer.Token{}, "{", "=>")}.in(f)
}
