package tools

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
)

// tsConstructors lists what makes a value of a type: the constructors of a class and what extends it, the
// alternatives of a union, the members of an enum, what implements an interface, and for all of them the functions that
// say that they return it or return a new one.
func tsConstructors(ctx context.Context, q *Inquiry, symbol lsp.Symbol, out *code.Construction) error {
	asked, t, h, err := tsTypeMeant(ctx, q, symbol)
	if err != nil {
		return err
	}
	out.Head = h
	references, err := tsReferences(ctx, q, asked, t)
	if err != nil {
		return err
	}
	if err := tsOwnConstructors(ctx, q, t, out); err != nil {
		return err
	}
	made := tsMaker{q: q}
	if err := made.collect(ctx, references); err != nil {
		return err
	}
	out.Literals = made.literals
	out.List("factory function", made.functions)
	return nil
}

// tsReferences returns the references to a type and, if another name was asked for, those to that alias.
func tsReferences(ctx context.Context, q *Inquiry, asked, t tsType) ([]lsp.Location, error) {
	references, err := q.View.References(ctx, t.at(), false)
	if err == nil && asked.at() != t.at() {
		var more []lsp.Location
		more, err = q.View.References(ctx, asked.at(), false)
		references = append(references, more...)
	}
	if err != nil {
		return nil, fmt.Errorf("finding references of %s: %w", asked.name.Text(), err)
	}
	return Distinct(references), nil
}

// tsOwnConstructors lists what the declaration of the type itself tells.
func tsOwnConstructors(ctx context.Context, q *Inquiry, t tsType, out *code.Construction) error {
	switch t.word {
	case "enum":
		out.List("member", tsEnumMembers(t))
		return nil
	case "type":
		all, err := tsAlternatives(ctx, q, t, MaxFollowed)
		if err != nil {
			return err
		}
		if len(all) > 1 {
			out.List("alternative", tsAlternativesOf(all))
			return nil
		}
	case "class":
		found, err := tsClassConstructors(ctx, q, t)
		if err != nil {
			return err
		}
		out.List("constructor", found)
	}
	implementations, err := tsImplementations(ctx, q, t)
	out.List("implementation", implementations)
	return err
}

