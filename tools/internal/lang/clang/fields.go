package clang

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// fields lists the members of a struct, union or class, those of structs and unions within it that have no name of
// their own, and those of its bases; of an enum its enumerators.
func fields(ctx context.Context, q *query.Query, symbol lsp.Symbol, out *query.Record) error {
	asked, t, h, err := typeMeant(ctx, q, symbol)
	if err != nil {
		return err
	}
	out.Head = h
	switch {
	case strings.HasPrefix(t.form, "enum"):
		out.Fields = t.enumeratorFields()
		out.Problem = fmt.Sprintf("%s is an enum, not a struct: these are its enumerators", asked.name.Text())
		return nil
	case t.form == "type alias":
		out.Problem = fmt.Sprintf("%s is an alias, not a struct: %s", asked.name.Text(), t.aliasText())
		return nil
	case t.body.Kind() == 0:
		out.Problem = fmt.Sprintf("%s is only declared: no file of the project says what it holds", t.name.Text())
		return nil
	}
	out.IsRecord = true
	line, unknown, err := lineage(ctx, q, t)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		q.Doubt(fmt.Sprintf("what %s inherits from %s is not known: it is declared outside of the project", t.name.Text(), strings.Join(unknown, " and ")))
	}
	members(q, line, out)
	return nil
}

func (t typeDecl) enumeratorFields() []query.Field {
	var all []query.Field
	for _, s := range t.enumerators() {
		c := t.enumerator(s)
		all = append(all, query.Field{Name: s.Name, Type: c.Detail, Strict: true, Doc: c.Doc, File: c.File, Line: c.Line})
	}
	return all
}

// members fills in the members of a class and of those it inherits from.
func members(q *query.Query, line []typeDecl, out *query.Record) {
	taken := map[string]bool{}
	for i, t := range line {
		from := ""
		if i > 0 {
			from = t.name.Text()
			out.Followed = append(out.Followed, fmt.Sprintf("inherits from %s, see %s:%d", from, q.Relative(t.file.Path), t.name.Line()))
		}
		var names []string
		for _, f := range t.fields(t.symbol.Children, from, "") {
			switch {
			case taken[f.Name]:
			case from != "" && strings.HasPrefix(f.Tag, "private"):
				out.Hidden++
			default:
				out.Fields = append(out.Fields, f)
			}
			names = append(names, f.Name)
		}
		for _, m := range t.methods(from) {
			if !taken[m.Name] {
				out.Methods = append(out.Methods, m)
			}
			names = append(names, m.Name)
		}
		for _, name := range names {
			taken[name] = true
		}
	}
}

// fields returns the members among what the server lists. The members of a struct without a name are those of the one
// around it, or follow the name of the member that is of that type.
func (t typeDecl) fields(symbols []lsp.DocumentSymbol, from, within string) []query.Field {
	var all []query.Field
	for i, s := range symbols {
		if strings.HasPrefix(s.Name, "(anonymous") {
			member := within
			if i+1 < len(symbols) && symbols[i+1].Kind == lsp.KindField && query.Covers(s.Range, nameBefore(t.file, symbols[i+1])) {
				all = append(all, t.field(symbols[i+1], from, within))
				member = within + symbols[i+1].Name + "."
			}
			all = append(all, t.fields(s.Children, from, member)...)
			continue
		}
		if s.Kind != lsp.KindField || i > 0 && strings.HasPrefix(symbols[i-1].Name, "(anonymous") && query.Covers(symbols[i-1].Range, nameBefore(t.file, s)) {
			continue
		}
		all = append(all, t.field(s, from, within))
	}
	return all
}

// nameBefore returns the place of what stands before the name of a member: the brace that closes its type, if that has a
// body there.
func nameBefore(f *lexer.File, s lsp.DocumentSymbol) lsp.Position {
	before := f.At(s.NameRange.Start.Line, s.NameRange.Start.Column).Prev()
	for before.Is("*") {
		before = before.Prev()
	}
	line, column := before.Position()
	return lsp.Position{Line: line, Column: column}
}

func (t typeDecl) field(s lsp.DocumentSymbol, from, within string) query.Field {
	name := t.file.At(s.NameRange.Start.Line, s.NameRange.Start.Column)
	first, last := name.Statement(), name
	for !last.Next().Is(";", "}", "") && last.Next().Kind() != 0 {
		last = last.Next()
	}
	typ := s.Detail
	if name.Next().Is(":") {
		typ += " : " + name.Next().Next().Text()
	}
	for first.Is("public", "protected", "private") {
		first = first.Next().Next()
	}
	return query.Field{
		Name: within + s.Name, Type: typ, Strict: true, Tag: t.access(name), Doc: doc(t.file, first, last), PromotedFrom: from,
		File: t.file.Path, Line: s.NameRange.Start.Line,
	}
}

// access returns how far a member of a class can be seen: "private", "protected", or "" for public.
func (t typeDecl) access(member lexer.Token) string {
	if directive(member) != "" || strings.HasSuffix(t.file.Path, ".c") {
		return ""
	}
	for outer := member.Outer(); outer.Kind() != 0 && outer != t.body; outer = outer.Outer() {
		member = outer
	}
	for at := member; at != t.body && at.Kind() != 0; at = at.Prev() {
		if at.Match().Kind() != 0 && at.Match().Start() < at.Start() {
			at = at.Match()
			continue
		}
		if at.Outer() == t.body && at.Next().Is(":") && at.Is("public", "protected", "private") {
			return strings.TrimPrefix(at.Text(), "public")
		}
	}
	if t.form == "class" {
		return "private"
	}
	return ""
}

// methods returns those that a class declares, without constructors.
func (t typeDecl) methods(from string) []query.Method {
	var all []query.Method
	for _, s := range t.symbol.Children {
		name := t.file.At(s.NameRange.Start.Line, s.NameRange.Start.Column)
		if s.Kind != lsp.KindMethod || from != "" && t.access(name) == "private" {
			continue
		}
		all = append(all, query.Method{
			Name: s.Name, Type: signature(s.Detail), Doc: doc(t.file, name.Statement(), name.Next().Match()), PromotedFrom: from,
			File: t.file.Path, Line: s.NameRange.Start.Line, Column: s.NameRange.Start.Column,
		})
	}
	return all
}

// signature writes the server's "double (int) const" with the result behind: "(int) const -> double".
func signature(detail string) string {
	result, rest, ok := strings.Cut(detail, " (")
	if !ok {
		return " " + detail
	}
	return "(" + rest + " -> " + result
}
