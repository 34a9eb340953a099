package tools

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

func rustUse(_ context.Context, q *Inquiry, l lsp.Location) (Use, error) {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return Use{}, err
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	u := rsUse(t)
	u.Test = rustTest(l.Path) || rsInTests(t)
	if u.Kind == "case" {
		if whole := rsMatch(t); whole.Kind() != 0 {
			line, column := whole.Position()
			u.Whole = lsp.At(l.Path, line, column)
		}
	}
	return u, nil
}

// rsInTests reports whether a token stands in mod tests.
func rsInTests(t lexer.Token) bool {
	for open := t.Outer(); open.Kind() != 0; open = open.Outer() {
		if name := open.Prev(); name.Is("tests", "test") && name.Prev().Is("mod") {
			return true
		}
	}
	return false
}

// rsUse tells from what stands around it how a name is used.
func rsUse(t lexer.Token) Use {
	switch {
	case t.Kind() != lexer.Name && !t.Is("Self", "self"):
		return Use{}
	case t.Prev().Is("fn", "struct", "enum", "union", "trait", "type", "mod", "const", "static", "let"):
		return Use{Kind: "declaration"}
	}
	switch head := rsHead(t); {
	case head.Is("use"):
		if head.Prev().Is("pub", ")") {
			return Use{Kind: "export"}
		}
		return Use{Kind: "import"}
	case head.Is("impl") && t.Outer() == head.Outer():
		return rsImplemented(head, t)
	}
	return rsInExpression(t)
}

// rsHead is the keyword that a statement begins with, behind attributes and visibility.
func rsHead(t lexer.Token) lexer.Token {
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

// rsImplemented tells the trait of an impl from its type.
func rsImplemented(head, t lexer.Token) Use {
	for next := t.Next(); next.Kind() != 0 && !next.Is("{", ";"); next = next.Next() {
		if next.Is("for") && next.Outer() == head.Outer() && t.Outer() == head.Outer() && !rsArgument(head, t) {
			return Use{Kind: "implements"}
		}
	}
	return Use{Kind: "type"}
}

// rsArgument reports whether t stands among type arguments between head and itself.
func rsArgument(head, t lexer.Token) bool {
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

func rsInExpression(t lexer.Token) Use {
	next := t.Next()
	if next.Is("::") && next.Next().Is("<") { // f::<T>(x)
		next = next.Next().Angles().Next()
	}
	before := rsPath(t).Prev()
	switch {
	case next.Is("::"):
		return Use{Kind: "qualifier"}
	case rsPattern(t, before, next):
		return Use{Kind: "case"}
	case next.Is("!") && next.Next().Is("(", "[", "{"), next.Is("("):
		return Use{Kind: "call", Called: true}
	case next.Is("{") && rsIsType(t) && !before.Is("->", "impl", "for", ":", "+", "&", "mut", "dyn", "in", "match", "if", "while"):
		return Use{Kind: "new", Called: true}
	case before.Is("as"):
		return Use{Kind: "cast"}
	case rsIsType(t) && before.Is("->", "&", "<", ":", "dyn", "mut", "+", "impl", ",") && !rsInCall(t):
		return Use{Kind: "type"}
	case next.Is("=") && !next.Next().Is("="):
		return Use{Kind: "write"}
	}
	return Use{Kind: "value", Taken: true, Passed: rsPassed(t)}
}

// rsPath is the first token of a::b::t.
func rsPath(t lexer.Token) lexer.Token {
	for t.Prev().Is("::") && (t.Prev().Prev().Kind() == lexer.Name || t.Prev().Prev().Is("Self", "self", "super", "crate")) {
		t = t.Prev().Prev()
	}
	return t
}

// rsPattern reports whether t is matched against: let T(x) = …, T(x) => …, matches!(x, T(_)).
func rsPattern(t, before, next lexer.Token) bool {
	behind := next
	if next.Is("(", "{") {
		behind = next.Match().Next()
	}
	switch {
	case !rsIsType(t):
		return false
	case before.Is("let") || behind.Is("=>"):
		return true
	case behind.Is("if", "|") && t.Outer().Is("{"):
		return rsMatch(t).Kind() != 0
	case t.Outer().Is("("):
		macro := t.Outer().Prev()
		return macro.Is("!") && macro.Prev().Is("matches", "assert_matches")
	}
	return false
}

// rsMatch is the match expression whose arm a pattern is, the zero token for other patterns.
func rsMatch(t lexer.Token) lexer.Token {
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

// rsIsType goes by how names are written: types, traits and variants large.
func rsIsType(t lexer.Token) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(t.Text(), "r#"))
	return unicode.IsUpper(first)
}

// rsInCall reports whether t stands among the arguments of a call, where a name behind a comma is a value.
func rsInCall(t lexer.Token) bool {
	open := t.Outer()
	return open.Is("(") && (open.Prev().Kind() == lexer.Name || open.Prev().Is("!", ">")) && !open.Prev().Prev().Is("fn") &&
		!t.Prev().Is(":")
}

func rsPassed(t lexer.Token) string {
	open := t.Outer()
	if !open.Is("(") || open.Prev().Kind() != lexer.Name {
		return ""
	}
	return open.Prev().Text()
}
