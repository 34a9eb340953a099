package tools

import (
	"context"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

func pythonUse(_ context.Context, q *Inquiry, l lsp.Location) (Use, error) {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return Use{}, err
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	u := pyUse(f, t)
	u.Test = pythonTest(l.Path)
	if whole, ok := pyWhole(f, t, u.Kind); ok {
		u.Whole = whole
	}
	return u, nil
}

// pyUse tells from what stands around it how a name is used.
func pyUse(f *lexer.File, t lexer.Token) Use {
	if t.Kind() == 0 || t.Kind() == lexer.Comment {
		return Use{}
	}
	s := pyStatementAt(f, t)
	switch head := s.head(); {
	case t.Kind() == lexer.String:
		return Use{Kind: pyQuoted(s)}
	case t.Prev().Is("def", "class"):
		return Use{Kind: "declaration"}
	case head.Is("import", "from"):
		return Use{Kind: "import"}
	case head.Is("@"):
		if pyCallee(s.tokens[1:]) == t {
			return Use{Kind: "decorator", Called: true}
		}
		if outermost(t) {
			return Use{Kind: "qualifier"}
		}
	case head.Is("class"):
		return pyInHeader(s, t)
	case t.Next().Is("."):
		return Use{Kind: "qualifier"}
	case head.Is("except") && !t.Next().Is("("), head.Is("case") && pyPattern(s, t):
		return Use{Kind: "case"}
	}
	switch {
	case pyAnnotates(s, t):
		return Use{Kind: "type"}
	case t.Next().Is("=") && t.Outer().Is("("):
		return Use{Kind: "argument"}
	}
	return pyInExpression(s, t)
}

// pyQuoted is how the name in a string is used: as an annotation that comes before what it names, or in __all__.
func pyQuoted(s pyStatement) string {
	if s.first().Is("__all__") {
		return "export"
	}
	return "type"
}

// pyPattern says whether a name stands in the pattern of a case: match and case are no reserved words.
func pyPattern(s pyStatement, t lexer.Token) bool {
	colon := pyColon(s)
	if colon < 2 || t.Start() > s.tokens[colon].Start() {
		return false
	}
	for _, token := range s.tokens[:colon] {
		if token.Is("if") {
			return t.Start() < token.Start()
		}
	}
	return true
}

// pyColon is the index of the first colon outside of brackets, 0 if there is none.
func pyColon(s pyStatement) int {
	for i, t := range s.tokens {
		if t.Is(":") && outermost(t) {
			return i
		}
	}
	return 0
}

// pyInHeader is the use of a name among the bases of a class.
func pyInHeader(s pyStatement, t lexer.Token) Use {
	for outer := t.Outer(); outer.Kind() != 0; outer = outer.Outer() {
		if outer.Is("[") {
			return Use{Kind: "type"}
		}
	}
	switch {
	case t.Outer().Is("(") && t.Next().Is(",", ")", "["):
		start := t
		for start.Prev().Is(".") {
			start = start.Prev().Prev()
		}
		if start.Prev().Is("=") {
			return Use{Kind: "metaclass"}
		}
		return Use{Kind: "base"}
	case t.Next().Is("="):
		return Use{Kind: "argument"}
	}
	return pyInExpression(s, t)
}

// pyAnnotates says whether a name stands in the annotation of a parameter, a result or a variable.
func pyAnnotates(s pyStatement, t lexer.Token) bool {
	if s.head().Is("def") {
		open := s.tokens[0]
		for _, token := range s.tokens {
			if open = token; token.Is("(") {
				break
			}
		}
		if open.Match().Kind() != 0 && t.Start() > open.Match().Start() {
			return true // behind the arrow
		}
		return pyMarked(t, open)
	}
	colon := pyColon(s)
	if colon == 0 || s.head().Kind() == lexer.Keyword || t.Start() < s.tokens[colon].Start() {
		return false
	}
	for _, token := range s.tokens[colon:] {
		if token.Is("=") && outermost(token) {
			return t.Start() < token.Start()
		}
	}
	return !s.head().Is("match", "case")
}

// pyMarked says whether a name within the brackets of a def stands behind the colon of a parameter, and before its
// default.
func pyMarked(t, open lexer.Token) bool {
	for _, part := range pySplit(pyInside(open)) {
		if part[len(part)-1].Start() < t.Start() {
			continue
		}
		marked := false
		for _, token := range part {
			switch {
			case token == t || token.Start() > t.Start():
				return marked
			case token.Outer() == open && token.Is("="):
				return false
			case token.Outer() == open && token.Is(":"):
				marked = true
			}
		}
	}
	return false
}

func pyInExpression(s pyStatement, t lexer.Token) Use {
	next := t.Next()
	for next.Is("[") && next.Match().Next().Is("(") {
		next = next.Match().Next() // C[int](…)
	}
	start := t
	for start.Prev().Is(".") {
		if start = start.Prev().Prev(); start.Is(")", "]") && start.Match().Kind() != 0 {
			start = start.Match().Prev()
		}
	}
	switch {
	case next.Is("(") && next.Line() == t.Line() || next.Is("(") && !outermost(next):
		if start.Prev().Is("await") {
			return Use{Kind: "await", Called: true}
		}
		return Use{Kind: "call", Called: true}
	case s.head().Is("raise") && start == s.tokens[min(1, len(s.tokens)-1)] && !next.Is("."):
		return Use{Kind: "raise", Called: true}
	case pyWrites(s, t):
		return Use{Kind: "write"}
	case next.Is(":") && next.Outer().Is("{"):
		return Use{Kind: "key"}
	}
	passed := ""
	if !s.head().Is("def") {
		passed = pyPassed(t)
	}
	if passed == "isinstance" || passed == "issubclass" {
		return Use{Kind: "assertion"}
	}
	return Use{Kind: "value", Taken: true, Passed: passed}
}

// pyWrites says whether a statement assigns to a name, or deletes it.
func pyWrites(s pyStatement, t lexer.Token) bool {
	if s.head().Is("del") {
		return true
	}
	if !outermost(t) && !t.Outer().Is("(", "[") {
		return false
	}
	if t.Next().Is(":=") {
		return true
	}
	for i := len(s.tokens) - 1; i >= 0; i-- {
		token := s.tokens[i]
		if outermost(token) && strings.HasSuffix(token.Text(), "=") && !token.Is("==", "!=", "<=", ">=") && token.Kind() == lexer.Punctuation {
			return t.Start() < token.Start() && (outermost(t) || outermost(t.Outer()) && t.Outer() == s.first())
		}
	}
	return false
}

// pyPassed is the function that a value is an argument of, as written.
func pyPassed(t lexer.Token) string {
	for outer := t.Outer(); outer.Kind() != 0; outer = outer.Outer() {
		if callee := outer.Prev(); outer.Is("(") && callee.Kind() == lexer.Name {
			name := callee.Text()
			for callee.Prev().Is(".") && callee.Prev().Prev().Kind() == lexer.Name {
				callee = callee.Prev().Prev()
				name = callee.Text() + "." + name
			}
			return name
		}
	}
	return ""
}
