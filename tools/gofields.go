package tools

import (
	"context"
	"fmt"
	"go/token"
	"strconv"
	"strings"

	"tidepool/internal/gosyntax"
	"tidepool/lsp"
	"tidepool/tools/internal/wording"
)

// Bounds of an output.
const (
	maxRaw   = 200 // lines of a definition
	maxShown = 400 // fields, and as many methods
)

func goFields(ctx context.Context, q *inquiry, symbol lsp.Symbol, out *ShowFieldsOutput) error {
	asked, ok := q.typeAt(symbol.Location)
	if !ok {
		return undeclared(symbol)
	}
	t, steps, err := q.follow(ctx, asked)
	if err != nil {
		return err
	}
	out.begin(head{asked.file.Path, asked.decl.At.Line, string(t.decl.Form), wording.OneLine(asked.decl.Doc), t.decl.Raw, steps})
	p, err := q.promote(ctx, t)
	if err != nil {
		return err
	}
	defer out.cut()
	switch t.decl.Form {
	case gosyntax.Struct:
		out.IsRecord, out.Hidden = true, p.hidden
		out.Fields = append(ownFields(t), p.fields...)
		out.Methods = append(out.Methods, p.methods...)
	case gosyntax.Interface:
		out.problem = asked.decl.Name + " is an interface, not a struct: it has methods, no fields"
		out.Methods = append(ownMethods(t), p.methods...)
	default:
		out.Kind, out.problem = goKind(t.decl), q.noStruct(asked.decl.Name, t)
	}
	return nil
}

// cut keeps the output within its bounds and counts what it drops.
func (o *ShowFieldsOutput) cut() {
	fields, methods := min(len(o.Fields), maxShown), min(len(o.Methods), maxShown)
	o.Cut = len(o.Fields) - fields + len(o.Methods) - methods
	o.Fields, o.Methods = o.Fields[:fields], o.Methods[:methods]
}

// noStruct says what a type without fields is.
func (q *inquiry) noStruct(name string, t goType) string {
	constants := 0
	for _, f := range q.files.Package(t.file.Path) {
		for _, c := range f.Constants() {
			if c.Of == t.decl.Name {
				constants++
			}
		}
	}
	if constants > 0 {
		return fmt.Sprintf("%s is an enum-like type, not a struct: %s with %s; show_constructors lists them",
			name, t.decl.Underlying, wording.Plural(constants, "constant", "constants"))
	}
	if t.decl.Form == gosyntax.Named {
		return fmt.Sprintf("%s is defined as %s, not a struct", name, t.decl.Underlying)
	}
	return fmt.Sprintf("%s is a %s, not a struct: %s", name, t.decl.Form, t.decl.Underlying)
}

func undeclared(symbol lsp.Symbol) error {
	return &hintedError{
		what: fmt.Sprintf("cannot read the declaration of %s at %s:%d", symbol.Name, symbol.Location.Path, symbol.Location.Range.Start.Line),
		hint: "the file may have just changed or not parse; look at it, then ask again",
	}
}

func ownFields(t goType) []Field {
	fields := []Field{}
	for _, m := range t.decl.Members {
		fields = append(fields, *fieldOf(embedded{goType: t}, m))
	}
	return fields
}

func ownMethods(t goType) []Method {
	methods := []Method{}
	for _, m := range t.decl.Members {
		if m.Embedded {
			m.Name, m.Type = m.Type, " (embedded)"
		}
		methods = append(methods, *interfaceMethod(embedded{goType: t}, m))
	}
	return methods
}

// signature writes the type of a function.
func signature(fn gosyntax.Function) string {
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

// baseOf is the M of "T.M".
func baseOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func isExported(name string) bool { return token.IsExported(name) }

func itoa(n int) string { return strconv.Itoa(n) }

func firstLines(text string, limit int) string {
	lines := strings.SplitN(text, "\n", limit+1)
	lines = lines[:min(len(lines), limit)]
	for i, line := range lines {
		lines[i] = wording.Clip(line)
	}
	return strings.Join(lines, "\n")
}
