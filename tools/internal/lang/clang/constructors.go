package clang

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// constructors lists the enumerators of an enum, the constructors of a class, the functions that return a type or
// a pointer to it, and the classes derived from it; it counts the places that initialise one.
func constructors(ctx context.Context, q *query.Query, symbol lsp.Symbol, out *query.Construction) error {
	asked, t, h, err := typeMeant(ctx, q, symbol)
	if err != nil {
		return err
	}
	out.Head = h
	var members []query.Constructor
	for _, s := range t.enumerators() {
		members = append(members, t.enumerator(s))
	}
	out.List("enumerator", members)
	if t.form == "union" {
		out.List("alternative", t.alternatives())
	}
	out.List("constructor", t.made())
	m := maker{q: q, seen: map[string]bool{}}
	for _, name := range []typeDecl{asked, t} {
		if err := m.collect(ctx, name.at()); err != nil {
			return err
		}
	}
	out.Literals = m.literals
	out.List("function", m.functions)
	if t.form == "class" || t.form == "struct" {
		derived, err := derived(ctx, q, t)
		if err != nil {
			return err
		}
		out.List("derived type", derived)
	}
	return nil
}

// enumerator returns a member of an enum with the value that is written, if one is.
func (t typeDecl) enumerator(s lsp.DocumentSymbol) query.Constructor {
	name := t.file.At(s.NameRange.Start.Line, s.NameRange.Start.Column)
	value, last := "", name
	if name.Next().Is("=") {
		for !last.Next().Is(",", "}") && last.Next().Kind() != 0 {
			if last = last.Next(); last.Is("(") && last.Match().Kind() != 0 {
				last = last.Match()
			}
		}
		value = textOf(t.file, name.Next().Next(), last)
	}
	shown := s.Name
	if value != "" {
		shown += " = " + value
	}
	return query.Constructor{
		Name: s.Name, Fields: []string{}, Detail: value, Doc: doc(t.file, name, last), Test: test(t.file.Path), File: t.file.Path,
		Line: s.NameRange.Start.Line, Shown: shown,
	}
}

// alternatives returns the members of a union, one of which a value holds.
func (t typeDecl) alternatives() []query.Constructor {
	var all []query.Constructor
	for _, f := range t.fields(t.symbol.Children, "", "") {
		all = append(all, query.Constructor{
			Name: f.Name, Fields: []string{f.Type}, Detail: f.Type, Doc: f.Doc, Test: test(f.File), File: f.File, Line: f.Line,
			Shown: f.Type + " " + f.Name,
		})
	}
	return all
}

// made returns the constructors that a class declares.
func (t typeDecl) made() []query.Constructor {
	var all []query.Constructor
	for _, s := range t.symbol.Children {
		if s.Kind != lsp.KindConstructor || strings.HasPrefix(s.Name, "~") {
			continue
		}
		name := t.file.At(s.NameRange.Start.Line, s.NameRange.Start.Column)
		all = append(all, function(t.file, name))
	}
	return all
}

// function returns a function with its name at a token, as a constructor.
func function(f *lexer.File, name lexer.Token) query.Constructor {
	open := name.Next()
	first, last := name.Statement(), open.Match()
	for first.Is("public", "protected", "private", ":") {
		first = first.Next()
	}
	result := textOf(f, first, chainStart(name).Prev())
	if first == chainStart(name) {
		result = ""
	}
	line, _ := name.Position()
	return query.Constructor{
		Name: name.Text(), Fields: parameters(f, open), Detail: result, Doc: doc(f, first, last), Test: test(f.Path), File: f.Path,
		Line: line, Shown: textOf(f, first, last),
	}
}

// parameters returns the parameters between parentheses, as written; none for (void).
func parameters(f *lexer.File, open lexer.Token) []string {
	all := []string{}
	from := open.Next()
	for t := from; t.Kind() != 0 && t.Start() <= open.Match().Start(); t = t.Next() {
		if t.Is(",") && t.Outer() == open || t == open.Match() {
			if text := textOf(f, from, t.Prev()); text != "" && text != "void" && from != t {
				all = append(all, text)
			}
			from = t.Next()
		}
	}
	return all
}

// A maker sorts the references to a type by what they make of it.
type maker struct {
	q         *query.Query
	functions []query.Constructor
	literals  int
	seen      map[string]bool
}

