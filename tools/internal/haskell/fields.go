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

// typeOf returns the type declared at a symbol's place.
func typeOf(q *code.Inquiry, l lsp.Location) (typeDecl, bool) {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return typeDecl{}, false
	}
	return typeAt(f, nameAt(f, l))
}

// typeMeant finds the type that the name of a symbol stands for.
func typeMeant(ctx context.Context, q *code.Inquiry, symbol lsp.Symbol) (d typeDecl, h code.Head, err error) {
	asked, ok := typeOf(q, symbol.Location)
	if !ok {
		return d, h, code.Undeclared(symbol)
	}
	d, steps, err := followed(ctx, q, asked)
	doc := wording.OneLine(docAt(asked.file, asked.first.Line()))
	return d, code.Head{Path: asked.file.Path, Line: nameIn(asked).Line(), Kind: d.form, Doc: doc, Raw: d.raw(), Followed: steps}, err
}

// followed goes from type synonyms to what they stand for.
func followed(ctx context.Context, q *code.Inquiry, asked typeDecl) (typeDecl, []string, error) {
	steps := []string{}
	d := asked
	for range code.MaxFollowed {
		if d.form != "type" || d.target.Kind() != lexer.Name {
			break
		}
		name := d.target
		for name.Next().Is(".") {
			name = name.Next().Next()
		}
		line, column := name.Position()
		found, err := q.View.Definition(ctx, lsp.At(d.file.Path, line, column))
		if err != nil {
			return d, steps, fmt.Errorf("following a type in %s: %w", d.file.Path, err)
		}
		if len(found) == 0 || !q.Within(found[0].Path) {
			break
		}
		next, ok := typeOf(q, found[0])
		if !ok {
			break
		}
		text := stretch{d.target, d.last}.text(d.file)
		steps = append(steps, fmt.Sprintf("type %s = %s, see %s:%d", d.name, text, q.Relative(next.file.Path), next.first.Line()))
		d = next
	}
	return d, steps, nil
}

func (d typeDecl) raw() string { return d.file.Text(d.first.Start(), d.last.End()) }

func fields(ctx context.Context, q *code.Inquiry, symbol lsp.Symbol, out *code.Record) error {
	d, h, err := typeMeant(ctx, q, symbol)
	if err != nil {
		return err
	}
	out.Head = h
	switch d.form {
	case "class":
		out.Problem = d.name + " is a class: it has methods, no fields"
		out.Methods = append(out.Methods, d.methods()...)
		return nil
	case "type", "type family", "data family":
		out.Problem = fmt.Sprintf("%s is a %s, not a record", d.name, strings.Replace(d.form, "type", "type synonym", 1))
		if d.form != "type" {
			out.Problem = fmt.Sprintf("%s is a %s, not a record; show_constructors lists its instances", d.name, d.form)
		}
		return nil
	}
	out.Fields = append(out.Fields, d.fields()...)
	out.IsRecord = len(out.Fields) > 0
	switch n := len(d.constructors); {
	case !out.IsRecord:
		out.Problem = fmt.Sprintf("%s is no record; show_constructors lists its %s", d.name, wording.Plural(n, "constructor", "constructors"))
	case n > 1:
		out.Problem = fmt.Sprintf("%s has %d constructors; show_constructors tells which has which fields", d.name, n)
	}
	return nil
}

// fields lists the fields of all constructors, each name once.
func (d typeDecl) fields() []code.Field {
	var fields []code.Field
	seen := make(map[string]bool)
	for _, c := range d.constructors {
		for _, field := range c.fields {
			if field.name == "" || seen[field.name] {
				continue
			}
			seen[field.name] = true
			fields = append(fields, code.Field{
				Name: field.name, Type: field.typ, Strict: field.strict, Doc: wording.OneLine(docAt(d.file, field.at.Line())),
				File: d.file.Path, Line: field.at.Line(),
			})
		}
	}
	return fields
}

func (d typeDecl) methods() []code.Method {
	var methods []code.Method
	for _, c := range d.constructors {
		_, typ, _ := strings.Cut(stretch{c.at, c.last}.text(d.file), "::")
		methods = append(methods, code.Method{
			Name: c.name, Type: "func :: " + strings.TrimSpace(typ), Doc: wording.OneLine(docAt(d.file, c.at.Line())), File: d.file.Path, Line: c.at.Line(),
		})
	}
	return methods
}
