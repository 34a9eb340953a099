package rust

import (
	"context"
	"fmt"
	"strconv"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/wording"
)

// itemOf returns the item declared at a symbol's place.
func itemOf(q *code.Inquiry, l lsp.Location) (itemDecl, bool) {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return itemDecl{}, false
	}
	return itemAt(f, f.At(l.Range.Start.Line, l.Range.Start.Column))
}

// typeMeant finds the item that a symbol is the name of, and the one that this stands for.
func typeMeant(ctx context.Context, q *code.Inquiry, symbol lsp.Symbol) (asked, item itemDecl, h code.Head, err error) {
	asked, ok := itemOf(q, symbol.Location)
	if !ok {
		return asked, item, h, code.Undeclared(symbol)
	}
	item, steps, err := followed(ctx, q, asked)
	return asked, item, code.Head{Path: asked.file.Path, Line: asked.name.Line(), Kind: item.keyword, Doc: wording.OneLine(asked.doc()), Raw: item.raw(), Followed: steps}, err
}

// followed goes from type aliases to what they stand for.
func followed(ctx context.Context, q *code.Inquiry, asked itemDecl) (itemDecl, []string, error) {
	steps := []string{}
	item := asked
	for range code.MaxFollowed {
		if item.keyword != "type" {
			break
		}
		target := piece{first: behind(item.name, "="), last: item.last.Prev()}
		if target.first.Kind() == 0 {
			break
		}
		name := target.first
		for name.Next().Is("::") {
			name = name.Next().Next()
		}
		line, column := name.Position()
		found, err := q.View.Definition(ctx, lsp.At(item.file.Path, line, column))
		if err != nil {
			return item, steps, fmt.Errorf("following a type in %s: %w", item.file.Path, err)
		}
		if len(found) == 0 || !q.Within(found[0].Path) {
			break
		}
		next, ok := itemOf(q, found[0])
		if !ok {
			break
		}
		steps = append(steps, fmt.Sprintf("type %s = %s, see %s:%d", item.name.Text(), target.text(item.file), q.Relative(next.file.Path), next.name.Line()))
		item = next
	}
	return item, steps, nil
}

// behind is the token behind the first one written so.
func behind(t lexer.Token, text string) lexer.Token {
	for ; t.Kind() != 0 && !t.Is(";"); t = t.Next() {
		if t.Is(text) {
			return t.Next()
		}
	}
	return lexer.Token{}
}

func fields(ctx context.Context, q *code.Inquiry, symbol lsp.Symbol, out *code.Record) error {
	asked, item, h, err := typeMeant(ctx, q, symbol)
	if err != nil {
		return err
	}
	name := asked.name.Text()
	out.Head = h
	switch item.keyword {
	case "struct", "union":
		out.IsRecord = true
		out.Fields = append(out.Fields, item.fields(item.body)...)
	case "enum":
		out.Problem = fmt.Sprintf("%s is an enum with %s, not a struct; show_constructors lists them", name, wording.Plural(len(parts(item.body)), "variant", "variants"))
	case "trait":
		out.Problem = name + " is a trait, not a struct: it has methods, no fields"
		out.Methods = append(out.Methods, item.methods()...)
	default:
		out.Problem = name + " is a type alias, not a struct: " + item.raw()
	}
	return nil
}

// fields lists the fields between brackets: those of a tuple are called 0, 1, …
func (i itemDecl) fields(open lexer.Token) []code.Field {
	var fields []code.Field
	for n, p := range parts(open) {
		p = p.visible()
		f := code.Field{Name: strconv.Itoa(n), Strict: true, File: i.file.Path, Line: p.first.Line()}
		if open.Is("{") {
			f.Name, f.Doc = p.first.Text(), wording.OneLine(docAbove(i.file, p.first.Line()))
			p.first = p.first.Next().Next() // behind the colon
		}
		if p.first.Kind() != 0 && p.first.Start() <= p.last.Start() {
			f.Type = p.text(i.file)
		}
		fields = append(fields, f)
	}
	return fields
}

func (i itemDecl) methods() []code.Method {
	var methods []code.Method
	for _, fn := range functions(i.file, i.body) {
		methods = append(methods, code.Method{
			Name: fn.name.Text(), Type: "func" + fn.shown(), Doc: wording.OneLine(fn.doc()), File: i.file.Path, Line: fn.name.Line(),
		})
	}
	return methods
}

// shown is a function's signature behind its name.
func (i itemDecl) shown() string {
	params, result := i.signature()
	text := "(" + joinComma(params) + ")"
	if result != "" {
		text += " -> " + result
	}
	return text
}