// tsEnumMembers lists the members of an enum with their values: those without one count on from the one before.
func tsEnumMembers(t tsType) []code.Constructor {
	var all []code.Constructor
	count := 0
	for _, m := range tsMembers(t.file, t.body) {
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
func (t tsType) constructor(at lexer.Token, name, detail, doc string) code.Constructor {
	return code.Constructor{Name: name, Fields: []string{}, Detail: detail, Doc: doc, Test: tsTest(t.path), File: t.path, Line: at.Line()}
}

func tsAlternativesOf(alternatives []tsAlternative) []code.Constructor {
	property := tsDiscriminant(alternatives)
	var all []code.Constructor
	for _, a := range alternatives {
		detail := "a value"
		switch {
		case property != "":
			detail = property + ": " + a.literal(property)
		case a.of.name != a.at:
		default:
			detail = a.of.kind()
		}
		made := a.of.constructor(a.at, a.text, detail, tsDoc(a.at))
		made.IsRecord = a.object
		for _, m := range a.fields {
			made.Fields = append(made.Fields, m.label+": "+tsMemberType(a.of.file, m))
		}
		made.Shown = made.Name + ", " + detail
		if fields := strings.Join(made.Fields, "; "); fields != "" && fields != detail {
			made.Shown += " {" + fields + "}"
		}
		all = append(all, made)
	}
	return all
}

func tsMemberType(f *lexer.File, m tsMember) string {
	if m.method() {
		return m.signature(f)
	}
	return m.typ.in(f)
}

// tsClassConstructors lists the signatures of a class's constructor, or else those that it inherits.
func tsClassConstructors(ctx context.Context, q *Inquiry, t tsType) ([]code.Constructor, error) {
	declaring := t
	for range MaxFollowed {
		var all []code.Constructor
		for _, m := range tsMembers(declaring.file, declaring.body) {
			if m.label != "constructor" || !m.method() {
				continue
			}
			if m.body && len(all) > 0 {
				break // the body of the overloads, which nobody can call
			}
			made := declaring.constructor(m.name, "new "+t.name.Text(), "", m.doc)
			made.Fields = tsParamTexts(declaring.file, m.params)
			if declaring.name != t.name {
				made.Detail = "inherited from " + declaring.name.Text()
			}
			if made.Detail == "" && t.kind() == "abstract class" {
				made.Detail = "only for what extends it"
			}
			made.Shown = tsCalled(made)
			all = append(all, made)
		}
		if len(all) > 0 || len(declaring.bases) == 0 {
			if len(all) == 0 {
				made := t.constructor(t.name, "new "+t.name.Text(), "implied", "")
				made.Shown = tsCalled(made)
				all = append(all, made)
			}
			return all, nil
		}
		next, ok, err := tsTarget(ctx, q, declaring.path, declaring.bases[0])
		if err != nil || !ok {
			return nil, err
		}
		declaring = next
	}
	return nil, nil
}

// tsCalled writes how something is called.
func tsCalled(c code.Constructor) string {
	line := c.Name + "(" + strings.Join(c.Fields, ", ") + ")"
	if c.Detail != "" {
		line += ": " + c.Detail
	}
	return line
}

// tsParamTexts writes parameters: "id: number", "name?: string".
func tsParamTexts(f *lexer.File, open lexer.Token) []string {
	all := []string{}
	for _, p := range tsParams(f, open) {
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

// tsImplementations lists the classes and interfaces that extend or implement a type.
func tsImplementations(ctx context.Context, q *Inquiry, t tsType) ([]code.Constructor, error) {
	if t.word != "class" && t.word != "interface" {
		return nil, nil
	}
	places, err := q.View.Implementations(ctx, t.at())
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", t.name.Text(), err)
	}
	var all []code.Constructor
	for _, at := range Distinct(places) {
		found, ok := tsTypeAt(q, at)
		if !ok || !q.Within(at.Path) || SpotOf(at) == SpotOf(t.at()) {
			continue
		}
		made := found.constructor(found.name, found.name.Text(), found.kind(), found.doc())
		for _, m := range tsMembers(found.file, found.body) {
			if !m.method() {
				made.IsRecord = true
				made.Fields = append(made.Fields, m.label+": "+m.typ.in(found.file))
			}
		}
		all = append(all, made)
	}
	return all, nil
}

// A tsMaker sorts the references to a type by what they make of it.
type tsMaker struct {
	q         *Inquiry
	functions []code.Constructor
	literals  int
}

func (m *tsMaker) collect(ctx context.Context, references []lsp.Location) error {
	for _, at := range references {
		if !m.q.Within(at.Path) {
			continue
		}
		t := tsToken(m.q, at)
		head := tsHead(t)
		if head.Prev().Is("new") || tsShapes(t, head) {
			m.literals++
		}
		open := tsResultOf(head)
		if open.Kind() == 0 && head.Prev().Is("new") {
			open = tsReturning(head.Prev())
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

// tsShapes says whether an object literal is said to be of the type: `const x: T = {`, `{…} as T`, `{…} satisfies T`.
func tsShapes(t, head lexer.Token) bool {
	if head.Prev().Is("as", "satisfies") {
		return head.Prev().Prev().Is("}")
	}
	next := t.Next()
	if end := next.Angles(); end.Kind() != 0 {
		next = end.Next()
	}
	return head.Prev().Is(":") && next.Is("=") && next.Next().Is("{")
}

// tsResultOf is the bracket of the parameters of the function whose declared result a type is part of.
func tsResultOf(head lexer.Token) lexer.Token {
	for before, left := head.Prev(), 50; before.Kind() != 0 && left > 0; before, left = before.Prev(), left-1 {
		switch {
		case before.Is(":") && before.Prev().Is(")"):
			if open := before.Prev().Match(); !tsObjectType(open.Outer()) {
				return open
			}
			return lexer.Token{}
		case before.Is("is", "asserts"): // it tells a type and makes none
			return lexer.Token{}
		case before.Kind() == lexer.Name, before.Is("|", "&", "<", ".", "readonly", "null", "undefined", "void"), before.Is(",") && tsArgument(before):
		default:
			return lexer.Token{}
		}
	}
	return lexer.Token{}
}

// tsReturning is the bracket of the parameters of the function that returns what begins at a token.
func tsReturning(value lexer.Token) lexer.Token {
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
func (m *tsMaker) function(ctx context.Context, at lsp.Location, open lexer.Token) error {
	outer, err := m.q.Enclosing(ctx, at)
	if err != nil || outer.Name == "" {
		return err
	}
	name := open.Prev()
	if name.Is(">") {
		name = tsToken(m.q, outer.At)
	}
	if name.Is("async") {
		name = name.Prev()
	}
	if named := tsStarts(name, outer.At); !named && !name.Is("=") {
		return nil // one without a name, in outer
	}
	f, err := m.q.Lexed.Open(at.Path)
	if err != nil {
		return fmt.Errorf("reading %s: %w", m.q.Relative(at.Path), err)
	}
	declared := tsToken(m.q, outer.At)
	made := code.Constructor{
		Name: outer.Name, Fields: tsParamTexts(f, open), Detail: tsResult(f, open), Doc: tsDoc(declared.Statement()), Test: tsTest(at.Path), File: at.Path, Line: declared.Line(),
	}
	made.Shown = tsCalled(made)
	same := func(c code.Constructor) bool {
		return c.File == made.File && c.Line == made.Line && c.Name == made.Name
	}
	if !slices.ContainsFunc(m.functions, same) {
		m.functions = append(m.functions, made)
	}
	return nil
}

// tsResult writes what a function says that it returns.
func tsResult(f *lexer.File, open lexer.Token) string {
	colon := open.Match().Next()
	if !colon.Is(":") {
		return ""
	}
	return tsSpan{colon.Next(), tsEnd(colon.Next(), lexer.Token{}, "{", "=>")}.in(f)
}