func (m *maker) collect(ctx context.Context, at lsp.Location) error {
	references, err := m.q.View.References(ctx, at, false)
	if err != nil {
		return fmt.Errorf("finding references of a type: %w", err)
	}
	references = query.Distinct(references)
	if err := m.q.OutlineAll(ctx, references); err != nil {
		return err
	}
	for _, r := range references {
		key := fmt.Sprint(query.SpotOf(r))
		if m.seen[key] || !m.q.Within(r.Path) {
			continue
		}
		m.seen[key] = true
		if err := m.reference(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) reference(ctx context.Context, r lsp.Location) error {
	f, err := open(m.q.Lexed, r.Path)
	if err != nil {
		return fmt.Errorf("classifying a reference: %w", err)
	}
	t := f.At(r.Range.Start.Line, r.Range.Start.Column)
	if alias := aliasOf(t); alias.Kind() != 0 {
		line, column := alias.Position()
		return m.collect(ctx, lsp.At(f.Path, line, column))
	}
	u := useOf(t)
	switch {
	case u.Kind == "qualifier":
		return nil
	case u.Kind == "new", u.Kind == "call" && !declaring(t), initialised(t):
		m.literals++
		return nil
	}
	symbols, err := m.q.Outline(ctx, r.Path)
	if err != nil {
		return err
	}
	if function, ok := returning(symbols, r.Range.Start); ok {
		m.function(f, f.At(function.NameRange.Start.Line, function.NameRange.Start.Column))
	}
	return nil
}

// aliasOf returns the name that a typedef or using gives to the type that t names, none if t does not stand in one.
func aliasOf(t lexer.Token) lexer.Token {
	first := t.Statement()
	switch {
	case first.Is("typedef"):
		last := t
		for last.Next().Kind() != 0 && !last.Next().Is(";", "{", "(", "*", "[") {
			last = last.Next()
		}
		if last.Next().Is(";") && last != t && last.Kind() == lexer.Name {
			return last
		}
	case first.Is("using") && first.Next().Next().Is("=") && t.Next().Is(";"):
		return first.Next()
	}
	return lexer.Token{}
}

// declaring reports whether parentheses behind the name of a class declare its constructor or destructor.
func declaring(t lexer.Token) bool {
	return t.Prev().Is("~", "::", "explicit", "{", "}", ";", ":", "inline", "constexpr")
}

// initialised reports whether a type stands before a variable that is initialised at once: struct T x = {…}.
func initialised(t lexer.Token) bool {
	name := t.Next()
	if name.Kind() != lexer.Name {
		return false
	}
	next := name.Next()
	for next.Is("[") {
		next = next.Match().Next()
	}
	return next.Is("=") && next.Next().Is("{") || next.Is("{") && t.Outer().Kind() != 0
}

// returning returns the function before whose name, and behind whose start, a place lies.
func returning(symbols []lsp.DocumentSymbol, at lsp.Position) (lsp.DocumentSymbol, bool) {
	for _, s := range symbols {
		if !query.Covers(s.Range, at) {
			continue
		}
		if (s.Kind == lsp.KindFunction || s.Kind == lsp.KindMethod) && query.Before(at, s.NameRange.Start) {
			return s, true
		}
		return returning(s.Children, at)
	}
	return lsp.DocumentSymbol{}, false
}

// function takes a function once: its definition rather than prototypes of it. A name before :: is no result.
func (m *maker) function(f *lexer.File, name lexer.Token) {
	made := function(f, name)
	if made.Detail == "" {
		return
	}
	same := slices.IndexFunc(m.functions, func(known query.Constructor) bool {
		return known.Name == made.Name && len(known.Fields) == len(made.Fields)
	})
	switch {
	case same < 0:
		m.functions = append(m.functions, made)
	case name.Next().Match().Next().Is("{"):
		if made.Doc == "" {
			made.Doc = m.functions[same].Doc
		}
		m.functions[same] = made
	}
}

// derived returns the classes that inherit from a class.
func derived(ctx context.Context, q *query.Query, t typeDecl) ([]query.Constructor, error) {
	found, err := q.View.Implementations(ctx, t.at())
	if err != nil {
		return nil, fmt.Errorf("finding what derives from %s: %w", t.name.Text(), err)
	}
	var all []query.Constructor
	for _, at := range query.Distinct(found) {
		d, ok, err := typeAt(ctx, q, at)
		if err != nil {
			return nil, err
		}
		if ok && q.Within(at.Path) {
			all = append(all, query.Constructor{
				Name: d.name.Text(), Fields: []string{}, Detail: d.form, Doc: doc(d.file, d.first(), d.last()), Test: test(at.Path),
				File: at.Path, Line: d.name.Line(), Shown: textOf(d.file, d.first(), d.body.Prev()),
			})
		}
	}
	return all, nil
}
