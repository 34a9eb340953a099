package tools

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/wording"
)

func haskellConstructors(ctx context.Context, q *Inquiry, symbol lsp.Symbol, out *code.Construction) error {
	d, h, err := hsHead(ctx, q, symbol)
	if err != nil {
		return err
	}
	name := hsNameIn(d)
	out.Head = h
	out.IsGADT = d.form == "GADT"
	switch d.form {
	case "class":
	case "type family", "data family":
		out.List("equation", d.made())
	default:
		out.List("constructor", d.made())
	}
	line, column := name.Position()
	references, err := q.View.References(ctx, lsp.At(d.file.Path, line, column), false)
	if err != nil {
		return fmt.Errorf("finding references of %s: %w", d.name, err)
	}
	made := hsMaker{q: q, d: d, seen: make(map[Spot]bool)}
	for _, r := range Distinct(references) {
		if err := made.reference(r); err != nil {
			return err
		}
	}
	out.List("instance", made.instances)
	out.List("function", made.functions)
	return nil
}

// made lists the constructors as they are declared.
func (d hsType) made() []code.Constructor {
	var all []code.Constructor
	for _, c := range d.constructors {
		made := code.Constructor{
			Name: c.name, Fields: []string{}, IsRecord: c.record, Doc: wording.OneLine(hsDoc(d.file, c.at.Line())),
			File: d.file.Path, Line: c.at.Line(), Shown: wording.OneLine(hsSpan{c.first, c.last}.text(d.file)),
		}
		for _, field := range c.fields {
			made.Fields = append(made.Fields, field.typ)
		}
		all = append(all, made)
	}
	return all
}

// A hsMaker sorts the references to a type by what they make of it.
type hsMaker struct {
	q         *Inquiry
	d         hsType
	seen      map[Spot]bool
	instances []code.Constructor
	functions []code.Constructor
}

func (m *hsMaker) reference(l lsp.Location) error {
	f, err := m.q.Lexed.Open(l.Path)
	if err != nil {
		return fmt.Errorf("classifying a reference: %w", err)
	}
	t := hsNameAt(f, l)
	head := t.Statement()
	line, column := head.Position()
	at := Spot{Path: f.Path, Line: line, Column: column}
	if m.seen[at] {
		return nil
	}
	u := hsUse(t)
	made := code.Constructor{Fields: []string{}, Test: haskellTest(f.Path), File: f.Path, Line: line, Doc: wording.OneLine(hsDoc(f, line))}
	switch {
	case u.Kind == "implements" && head.Is("instance", "type", "data", "newtype"):
		made.Name = hsHeading(f, head)
		if hsDeriving(t) {
			made.Name = m.d.name + ", derived by " + head.Next().Text()
		}
		made.Shown = made.Name
		m.instances = append(m.instances, made)
	case u.Kind == "type" && hsFunction(head) != "" && m.returned(f, head, t):
		made.Name = hsFunction(head)
		made.Shown = wording.OneLine(hsSpan{head, hsEnd(head)}.text(f))
		m.functions = append(m.functions, made)
	default:
		return nil
	}
	m.seen[at] = true
	return nil
}

// hsHeading is an instance's declaration up to its body.
func hsHeading(f *lexer.File, head lexer.Token) string {
	last := hsEnd(head)
	if body, kind := hsBody(head, last); kind == "where" {
		last = body.Prev()
	}
	return wording.OneLine(hsSpan{head, last}.text(f))
}

// returned reports whether t stands in the result of the signature that starts at head.
func (m *hsMaker) returned(f *lexer.File, head, t lexer.Token) bool {
	halves := hsCut(hsSpan{head, hsEnd(head)}, "::")
	if len(halves) < 2 {
		return false
	}
	arrows := hsCut(hsUnqualified(hsSpan{halves[1].first, halves[len(halves)-1].last}), "->")
	result := arrows[len(arrows)-1]
	return result.first.Kind() != 0 && t.Start() >= result.first.Start() && t.Start() <= result.last.Start() &&
		!strings.Contains(result.text(f), "=")
}
