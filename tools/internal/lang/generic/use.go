package generic

import (
	"context"
	"slices"
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
	u := r.useOf(t)
	u.Test = r.test(l.Path) || inTests(t)
	if u.Kind == "case" {
		if line, column := r.match(t).Position(); line > 0 {
			u.Whole = lsp.At(l.Path, line, column)
		}
	}
	return u, nil
}

// at returns the name at a place. That of an operator in parentheses, or of a function in backquotes, begins with these.
func (r reader) at(q *query.Query, l lsp.Location) (lexer.Token, error) {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return lexer.Token{}, err
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	if r.layout && t.Is("(", "`") {
		t = t.Next()
	}
	return t, nil
}

// facts are what rules ask for, a word each.
type facts struct {
	head   string // the keyword that the statement begins with, behind modifiers; "pub:use" for what is handed on
	before string // the token before the name and what qualifies it; see before
	after  string // the token behind it and its type arguments; "operand" for any of these; "?": it may belong to something else
	class  string // upper, lower
	place  string // declared, typed (in a type), subject (of a header), pattern (of a match); "": any other
}

// useOf takes the first rule that fits a name.
func (r reader) useOf(t lexer.Token) (u query.Use) {
	if t.Kind() == lexer.Comment {
		return query.Use{}
	}
	u.Kind = query.Unknown
	if t.Kind() != lexer.Name && !r.names.has(t) || r.quoted(t) {
		return u
	}
	head := r.keyword(t)
	f := facts{head: head.Text(), before: r.before(t), after: r.after(t), class: class(t), place: r.place(t, head)}
	if head.Prev().Is("pub", ")") {
		f.head = "pub:" + f.head
	}
	if i := slices.IndexFunc(r.rules, func(rule rule) bool { return rule.fits(f) }); i >= 0 {
		u.Kind = r.rules[i].kind
	}
	u.Called, u.Taken = u.Kind == "call" || u.Kind == "new", u.Kind == "value"
	if callee := t.Outer().Prev(); u.Taken && r.path(t).Prev().Is("(", ",") && t.Next().Is(",", ")") && callee.Kind() == lexer.Name && !r.layout {
		u.Passed = callee.Text()
	}
	return u
}

func (f rule) fits(is facts) bool {
	fits := func(wanted words, is string) bool { return wanted == "" || wanted.list(is) }
	return fits(f.head, is.head) && fits(f.before, is.before) && fits(f.after, is.after) && fits(f.class, is.class) && fits(f.place, is.place)
}

// class goes by how names are written: those of types, constructors and variants begin with a capital letter.
func class(t lexer.Token) string {
	if first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(t.Text(), "r#")); unicode.IsUpper(first) {
		return "upper"
	}
	return "lower"
}

// path returns the first token of a::b::t.
func (r reader) path(t lexer.Token) lexer.Token {
	for dot := t.Prev(); dot.Is(r.separator); dot = t.Prev() {
		of := dot.Prev()
		if of.Kind() != lexer.Name && !of.Is("Self", "self", "super", "crate") || r.layout && (of.End()+1 != t.Start() || class(of) != "upper") {
			break
		}
		t = of
	}
	return t
}

// before is "<>" for the bracket before arguments of a type, "operand" for what ends one on the line, and "newline" where the
// name begins a line; where brackets tell all of that, it is the token alone.
func (r reader) before(t lexer.Token) string {
	before := r.path(t).Prev()
	switch {
	case before.Is("<") && before.Angles().Kind() != 0:
		return "<>"
	case before.Prev().Is("'", "*") && !r.layout: // 'static T, *const T
		return ""
	case r.layout && before.Line() != t.Line():
		return "newline"
	case r.layout && operand(before):
		return "operand"
	}
	return before.Text()
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
	case r.layout && (next.Is(".") && next.Start() > t.End() || next.Line() != t.Line() && next != next.Statement()):
		return "?" // composed; an argument, or another line of a block
	case operand(next) && next.Line() == t.Line() && !next.Is(")", "]", "}"):
		return "operand"
	}
	return next.Text()
}

// place returns where a name stands in the declaration of a type, in a header, or in a signature.
func (r reader) place(t, keyword lexer.Token) string {
	place := r.declares(t)
	switch {
	case place == "" && r.match(t).Kind() != 0:
		return "pattern"
	case place != "" || !r.layout:
		return place
	}
	sign := find(keyword, r.last(keyword).Next(), "::", "=", "|", "->", "<-", "where")
	switch subject := r.subject(keyword); {
	case r.path(t) == subject && class(subject) == "upper" && keyword.Is("class", "type", "instance"):
		return "subject"
	case keyword.Kind() == lexer.Keyword:
	case sign.Is("::") && sign.Start() < t.Start():
		return "typed"
	case t.Start() < sign.Start() && (sign.Is("::") || t == keyword && sign.Is("=", "|")):
		return "declared"
	}
	return ""
}

// match returns the match that has an alternative which begins with a name; none for other names.
func (r reader) match(t lexer.Token) lexer.Token {
	name := r.path(t)
	if r.layout || !name.Outer().Is("{") || !name.Prev().Is("{", ",", "}") {
		return lexer.Token{}
	}
	for at := name.Outer().Prev(); at.Kind() != 0 && !at.Is("(", "[", "{", "}", ";", ",", "=>") && at.Kind() != lexer.Keyword; at = at.Prev() {
		if open := at.Match(); open.Kind() != 0 { // it closes a bracket
			at = open
		}
		if at.Prev().Is("match") {
			return at.Prev()
		}
	}
	return lexer.Token{}
}

// quoted reports whether a token stands where a macro or attribute may make anything of it.
func (r reader) quoted(t lexer.Token) bool {
	for open := t.Outer(); open.Kind() != 0 && !r.layout; open = open.Outer() {
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

// operand reports whether a token is an operand, or ends one.
func operand(t lexer.Token) bool {
	return t.Kind() == lexer.Name || t.Kind() == lexer.Number || t.Kind() == lexer.String || t.Is(")", "]", "}")
}
