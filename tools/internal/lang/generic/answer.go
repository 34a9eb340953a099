package generic

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// asked reads the declaration of a type. problem says that it is shown as it is written; "" if it is read.
func (r reader) asked(q *query.Query, symbol lsp.Symbol) (d declaration, h query.Head, problem string, err error) {
	t, err := r.at(q, symbol.Location)
	d, ok := r.declaration(t)
	if err != nil || !ok {
		return d, h, "", query.Undeclared(symbol)
	}
	f := t.File()
	h = query.Head{
		Path: f.Path, Line: d.name.Line(), Kind: d.keyword, Doc: r.doc(d.first), Raw: f.Text(d.first.Start(), d.last.End()), Followed: []string{},
	}
	if !d.read {
		q.Doubt("the declaration of " + symbol.Name + " is not read")
		problem = fmt.Sprintf("%s is not read, but shown as it is written: %s", symbol.Name, excerpt.OneLine(h.Raw))
	}
	return d, h, problem, nil
}

// doc returns the comment above a token and its attributes.
func (r reader) doc(at lexer.Token) (doc string) {
	for line := at.Line() - 1; line > 0; line-- {
		text := strings.TrimSpace(at.File().Line(line))
		comment, ok := strings.CutPrefix(text, r.above)
		switch {
		case ok:
			doc = strings.TrimPrefix(strings.TrimSpace(comment), "|") + " " + doc
		case !strings.HasPrefix(text, "#["):
			return excerpt.OneLine(doc)
		}
	}
	return excerpt.OneLine(doc)
}

func (r reader) fields(_ context.Context, q *query.Query, symbol lsp.Symbol, out *query.Record) error {
	d, h, problem, err := r.asked(q, symbol)
	if err != nil {
		return err
	}
	out.Head, out.Problem = h, problem
	if !d.read {
		return nil
	}
	if d.holds == "fields" || r.layout { // there the fields of alternatives are functions of the type
		out.Fields = r.listed(d)
	}
	out.IsRecord = d.holds == "fields" || len(out.Fields) > 0
	switch parts := wording.Count(len(d.alternatives), d.part); {
	case !out.IsRecord:
		out.Problem = fmt.Sprintf("%s is no record; show_constructors lists its %s", symbol.Name, parts)
	case len(d.alternatives) > 1:
		out.Problem = fmt.Sprintf("%s has %s; show_constructors tells which has which fields", symbol.Name, parts)
	}
	return nil
}

// listed returns the fields of a declaration, each name once. Those without names have numbers, or no functions.
func (r reader) listed(d declaration) []query.Field {
	var all []query.Field
	for n, f := range d.fields {
		is := query.Field{Name: strconv.Itoa(n), File: f.typ.first.File().Path, Line: f.typ.first.Line()}
		is.Type, is.Strict = r.held(f)
		if f.name.Kind() != 0 {
			is.Name, is.Line, is.Doc = f.name.Text(), f.name.Line(), r.doc(f.name)
		}
		again := slices.ContainsFunc(all, func(other query.Field) bool { return other.Name == is.Name })
		if !again && (f.name.Kind() != 0 || !r.layout) {
			all = append(all, is)
		}
	}
	return all
}

// held returns the type of a field, and whether that is a value, not a computation of one.
func (r reader) held(f field) (typ string, strict bool) {
	typ, strict = strings.CutPrefix(f.typ.text(), "!")
	return typ, strict || !r.layout
}

// constructors lists the alternatives of a type. What else makes it is not looked for.
func (r reader) constructors(_ context.Context, q *query.Query, symbol lsp.Symbol, out *query.Construction) error {
	d, h, problem, err := r.asked(q, symbol)
	if err != nil {
		return err
	}
	out.Head, out.Problem, out.Unread = h, problem, true
	if d.read {
		out.List(d.part, r.made(d))
	}
	missing := "what else makes " + symbol.Name + " is not looked for"
	if q.Doubt(missing); len(out.Made) == 0 && out.Problem == "" {
		out.Problem = missing
	}
	return nil
}

func (r reader) made(d declaration) []query.Constructor {
	var all []query.Constructor
	for i, a := range d.alternatives {
		c := query.Constructor{
			Name: a.first.Text(), Fields: []string{}, Doc: r.doc(a.first), File: a.first.File().Path, Line: a.first.Line(), Shown: excerpt.OneLine(a.text()),
		}
		for _, f := range d.fields {
			if typ, _ := r.held(f); f.of == i {
				c.Fields, c.IsRecord = append(c.Fields, typ), f.name.Kind() != 0
			}
		}
		all = append(all, c)
	}
	return all
}
