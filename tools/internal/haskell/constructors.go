package haskell

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/wording"
)

func constructors(ctx context.Context, q *code.Inquiry, symbol lsp.Symbol, out *code.Construction) error {
	d, h, err := typeMeant(ctx, q, symbol)
	if err != nil {
		return err
	}
	name := nameIn(d)
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
	made := maker{q: q, d: d, seen: make(map[code.Spot]bool)}
	for _, r := range code.Distinct(references) {
		if err := made.reference(r); err != nil {
			return err
		}
	}
	out.List("instance", made.instances)
	out.List("function", made.functions)
	return nil
}

// made lists the constructors as they are declared.
func (d typeDecl) made() []code.Constructor {
	var all []code.Constructor
	for _, c := range d.constructors {
		made := code.Constructor{
			Name: c.name, Fields: []string{}, IsRecord: c.record, Doc: wording.OneLine(docAt(d.file, c.at.Line())),
			File: d.file.Path, Line: c.at.Line(), Shown: wording.OneLine(stretch{c.first, c.last}.text(d.file)),
		}
		for _, field := range c.fields {
			made.Fields = append(made.Fields, field.typ)
		}
		all = append(all, made)
	}
	return all
}

// A maker sorts the references to a type by what they make of it.
type maker struct {
	q         *code.Inquiry
	d         typeDecl
	seen      map[code.Spot]bool
	instances []code.Constructor
	functions []code.Constructor
}

func (m *maker) reference(l lsp.Location) error {
	f, err := m.q.Lexed.Open(l.Path)
	if err != nil {
		return fmt.Errorf("classifying a reference: %w", err)
	}
	t := nameAt(f, l)
	head := t.Statement()
	line, column := head.Position()
	at := code.Spot{Path: f.Path, Line: line, Column: column}
	if m.seen[at] {
		return nil
	}
	u := useOf(t)
	made := code.Constructor{Fields: []string{}, Test: test(f.Path), File: f.Path, Line: line, Doc: wording.OneLine(docAt(f, line))}
	switch {
	case u.Kind == "implements" && head.Is("instance", "type", "data", "newtype"):
		made.Name = heading(f, head)
		if deriving(t) {
			made.Name = m.d.name + ", derived by " + head.Next().Text()
		}
		made.Shown = made.Name
		m.instances = append(m.instances, made)
	case u.Kind == "type" && function(head) != "" && m.returned(f, head, t):
		made.Name = function(head)
		made.Shown = wording.OneLine(stretch{head, end(head)}.text(f))
		m.functions = append(m.functions, made)
	default:
		return nil
	}
	m.seen[at] = true
	return nil
}

// heading is an instance's declaration up to its body.
func heading(f *lexer.File, head lexer.Token) string {
	last := end(head)
	if body, kind := bodyBehind(head, last); kind == "where" {
		last = body.Prev()
	}
	return wording.OneLine(stretch{head, last}.text(f))
}

// returned reports whether t stands in the result of the signature that starts at head.
func (m *maker) returned(f *lexer.File, head, t lexer.Token) bool {
	halves := cut(stretch{head, end(head)}, "::")
	if len(halves) < 2 {
		return false
	}
	arrows := cut(unqualified(stretch{halves[1].first, halves[len(halves)-1].last}), "->")
	result := arrows[len(arrows)-1]
	return result.first.Kind() != 0 && t.Start() >= result.first.Start() && t.Start() <= result.last.Start() &&
		!strings.Contains(result.text(f), "=")
}
