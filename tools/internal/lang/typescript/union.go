package typescript

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// An alternative is one of the types that a union joins.
type alternative struct {
	text   string // as written
	at     lexer.Token
	of     typeDecl // the file of at, or the declaration of the type that it names
	fields []member
	object bool
}

// alternatives reads the parts of a union, those that are unions themselves in their place.
func alternatives(ctx context.Context, q *query.Query, t typeDecl, depth int) ([]alternative, error) {
	var all []alternative
	for _, part := range t.parts("|") {
		a := alternative{text: part.in(t.file), at: part.first, of: t}
		name := lastName(part)
		switch {
		case part.first.Is("{") && !mapped(part.first):
			a.fields, a.object = membersIn(t.file, part.first), true
		case name.Kind() != 0:
			next, ok, err := target(ctx, q, t.path, name)
			if err != nil {
				return nil, err
			}
			if ok && next.kind() == "union" && depth > 0 {
				inner, err := alternatives(ctx, q, next, depth-1)
				if err != nil {
					return nil, err
				}
				all = append(all, inner...)
				continue
			}
			if ok {
				a.at, a.of = next.name, next
			}
			if ok && next.body.Kind() != 0 && next.word != "enum" {
				a.fields, a.object = membersIn(next.file, next.body), true
			}
		}
		all = append(all, a)
	}
	return all, nil
}

// discriminant returns the property that tells the alternatives of a union apart: each has it with a literal type of its
// own; "" if there is none.
func discriminant(all []alternative) string {
	if len(all) == 0 || !all[0].object {
		return ""
	}
	for _, m := range all[0].fields {
		values := map[string]bool{}
		for _, a := range all {
			values[a.literal(m.label)] = true
		}
		if len(values) == len(all) && !values[""] {
			return m.label
		}
	}
	return ""
}

// literal returns the type of a property if it is a literal or the member of an enum, else "".
func (a alternative) literal(property string) string {
	i := slices.IndexFunc(a.fields, func(m member) bool { return m.label == property })
	if i < 0 {
		return ""
	}
	typ := a.fields[i].typ
	switch first := typ.first; {
	case first == typ.last && (first.Kind() == lexer.String || first.Kind() == lexer.Number || first.Is("true", "false", "null", "undefined")):
	case first.Kind() == lexer.Name && first.Next().Is(".") && first.Next().Next() == typ.last:
	default:
		return ""
	}
	return typ.in(a.of.file)
}

// unionText returns what a union is made of.
func unionText(ctx context.Context, q *query.Query, name string, t typeDecl) string {
	all, err := alternatives(ctx, q, t, query.MaxFollowed)
	if err != nil { // the parts as written are still right
		all = nil
	}
	text := fmt.Sprintf("%s is a union: %s", name, excerpt.Clip(strings.TrimPrefix(t.value.in(t.file), "| ")))
	if property := discriminant(all); property != "" {
		var values []string
		for _, a := range all {
			values = append(values, a.literal(property))
		}
		text += fmt.Sprintf("; %s tells which: %s", property, excerpt.Clip(strings.Join(values, ", ")))
	}
	return text
}
