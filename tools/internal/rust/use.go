package rust

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/code"
)

func use(_ context.Context, q *code.Inquiry, l lsp.Location) (code.Use, error) {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return code.Use{}, err
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	u := useOf(t)
	u.Test = test(l.Path) || inTests(t)
	if u.Kind == "case" {
		if whole := match(t); whole.Kind() != 0 {
			line, column := whole.Position()
			u.Whole = lsp.At(l.Path, line, column)
		}
	}
	return u, nil
}

// inTests reports whether a token stands in mod tests.
func inTests(t lexer.Token) bool {
	for open := t.Outer(); open.Kind() != 0; open = open.Outer() {
		if name := open.Prev(); name.Is("tests", "test") && name.Prev().Is("mod") {
			return true
		}
	}
	return false
}

// useOf tells from what stands around it how a name is used.
func useOf(t lexer.Token) code.Use {
	switch {
	case t.Kind() != lexer.Name && !t.Is("Self", "self"):
		return code.Use{}
	case t.Prev().Is("fn", "struct", "enum", "union", "trait", "type", "mod", "const", "static", "let"):
		return code.Use{Kind: "declaration"}
	}
	switch head := keywordOf(t); {
	case head.Is("use"):
		if head.Prev().Is("pub", ")") {
			return code.Use{Kind: "export"}
		}
		return code.Use{Kind: "import"}
	case head.Is("impl") && t.Outer() == head.Outer():
		return implemented(head, t)
	}
	return inExpression(t)
}

// keywordOf is the keyword that a statement begins with, behind attributes and visibility.
func keywordOf(t lexer.Token) lexer.Token {
	head := t.Statement()
	for {
		switch {
		case head.Is("#") && head.Next().Is("["):
			head = head.Next().Match().Next()
		case head.Is("pub", "unsafe", "default"):
			head = head.Next()
		case head.Is("(") && head.Prev().Is("pub"):
			head = head.Match().Next()
		default:
			return head
		}
	}
}

// implemented tells the trait of an impl from its type.
func implemented(head, t lexer.Token) code.Use {
	for next := t.Next(); next.Kind() != 0 && !next.Is("{", ";"); next = next.Next() {
		if next.Is("for") && next.Outer() == head.Outer() && t.Outer() == head.Outer() && !argument(head, t) {
			return code.Use{Kind: "implements"}
		}
	}
	return code.Use{Kind: "type"}
}

// argument reports whether t stands among type arguments between head and itself.
func argument(head, t lexer.Token) bool {
	depth := 0
	for at := head; at.Kind() != 0 && at != t; at = at.Next() {
		switch {
		case at.Is("<"):
			depth++
		case at.Is(">"):
			depth--
		}
	}
	return depth > 0
}

func inExpression(t lexer.Token) code.Use {
	next := t.Next()
	if next.Is("::") && next.Next().Is("<") { // f::<T>(x)
		next = next.Next().Angles().Next()
	}
	before := path(t).Prev()
	switch {
	case next.Is("::"):
		return code.Use{Kind: "qualifier"}
	case pattern(t, before, next):
		return code.Use{Kind: "case"}
	case next.Is("!") && next.Next().Is("(", "[", "{"), next.Is("("):
		return code.Use{Kind: "call", Called: true}
	case next.Is("{") && isType(t) && !before.Is("->", "impl", "for", ":", "+", "&", "mut", "dyn", "in", "match", "if", "while"):
		return code.Use{Kind: "new", Called: true}
	case before.Is("as"):
		return code.Use{Kind: "cast"}
	case isType(t) && before.Is("->", "&", "<", ":", "dyn", "mut", "+", "impl", ",") && !inCall(t):
		return code.Use{Kind: "type"}
	case next.Is("=") && !next.Next().Is("="):
		return code.Use{Kind: "write"}
	}
	return code.Use{Kind: "value", Taken: true, Passed: passed(t)}
}

// path is the first token of a::b::t.
func path(t lexer.Token) lexer.Token {
	for t.Prev().Is("::") && (t.Prev().Prev().Kind() == lexer.Name || t.Prev().Prev().Is("Self", "self", "super", "crate")) {
		t = t.Prev().Prev()
	}
	return t
}

// pattern reports whether t is matched against: let T(x) = …, T(x) => …, matches!(x, T(_)).
func pattern(t, before, next lexer.Token) bool {
	behind := next
	if next.Is("(", "{") {
		behind = next.Match().Next()
	}
	switch {
	case !isType(t):
		return false
	case before.Is("let") || behind.Is("=>"):
		return true
	case behind.Is("if", "|") && t.Outer().Is("{"):
		return match(t).Kind() != 0
	case t.Outer().Is("("):
		macro := t.Outer().Prev()
		return macro.Is("!") && macro.Prev().Is("matches", "assert_matches")
	}
	return false
}

// match is the match expression whose arm a pattern is, the zero token for other patterns.
func match(t lexer.Token) lexer.Token {
	open := t.Outer()
	for open.Is("(") {
		open = open.Outer() // Some(T)
	}
	if !open.Is("{") {
		return lexer.Token{}
	}
	for at := open.Prev(); at.Kind() != 0 && at.Outer() == open.Outer() && !at.Is(";"); at = at.Prev() {
		if at.Is("match") {
			return at
		}
		if at.Is("}", ")", "]") && at.Match().Kind() != 0 {
			at = at.Match()
		}
	}
	return lexer.Token{}
}

// isType goes by how names are written: types, traits and variants large.
func isType(t lexer.Token) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(t.Text(), "r#"))
	return unicode.IsUpper(first)
}

// inCall reports whether t stands among the arguments of a call, where a name behind a comma is a value.
func inCall(t lexer.Token) bool {
	open := t.Outer()
	return open.Is("(") && (open.Prev().Kind() == lexer.Name || open.Prev().Is("!", ">")) && !open.Prev().Prev().Is("fn") &&
		!t.Prev().Is(":")
}

func passed(t lexer.Token) string {
	open := t.Outer()
	if !open.Is("(") || open.Prev().Kind() != lexer.Name {
		return ""
	}
	return open.Prev().Text()
}
