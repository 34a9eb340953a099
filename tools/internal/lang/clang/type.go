package clang

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// A typeDecl is a declaration of a type in C or C++.
type typeDecl struct {
	file   *lexer.File
	name   lexer.Token
	body   lexer.Token        // the brace that opens it; none: it has no body here
	symbol lsp.DocumentSymbol // what the server lists of it; of a typedef with a body, the type without a name
	form   string             // "struct", "union", "enum", "class", "enum class", "type alias", "macro"
}

func (t typeDecl) at() lsp.Location {
	line, column := t.name.Position()
	return lsp.At(t.file.Path, line, column)
}

// typeAt returns the type whose name is declared at a place; false if none is.
func typeAt(ctx context.Context, q *query.Query, at lsp.Location) (typeDecl, bool, error) {
	f, err := open(q.Lexed, at.Path)
	if err != nil {
		return typeDecl{}, false, err
	}
	symbols, err := q.Outline(ctx, at.Path)
	if err != nil {
		return typeDecl{}, false, err
	}
	path, ok := declaredAt(symbols, at.Range.Start)
	t := typeDecl{file: f, name: f.At(at.Range.Start.Line, at.Range.Start.Column)}
	if !ok {
		return t, false, nil
	}
	t.symbol, t.form = path[len(path)-1], form(t.name)
	switch {
	case t.form != "type alias":
		t.body = body(t.name)
	case t.name.Prev().Is("}"): // typedef struct {…} name
		t.body = t.name.Prev().Match()
		t.symbol, ok = unnamed(symbols, f, t.body)
		head := t.body.Prev()
		if head.Kind() == lexer.Name { // typedef struct tag {…} name
			head = head.Prev()
		}
		t.form = head.Text()
	}
	return t, ok, nil
}

// form returns the kind of type that stands before its name.
func form(name lexer.Token) string {
	before := name.Prev()
	for before.Is("]", ")") || before.Kind() == lexer.Name { // attributes and macros
		if before.Match().Kind() != 0 {
			before = before.Match()
		}
		before = before.Prev()
	}
	for before.Is("[") {
		before = before.Prev()
	}
	switch {
	case before.Prev().Is("enum") && before.Is("class", "struct"):
		return "enum class"
	case before.Is("struct", "union", "enum", "class") && !name.Next().Is(";") || before.Is("struct", "union", "enum", "class") && !name.Statement().Is("typedef"):
		return before.Text()
	}
	return "type alias"
}

// body returns the brace that opens the body behind a name, none if the declaration ends before.
func body(name lexer.Token) lexer.Token {
	for t := name.Next(); t.Kind() != 0 && !t.Is(";", ")", "="); t = t.Next() {
		if t.Is("{") {
			return t
		}
	}
	return lexer.Token{}
}

// unnamed finds the type without a name of its own whose body a brace opens.
func unnamed(symbols []lsp.DocumentSymbol, f *lexer.File, brace lexer.Token) (lsp.DocumentSymbol, bool) {
	line, column := brace.Position()
	at := lsp.Position{Line: line, Column: column}
	for _, s := range symbols {
		if !query.Covers(s.Range, at) {
			continue
		}
		if inner, ok := unnamed(s.Children, f, brace); ok {
			return inner, true
		}
		if query.IsType(s.Kind) {
			return s, true
		}
	}
	return lsp.DocumentSymbol{}, false
}

// target returns the type that a name in a file means, followed through aliases.
func target(ctx context.Context, q *query.Query, f *lexer.File, name lexer.Token) (typeDecl, bool, error) {
	line, column := name.Position()
	found, err := q.View.Definition(ctx, lsp.At(f.Path, line, column))
	if err != nil || len(found) == 0 || !q.Within(found[0].Path) {
		return typeDecl{}, false, err
	}
	t, ok, err := typeAt(ctx, q, found[0])
	if err != nil || !ok {
		return t, false, err
	}
	t, _, err = follow(ctx, q, t)
	return t, true, err
}

// typeMeant finds the type that a symbol is the name of, and the one that this stands for.
func typeMeant(ctx context.Context, q *query.Query, symbol lsp.Symbol) (asked, t typeDecl, h query.Head, err error) {
	asked, ok, err := typeAt(ctx, q, symbol.Location)
	if err != nil {
		return asked, t, h, err
	}
	if !ok {
		return asked, t, h, query.Undeclared(symbol)
	}
	t, steps, err := follow(ctx, q, asked)
	doc := doc(asked.file, asked.first(), asked.last())
	return asked, t, query.Head{Path: asked.file.Path, Line: asked.name.Line(), Kind: t.kind(), Doc: doc, Raw: t.raw(), Followed: steps}, err
}

