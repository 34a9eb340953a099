package typescript

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// addedNumber is a number that no enum or union has.
const addedNumber = 987_654_321

// addVariant gives an enum a member more, or a union an alternative more.
func (e editor) addVariant(ctx context.Context) ([]lsp.Edit, error) {
	t, ok := typeNamed(e.file, e.path, e.name)
	switch {
	case !ok:
		return nil, senseless("%s is neither an enum nor a union", e.name.Text())
	case t.word == "enum":
		return []lsp.Edit{addMember(t)}, nil
	case t.word != "type":
		return nil, senseless("%s is %s, which has no variants; an implementation more breaks nothing that a compiler sees", t.name.Text(), withArticle(t.kind()))
	}
	return e.addAlternative(ctx, t)
}

// addMember adds the last member of an enum. Behind a text, a value must be given.
func addMember(t typeDecl) lsp.Edit {
	members := membersIn(t.file, t.body)
	member := added
	if n := len(members); n > 0 && members[n-1].value.is() {
		member += " = " + strconv.Itoa(addedNumber)
		if members[n-1].value.first.Kind() == lexer.String {
			member = added + ` = "` + added + `"`
		}
	}
	last := t.body.Match().Prev()
	if !last.Is("{", ",") {
		member = ", " + member
	}
	return lsp.Edit{Path: t.path, Start: last.End(), End: last.End(), New: member}
}

// addAlternative adds to a union what is like its other parts and yet none of them. Of objects that one property tells
// apart it is another with all that they have, so that only what needs a case for it breaks.
func (e editor) addAlternative(ctx context.Context, t typeDecl) ([]lsp.Edit, error) {
	if listed, ok, err := e.addListed(ctx, t); ok || err != nil {
		return []lsp.Edit{listed}, err
	}
	all, err := alternatives(ctx, e.q, t, query.MaxFollowed)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, senseless("%s is %s, and no union", t.name.Text(), withArticle(t.kind()))
	}
	alternative, more, err := e.alternative(ctx, all)
	if err != nil {
		return nil, err
	}
	last := t.value.last
	if len(t.parts("|")) == 1 && t.has("=>") { // not a union of results
		return nil, senseless("%s is a function type, and no union", t.name.Text())
	}
	return append(more, e.insert(last.End(), " | "+alternative)), nil
}

// alternative writes the new part of a union, with what it needs elsewhere.
func (e editor) alternative(ctx context.Context, all []alternative) (string, []lsp.Edit, error) {
	if property := discriminant(all); property != "" {
		return e.discriminated(ctx, all, property)
	}
	strs, numbers := 0, 0
	for _, a := range all {
		switch a.at.Kind() {
		case lexer.String:
			strs++
		case lexer.Number:
			numbers++
		}
	}
	switch {
	case strs > 0:
		return `"` + added + `"`, nil, nil
	case numbers > 0:
		return strconv.Itoa(addedNumber), nil, nil
	}
	return unfit, nil, nil
}

// discriminated writes an object with a new value of the property, and everything else that the others have.
func (e editor) discriminated(ctx context.Context, all []alternative, property string) (string, []lsp.Edit, error) {
	literal, edits, err := e.discriminator(ctx, all, property)
	if err != nil {
		return "", nil, err
	}
	names, err := propertiesOf(ctx, e.q, all)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	b.WriteString("{ " + property + ": " + literal)
	for _, name := range names {
		if name != property {
			b.WriteString("; " + strconv.Quote(name) + ": any")
		}
	}
	b.WriteString(" }")
	return b.String(), edits, nil
}

// discriminator returns a new value of the property that tells alternatives apart. That of an enum is a new member.
func (e editor) discriminator(ctx context.Context, all []alternative, property string) (string, []lsp.Edit, error) {
	typ := propertyOf(all[0], property)
	switch first := typ.first; first.Kind() {
	case lexer.String:
		return `"` + added + `"`, nil, nil
	case lexer.Number:
		return strconv.Itoa(addedNumber), nil, nil
	case lexer.Name:
		enum, ok, err := target(ctx, e.q, all[0].of.path, first)
		if err == nil && ok && enum.word == "enum" {
			return e.reach(enum) + "." + added, []lsp.Edit{addMember(enum)}, nil
		}
		return unfit, nil, err
	}
	return unfit, nil, nil
}

// reach names a type of any file in a type of the editor's.
func (e editor) reach(t typeDecl) string {
	rel, err := filepath.Rel(filepath.Dir(e.path), strings.TrimSuffix(t.path, filepath.Ext(t.path)))
	if t.path == e.path || err != nil {
		return t.name.Text()
	}
	return `import("./` + filepath.ToSlash(rel) + `.js").` + t.name.Text()
}

func propertyOf(a alternative, property string) span {
	i := slices.IndexFunc(a.fields, func(m member) bool { return m.label == property })
	if i < 0 {
		return span{}
	}
	return a.fields[i].typ
}

// propertiesOf names what alternatives have, with what they inherit, each once.
func propertiesOf(ctx context.Context, q *query.Query, all []alternative) ([]string, error) {
	var names []string
	for _, a := range all {
		out := &query.Record{}
		list := listing{q: q, out: out, taken: map[string]bool{}, seen: map[query.Spot]bool{}}
		if a.of.body.Kind() != 0 {
			if err := list.add(ctx, a.of, ""); err != nil {
				return nil, err
			}
		}
		for _, m := range a.fields {
			out.Fields = append(out.Fields, query.Field{Name: m.label})
		}
		for _, f := range out.Fields {
			if nameOr(f.Name, "") != "" && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names, nil
}

// addListed adds an element to the list that a type takes its alternatives from: (typeof all)[number]; false for other
// types.
func (e editor) addListed(ctx context.Context, t typeDecl) (lsp.Edit, bool, error) {
	first := t.value.first
	if first.Is("(") {
		first = first.Next()
	}
	name := first.Next()
	behind := name.Next()
	if behind.Is(")") {
		behind = behind.Next()
	}
	if !first.Is("typeof") || !behind.Is("[") || !behind.Next().Is("number") || behind.Match() != t.value.last {
		return lsp.Edit{}, false, nil
	}
	found, err := e.q.View.Definition(ctx, placeOf(t.path, name))
	if err != nil {
		return lsp.Edit{}, false, err
	}
	for _, at := range found {
		f, err := e.q.Lexed.Open(at.Path)
		if err != nil {
			return lsp.Edit{}, false, err
		}
		m := member{}
		m, _ = m.readRest(tokenIn(f, at).Next(), lexer.Token{})
		if list := m.value.first; list.Is("[") {
			return lsp.Edit{Path: at.Path, Start: list.End(), End: list.End(), New: `"` + added + `", `}, true, nil
		}
	}
	return lsp.Edit{}, false, nil
}
