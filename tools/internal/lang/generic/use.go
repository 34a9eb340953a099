package generic

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

func (r reader) use(_ context.Context, q *query.Query, l lsp.Location) (query.Use, error) {
	t, err := r.at(q, l)
	if err != nil {
		return query.Use{}, err
	}
	u, whole := r.useOf(t)
	u.Test = r.test(l.Path) || inTests(t)
	if line, column := whole.Position(); u.Kind == "case" && line > 0 {
		u.Whole = lsp.At(l.Path, line, column)
	}
	return u, nil
}

// at is the name at a place. That of an operator in parentheses, or of a function in backquotes, begins with these.
func (r reader) at(q *query.Query, l lsp.Location) (lexer.Token, error) {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return lexer.Token{}, err
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	if r.juxtaposed && t.Is("(", "`") {
		t = t.Next()
	}
	return t, nil
}

// facts are what rules ask for, a word each.
type facts struct {
	head   string // the keyword that the statement begins with, behind modifiers; "pub:use" for what is handed on
	before string // the token before the name and what qualifies it
	after  string // the token behind it and its type arguments; "operand" for any of these; "?": it may belong to something else
	class  string // upper, lower, operator
	place  string // declared, typed (in a type), subject (of a header), header, pattern, expression (begins one), argument; "": any other
}

// useOf takes the first rule that fits a name. whole is the switch that a pattern is of.
func (r reader) useOf(t lexer.Token) (u query.Use, whole lexer.Token) {
	if t.Kind() == lexer.Comment {
		return query.Use{}, whole
	}
	u.Kind = query.Unknown
	if t.Kind() != lexer.Name && !r.names.has(t) && !r.operator(t) || r.quoted(t) {
		return u, whole
	}
	head := r.keyword(t)
	f := facts{head: head.Text(), after: r.after(t), class: class(t)}
	if before := r.path(t).Prev(); !before.Prev().Is("'", "*") { // 'static T, *const T
		f.before = before.Text()
	}
	if head.Prev().Is("pub", ")") {
		f.head = "pub:" + f.head
	}
	f.place, u.Passed, whole = r.place(t, head)
	for _, rule := range r.rules {
		if rule.fits(f) {
			u.Kind = rule.kind
			break
		}
	}
	u.Called, u.Taken = u.Kind == "call" || u.Kind == "new", u.Kind == "value"
	if !u.Taken {
		u.Passed = ""
	}
	return u, whole
}

func (f rule) fits(is facts) bool {
	fits := func(wanted words, is string) bool { return wanted == "" || wanted.list(is) }
	return fits(f.head, is.head) && fits(f.before, is.before) && fits(f.after, is.after) && fits(f.class, is.class) && fits(f.place, is.place)
}

// class goes by how names are written: those of types, constructors and variants begin with a capital letter or a colon.
func class(t lexer.Token) string {
	switch first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(t.Text(), "r#")); {
	case unicode.IsUpper(first) || first == ':':
		return "upper"
	case first == '_' || unicode.IsLetter(first):
		return "lower"
	}
	return "operator"
}

// path is the first token of a::b::t.
func (r reader) path(t lexer.Token) lexer.Token {
	for dot := t.Prev(); dot.Is(r.separator); dot = t.Prev() {
		of := dot.Prev()
		if of.Kind() != lexer.Name && !of.Is("Self", "self", "super", "crate") || r.juxtaposed && (of.End()+1 != t.Start() || class(of) != "upper") {
			break
		}
		t = of
	}
	return t
}

func (r reader) after(t lexer.Token) string {
	next := t.Next()
	if next.Is("::") && next.Next().Is("<") {
		next = next.Next()
	}
	if closing := next.Angles(); closing.Kind() != 0 && (next.Prev().Is("::") || class(t) == "upper") {
		next = closing.Next()
	}
	switch {
	case next.Is("{") && !(next.Next().Kind() == lexer.Name && next.Next().Next().Is(":", ",")):
		return "?" // a block, or fields of which one is named
	case r.juxtaposed && next.Line() != t.Line() && next != next.Statement():
		return "?" // an argument, or another line of a block
	case r.juxtaposed && next.Is(".") && next.Start() > t.End():
		return "composed"
	case r.juxtaposed && next.Line() != t.Line():
		return ""
	case operand(next) && !next.Is(")", "]", "}"):
		return "operand"
	}
	return next.Text()
}

// quoted reports whether a token stands where a macro or attribute may make anything of it.
func (r reader) quoted(t lexer.Token) bool {
	for open := t.Outer(); open.Kind() != 0 && !r.juxtaposed; open = open.Outer() {
		mark, macro := open.Prev(), open.Prev().Prev()
		if mark.Is("#") || mark.Is("!") && (macro.Is("#") || macro.Kind() == lexer.Name && !r.macros.has(macro)) {
			return true
		}
	}
	return false
}

// inTests reports whether a token stands in a module of tests.
func inTests(t lexer.Token) bool {
	for open := t.Outer(); open.Kind() != 0; open = open.Outer() {
		if open.Prev().Is("tests", "test") && open.Prev().Prev().Is("mod") {
			return true
		}
	}
	return false
}

// operator reports whether a token is an operator that does not stand in patterns or types.
func (r reader) operator(t lexer.Token) bool {
	return r.juxtaposed && t.Kind() == lexer.Punctuation && class(t) == "operator" && !r.reserved.has(t)
}

// operand reports whether a token is an operand, or ends one.
func operand(t lexer.Token) bool {
	return t.Kind() == lexer.Name || t.Kind() == lexer.Number || t.Kind() == lexer.String || t.Is(")", "]", "}")
}
