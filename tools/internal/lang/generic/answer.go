package generic

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/wording"
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
		problem = fmt.Sprintf("%s is not read, but shown as it is written: %s", symbol.Name, wording.OneLine(h.Raw))
	}
	return d, h, problem, nil
}

// doc is the comment for documentation at a token: behind it on its line, or else above it and its attributes.
func (r reader) doc(at lexer.Token) string {
	f, line, doc := at.File(), at.Line(), ""
	if _, behind, ok := strings.Cut(f.Line(line), r.behind); ok && r.behind != "" {
		return wording.OneLine(behind)
	}
	for line--; line > 0; line-- {
		text := strings.TrimSpace(f.Line(line))
		comment, ok := strings.CutPrefix(text, r.above)
		comment, begins := strings.CutPrefix(strings.TrimSpace(comment), r.begins)
		switch {
		case ok && begins && r.begins != "":
			return wording.OneLine(comment + " " + doc)
		case ok:
			doc = comment + " " + doc
		case r.begins != "":
			return ""
		case !strings.HasPrefix(text, "#["):
			return wording.OneLine(doc)
		}
	}
	return wording.OneLine(doc)
}

func (r reader) fields(_ context.Context, q *query.Query, symbol lsp.Symbol, out *query.Record) error {
	d, h, problem, err := r.asked(q, symbol)
	if err != nil {
		return err
	}
	out.Head, out.Problem = h, problem
	if d.read && (d.reads == "fields" || r.juxtaposed) { // there the fields of alternatives are functions of the type
		out.Fields = r.listed(d)
	}
	out.IsRecord = d.read && d.reads == "fields" || len(out.Fields) > 0
	parts := wording.Plural(len(d.alternatives), d.part, d.part+"s")
	switch {
	case !d.read:
	case d.reads == "methods":
		out.Methods, out.Problem = r.methods(d), fmt.Sprintf("%s is a %s: it has methods, no fields", symbol.Name, d.keyword)
	case !out.IsRecord:
		out.Problem = fmt.Sprintf("%s is no record; show_constructors lists its %s", symbol.Name, parts)
	case len(d.alternatives) > 1:
		out.Problem = fmt.Sprintf("%s has %s; show_constructors tells which has which fields", symbol.Name, parts)
	}
	return nil
}

// listed are the fields of a declaration, each name once. Those without names have numbers, or no functions.
func (r reader) listed(d declaration) []query.Field {
	var all []query.Field
	for n, f := range d.fields {
		is := query.Field{Name: strconv.Itoa(n), File: f.typ.first.File().Path, Line: f.typ.first.Line()}
		is.Type, is.Strict = r.held(f)
		if f.name.Kind() != 0 {
			is.Name, is.Line, is.Doc = f.name.Text(), f.name.Line(), r.doc(f.name)
		}
		again := slices.ContainsFunc(all, func(other query.Field) bool { return other.Name == is.Name })
		if !again && (f.name.Kind() != 0 || !r.juxtaposed) {
			all = append(all, is)
		}
	}
	return all
}

// held is the type of a field, and whether that is a value, not a computation of one.
func (r reader) held(f field) (typ string, strict bool) {
	typ, strict = strings.CutPrefix(f.typ.text(), "!")
	return typ, strict || !r.juxtaposed
}

// methods lists the functions of a trait, and the signatures that begin a line of a class.
func (r reader) methods(d declaration) []query.Method {
	var all []query.Method
	for t := d.body.Next(); t.Kind() != 0 && t.Start() < d.last.Start(); t = t.Next() {
		sign := t.Next()
		for sign.Is(",") {
			sign = sign.Next().Next()
		}
		end := r.last(t).Prev()
		if r.juxtaposed {
			end = lineEnd(sign)
		} else if r.last(t).Is("}") {
			end = r.last(t).Match().Prev()
		}
		if t.Outer() == d.body && t.Prev().Is("fn") || r.juxtaposed && t.Outer().Kind() == 0 && sign.Is(r.mark) {
			text := strings.Replace("func "+span{sign, end}.text(), "func (", "func(", 1)
			all = append(all, query.Method{Name: t.Text(), Type: text, Doc: r.doc(t), File: t.File().Path, Line: t.Line()})
		}
	}
	return all
}

// lineEnd is the last token of a line.
func lineEnd(t lexer.Token) lexer.Token {
	for t.Kind() != 0 && t.Next().Line() == t.Line() {
		t = t.Next()
	}
	return t
}

func (r reader) constructors(ctx context.Context, q *query.Query, symbol lsp.Symbol, out *query.Construction) error {
	d, h, problem, err := r.asked(q, symbol)
	if err != nil {
		return err
	}
	out.Head, out.Problem, out.Unread = h, problem, true
	if d.reads == "alternatives" && d.read {
		out.List(d.part, r.made(d))
	}
	line, column := d.name.Position()
	references, err := q.View.References(ctx, lsp.At(h.Path, line, column), false)
	if err != nil {
		return fmt.Errorf("finding references of %s: %w", symbol.Name, err)
	}
	functions := "functions that return " + symbol.Name + " are not looked for"
	q.Doubt(functions)
	err = r.makers(q, symbol.Name, query.Distinct(references), out)
	if len(out.Made) == 0 && out.Problem == "" {
		out.Problem = functions
	}
	return err
}

func (r reader) made(d declaration) []query.Constructor {
	var all []query.Constructor
	for i, a := range d.alternatives {
		c := query.Constructor{
			Name: a.first.Text(), Fields: []string{}, Doc: r.doc(a.first), File: a.first.File().Path, Line: a.first.Line(), Shown: wording.OneLine(a.text()),
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

// makers lists the implementations among the references to a type, and counts the literals.
func (r reader) makers(q *query.Query, name string, references []lsp.Location, out *query.Construction) error {
	var all []query.Constructor
	unknown := 0
	for _, at := range references {
		t, err := r.at(q, at)
		if err != nil {
			return fmt.Errorf("classifying a reference: %w", err)
		}
		switch u, _ := r.useOf(t); u.Kind {
		case query.Unknown:
			unknown++
		case "new":
			out.Literals++
		case "implements":
			first := t.Statement()
			text := span{first, find(first, r.last(t).Next(), "{", "where").Prev()}.text()
			all = append(all, query.Constructor{
				Name: text, Fields: []string{}, Doc: r.doc(first), Test: r.test(at.Path) || inTests(t), File: at.Path, Line: first.Line(), Shown: text,
			})
		}
	}
	out.List(r.implementation, all)
	doubt(q, name, unknown)
	return nil
}
