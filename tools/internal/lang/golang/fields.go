package golang

import (
	"context"
	"fmt"
	"go/token"
	"strings"

	"tidepool/internal/golang/syntax"
	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

func (w *walk) fields(ctx context.Context, q *query.Query, symbol lsp.Symbol, out *query.Record) error {
	asked, ok := w.typeAt(q, symbol.Location)
	if !ok {
		return query.Undeclared(symbol)
	}
	t, steps, err := w.follow(ctx, q, asked)
	if err != nil {
		return err
	}
	out.Head = query.Head{Path: asked.file.Path, Line: asked.decl.At.Line, Kind: string(t.decl.Form), Doc: excerpt.OneLine(asked.decl.Doc), Raw: t.decl.Raw, Followed: steps}
	p, err := w.promote(ctx, q, t)
	if err != nil {
		return err
	}
	switch t.decl.Form {
	case syntax.Struct:
		out.IsRecord, out.Hidden = true, p.hidden
		out.Fields = append(ownFields(t), p.fields...)
		out.Methods = append(out.Methods, p.methods...)
	case syntax.Interface:
		out.Problem = asked.decl.Name + " is an interface, not a struct: it has methods, no fields"
		out.Methods = append(ownMethods(t), p.methods...)
	default:
		out.Kind, out.Problem = kind(t.decl), w.noStruct(q, asked.decl.Name, t)
	}
	return nil
}

// noStruct returns what a type without fields is.
func (w *walk) noStruct(q *query.Query, name string, t typeDecl) string {
	constants := 0
	for _, f := range w.Files.Package(t.file.Path) {
		for _, c := range f.Constants() {
			if c.Of == t.decl.Name {
				constants++
			}
		}
	}
	if constants > 0 {
		return fmt.Sprintf("%s is an enum-like type, not a struct: %s with %s; show_constructors lists them",
			name, t.decl.Underlying, wording.Count(constants, "constant"))
	}
	if t.decl.Form == syntax.Named {
		return fmt.Sprintf("%s is defined as %s, not a struct", name, t.decl.Underlying)
	}
	return fmt.Sprintf("%s is a %s, not a struct: %s", name, t.decl.Form, t.decl.Underlying)
}

func ownFields(t typeDecl) []query.Field {
	fields := []query.Field{}
	for _, m := range t.decl.Members {
		fields = append(fields, *fieldOf(embedded{typeDecl: t}, m))
	}
	return fields
}

func ownMethods(t typeDecl) []query.Method {
	methods := []query.Method{}
	for _, m := range t.decl.Members {
		if m.Embedded {
			m.Name, m.Type = m.Type, " (embedded)"
		}
		methods = append(methods, *interfaceMethod(embedded{typeDecl: t}, m))
	}
	return methods
}

// signatureOf writes the type of a function.
func signatureOf(fn syntax.Function) string {
	results := strings.Join(fn.Results, ", ")
	switch len(fn.Results) {
	case 0:
	case 1:
		results = " " + results
	default:
		results = " (" + results + ")"
	}
	return "func(" + strings.Join(fn.Params, ", ") + ")" + results
}

func isExported(name string) bool { return token.IsExported(name) }
