package rust

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/wording"
)

func constructors(ctx context.Context, q *code.Inquiry, symbol lsp.Symbol, out *code.Construction) error {
	asked, item, h, err := typeMeant(ctx, q, symbol)
	if err != nil {
		return err
	}
	h.Raw = asked.raw()
	out.Head = h
	line, column := item.name.Position()
	references, err := q.View.References(ctx, lsp.At(item.file.Path, line, column), false)
	if err != nil {
		return fmt.Errorf("finding references of %s: %w", item.name.Text(), err)
	}
	if item.keyword == "enum" {
		out.List("variant", item.variants())
	}
	made := maker{q: q, name: item.name.Text(), seen: make(map[code.Spot]bool)}
	for _, r := range code.Distinct(references) {
		if err := made.reference(r); err != nil {
			return err
		}
	}
	out.Literals = made.literals
	if item.keyword == "trait" {
		out.List("implementation", made.implementations)
	}
	out.List("function", made.functions)
	return nil
}

// variants lists those of an enum, as written.
func (i itemDecl) variants() []code.Constructor {
	var all []code.Constructor
	for _, p := range parts(i.body) {
		c := code.Constructor{
			Name: p.first.Text(), Fields: []string{}, Doc: wording.OneLine(docAbove(i.file, p.first.Line())), File: i.file.Path,
			Line: p.first.Line(), Shown: p.text(i.file),
		}
		if open := p.first.Next(); open.Is("(", "{") && p.last != p.first {
			c.IsRecord = open.Is("{")
			for _, f := range i.fields(open) {
				c.Fields = append(c.Fields, f.Type)
			}
		}
		all = append(all, c)
	}
	return all
}

// A maker sorts the references to a type by what they make of it.
type maker struct {
	q               *code.Inquiry
	name            string
	seen            map[code.Spot]bool // functions and impls that are listed
	functions       []code.Constructor
	implementations []code.Constructor
	literals        int
}

func (m *maker) reference(l lsp.Location) error {
	f, err := m.q.Lexed.Open(l.Path)
	if err != nil {
		return fmt.Errorf("classifying a reference: %w", err)
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	head := keywordOf(t)
	switch u := useOf(t); {
	case u.Kind == "new":
		m.literals++
	case u.Kind == "implements":
		m.implementation(f, head, t)
	case head.Is("impl") && u.Kind == "type" && t.Outer() == head.Outer():
		m.impl(f, head)
	case u.Kind == "type":
		m.result(f, t)
	}
	return nil
}

// implementation takes "impl Trait for T".
func (m *maker) implementation(f *lexer.File, head, t lexer.Token) {
	of := piece{first: behind(t, "for")}
	for at := of.first; at.Kind() != 0 && !at.Is("{", ";", "where"); at = at.Next() {
		of.last = at
	}
	if of.last.Kind() == 0 || !m.new(f, head) {
		return
	}
	m.implementations = append(m.implementations, code.Constructor{
		Name: of.text(f), Fields: []string{}, Detail: "impl", File: f.Path, Line: head.Line(), Test: test(f.Path) || inTests(t),
		Shown: "impl " + m.name + " for " + of.text(f),
	})
}

// impl takes the functions of an impl of the type that return it.
func (m *maker) impl(f *lexer.File, head lexer.Token) {
	body := head
	for body.Kind() != 0 && !body.Is("{") {
		body = body.Next()
	}
	if body.Kind() == 0 {
		return
	}
	for _, fn := range functions(f, body) {
		if _, result := fn.signature(); mentions(result, "Self") || mentions(result, m.name) {
			m.function(fn, m.name+"::")
		}
	}
}

// result takes the function that has t in its result.
func (m *maker) result(f *lexer.File, t lexer.Token) {
	for at := t; at.Kind() != 0 && !at.Is("{", "}", ";"); at = at.Prev() {
		if closing := at.Match(); closing.Kind() != 0 && closing.Start() < at.Start() {
			at = closing
			continue
		}
		if !at.Is("fn") {
			continue
		}
		fn, ok := itemAt(f, at.Next())
		if !ok {
			return
		}
		outer := ""
		if impl := keywordOf(fn.name.Outer()); impl.Is("impl", "trait") && fn.name.Outer().Kind() != 0 {
			outer = self(impl) + "::"
		}
		if _, result := fn.signature(); mentions(result, m.name) {
			m.function(fn, outer)
		}
		return
	}
}

// self is the name of the type that an impl is of, or of the trait.
func self(head lexer.Token) string {
	name := ""
	depth := 0
	for t := head.Next(); t.Kind() != 0 && !t.Is("{", "where"); t = t.Next() {
		switch {
		case t.Is("<"):
			depth++
		case t.Is(">"):
			depth--
		case depth == 0 && t.Kind() == lexer.Name:
			name = t.Text()
		case t.Is(":"):
			return name // trait T: Super
		}
	}
	return name
}

func (m *maker) function(fn itemDecl, outer string) {
	if !m.new(fn.file, fn.name) {
		return
	}
	params, result := fn.signature()
	m.functions = append(m.functions, code.Constructor{
		Name: outer + fn.name.Text(), Fields: append([]string{}, params...), Detail: result, Doc: wording.OneLine(fn.doc()),
		Test: test(fn.file.Path) || inTests(fn.name), File: fn.file.Path, Line: fn.name.Line(),
		Shown: "fn " + outer + fn.name.Text() + fn.shown(),
	})
}

// new reports whether what starts at a token is not listed yet.
func (m *maker) new(f *lexer.File, t lexer.Token) bool {
	line, column := t.Position()
	at := code.Spot{Path: f.Path, Line: line, Column: column}
	again := m.seen[at]
	m.seen[at] = true
	return !again
}

// mentions reports whether a type has a name in it.
func mentions(typ, name string) bool {
	return slices.Contains(strings.FieldsFunc(typ, func(r rune) bool { return !code.IsNamed(r) }), name)
}

func joinComma(list []string) string { return strings.Join(list, ", ") }
