package python

import (
	"context"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

func use(_ context.Context, q *query.Query, l lsp.Location) (query.Use, error) {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return query.Use{}, err
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	u := useOf(f, t)
	u.Test = test(l.Path)
	if whole, ok := whole(f, t, u.Kind); ok {
		u.Whole = whole
	}
	return u, nil
}

// useOf tells from what stands around it how a name is used.
func useOf(f *lexer.File, t lexer.Token) query.Use {
	if t.Kind() == 0 || t.Kind() == lexer.Comment {
		return query.Use{}
	}
	s := statementAt(f, t)
	switch head := s.head(); {
	case t.Kind() == lexer.String:
		return query.Use{Kind: quoted(s)}
	case t.Prev().Is("def", "class"):
		return query.Use{Kind: "declaration"}
	case head.Is("import", "from"):
		return query.Use{Kind: "import"}
	case head.Is("@"):
		if callee(s.tokens[1:]) == t {
			return query.Use{Kind: "decorator", Called: true}
		}
		if outermost(t) {
			return query.Use{Kind: "qualifier"}
		}
	case head.Is("class"):
		return inHeader(s, t)
	case t.Next().Is("."):
		return query.Use{Kind: "qualifier"}
	case head.Is("except") && !t.Next().Is("("), head.Is("case") && pattern(s, t):
		return query.Use{Kind: "case"}
	}
	switch {
	case annotates(s, t):
		return query.Use{Kind: "type"}
	case t.Next().Is("=") && t.Outer().Is("("):
		return query.Use{Kind: "argument"}
	}
	return inExpression(s, t)
}

// quoted returns how the name in a string is used: as an annotation that comes before what it names, or in __all__.
func quoted(s statement) string {
	if s.first().Is("__all__") {
		return "export"
	}
	return "type"
}

// pattern reports whether a name stands in the pattern of a case: match and case are no reserved words.
func pattern(s statement, t lexer.Token) bool {
	colon := colonIn(s)
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

// colonIn returns the index of the first colon outside of brackets, 0 if there is none.
func colonIn(s statement) int {
	for i, t := range s.tokens {
		if t.Is(":") && outermost(t) {
			return i
		}
	}
	return 0
}

// inHeader returns the use of a name among the bases of a class.
func inHeader(s statement, t lexer.Token) query.Use {
	for outer := t.Outer(); outer.Kind() != 0; outer = outer.Outer() {
		if outer.Is("[") {
			return query.Use{Kind: "type"}
		}
	}
	switch {
	case t.Outer().Is("(") && t.Next().Is(",", ")", "["):
		start := t
		for start.Prev().Is(".") {
			start = start.Prev().Prev()
		}
		if start.Prev().Is("=") {
			return query.Use{Kind: "metaclass"}
		}
		return query.Use{Kind: "base"}
	case t.Next().Is("="):
		return query.Use{Kind: "argument"}
	}
	return inExpression(s, t)
}

// annotates reports whether a name stands in the annotation of a parameter, a result or a variable.
func annotates(s statement, t lexer.Token) bool {
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
		return marked(t, open)
	}
	colon := colonIn(s)
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

// marked reports whether a name within the brackets of a def stands behind the colon of a parameter, and before its
// default.
func marked(t, open lexer.Token) bool {
	for _, part := range split(inside(open)) {
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

func inExpression(s statement, t lexer.Token) query.Use {
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
			return query.Use{Kind: "await", Called: true}
		}
		return query.Use{Kind: "call", Called: true}
	case s.head().Is("raise") && start == s.tokens[min(1, len(s.tokens)-1)] && !next.Is("."):
		return query.Use{Kind: "raise", Called: true}
	case writes(s, t):
		return query.Use{Kind: "write"}
	case next.Is(":") && next.Outer().Is("{"):
		return query.Use{Kind: "key"}
	}
	passed := ""
	if !s.head().Is("def") {
		passed = passedTo(t)
	}
	if passed == "isinstance" || passed == "issubclass" {
		return query.Use{Kind: "assertion"}
	}
	return query.Use{Kind: "value", Taken: true, Passed: passed}
}

// writes reports whether a statement assigns to a name, or deletes it.
func writes(s statement, t lexer.Token) bool {
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

// passedTo returns the function that a value is an argument of, as written.
func passedTo(t lexer.Token) string {
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