// follow follows aliases to what they stand for, and says so: "node_t = node".
func follow(ctx context.Context, q *query.Query, t typeDecl) (typeDecl, []string, error) {
	var steps []string
	for range query.MaxFollowed {
		name := t.aliased()
		if name.Kind() != lexer.Name {
			break
		}
		line, column := name.Position()
		found, err := q.View.Definition(ctx, lsp.At(t.file.Path, line, column))
		if err != nil {
			return t, steps, fmt.Errorf("following %s: %w", t.name.Text(), err)
		}
		if len(found) == 0 || !q.Within(found[0].Path) {
			break
		}
		next, ok, err := typeAt(ctx, q, found[0])
		if err != nil || !ok {
			return t, steps, err
		}
		steps = append(steps, fmt.Sprintf("%s = %s, see %s:%d", t.name.Text(), t.aliasText(), q.Relative(next.file.Path), next.name.Line()))
		t = next
	}
	return t, steps, nil
}

// aliased returns the name of the type that an alias stands for, none if it is no alias or for something else than one type.
func (t typeDecl) aliased() lexer.Token {
	if t.form != "type alias" || t.body.Kind() != 0 {
		return lexer.Token{}
	}
	if t.name.Next().Is("=") { // using name = ns::T<…>;
		last := t.name.Next().Next()
		for last.Next().Is("::") {
			last = last.Next().Next()
		}
		return last
	}
	before := t.name.Prev()
	for before.Is("*", "const") {
		before = before.Prev()
	}
	return before
}

// aliasText returns what an alias stands for, as written.
func (t typeDecl) aliasText() string {
	first, last := t.name.Statement().Next(), t.name
	for !last.Next().Is(";") && last.Next().Kind() != 0 {
		last = last.Next()
	}
	switch {
	case t.name.Next().Is("="):
		first = t.name.Next().Next()
	case last == t.name:
		last = t.name.Prev()
	}
	return textOf(t.file, first, last)
}

func textOf(f *lexer.File, from, to lexer.Token) string {
	if from.Kind() == 0 || to.Kind() == 0 || to.End() < from.Start() {
		return ""
	}
	return excerpt.OneLine(f.Text(from.Start(), to.End()))
}

// first and last are the tokens that a declaration begins and ends with.
func (t typeDecl) first() lexer.Token {
	if t.body.Kind() != 0 && t.body.Start() < t.name.Start() {
		return t.body.Prev().Statement()
	}
	return t.name.Statement()
}

func (t typeDecl) last() lexer.Token {
	end := t.name
	if t.body.Kind() != 0 && t.body.Match().Kind() != 0 && t.body.Match().Start() > end.Start() {
		end = t.body.Match()
	}
	for ; end.Next().Kind() != 0 && !end.Is(";"); end = end.Next() {
		if end.Next().Is("{") {
			end = end.Next().Match().Prev()
		}
	}
	return end
}

// raw returns the declaration as written.
func (t typeDecl) raw() string { return t.file.Text(t.first().Start(), t.last().End()) }

// kind returns what a type is in words.
func (t typeDecl) kind() string {
	if t.body.Kind() == 0 && t.form != "type alias" {
		return t.form + " without a body"
	}
	return t.form
}

// enumerators returns the members of an enum.
func (t typeDecl) enumerators() []lsp.DocumentSymbol {
	return slices.DeleteFunc(slices.Clone(t.symbol.Children), func(s lsp.DocumentSymbol) bool { return s.Kind != lsp.KindEnumMember })
}

// doc returns the comment behind a declaration on its last line, or else the one above it.
func doc(f *lexer.File, first, last lexer.Token) string {
	line, column := f.Position(last.End())
	if rest := f.Line(line); column-1 < len(rest) {
		rest = strings.TrimLeft(rest[column-1:], ",; \t")
		if strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") {
			return comment(rest)
		}
	}
	if above := first.Comment(); above.Kind() != 0 && strings.HasPrefix(strings.TrimSpace(f.Line(above.Line())), "/") {
		return comment(commentAbove(f, above))
	}
	return ""
}

// commentAbove returns a comment with the lines of comment right above it.
func commentAbove(f *lexer.File, comment lexer.Token) string {
	text := comment.Text()
	for line := comment.Line() - 1; strings.HasPrefix(text, "//") && strings.HasPrefix(strings.TrimSpace(f.Line(line)), "//"); line-- {
		text = strings.TrimSpace(f.Line(line)) + "\n" + text
	}
	return text
}

// comment returns the text in a comment.
func comment(comment string) string {
	comment, _, _ = strings.Cut(comment, "*/")
	var words []string
	for line := range strings.Lines(comment) {
		words = append(words, strings.TrimLeft(strings.TrimSpace(line), "/*!< "))
	}
	return excerpt.OneLine(strings.Join(words, " "))
}
