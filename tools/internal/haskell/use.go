package haskell

import (
	"context"
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
	t := nameAt(f, l)
	u := useOf(t)
	u.Test = test(l.Path)
	if u.Kind == "case" {
		line, column := whole(t).Position()
		u.Whole = lsp.At(l.Path, line, column)
	}
	return u, nil
}

// nameAt is the name at a place. That of an operator between parentheses, or of a function between backquotes, begins
// with them.
func nameAt(f *lexer.File, l lsp.Location) lexer.Token {
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	if t.Is("(", "`") {
		return t.Next()
	}
	return t
}

// whole is the case expression that a pattern is of, or the first of the function's clauses.
func whole(t lexer.Token) lexer.Token {
	head := t.Statement()
	for at, open := t, 1; at.Kind() != 0 && at != head; at = at.Prev() {
		switch {
		case at.Is("of"):
			open--
		case at.Is("case") && open <= 0:
			return at
		case at.Is("case"):
			open++
		}
	}
	for before := head.Prev().Statement(); before.Kind() != 0 && before.Text() == head.Text(); before = head.Prev().Statement() {
		if before == head || before.Next().Is("::") {
			break // its signature
		}
		head = before
	}
	return head
}

// useOf tells from what stands around it how a name is used.
func useOf(t lexer.Token) code.Use {
	head := t.Statement()
	switch {
	case t.Kind() == 0 || t.Kind() == lexer.Comment || t.Kind() == lexer.String:
		return code.Use{}
	case head.Is("import"):
		return code.Use{Kind: "import"}
	case head.Is("module"):
		return code.Use{Kind: "export"}
	case head.Is("data", "newtype", "type", "class"):
		return inType(t, head)
	case head.Is("instance", "deriving"):
		if u, ok := inInstance(t, head); ok {
			return u
		}
	case t == head, t == head.Next() && head.Is("("):
		return code.Use{Kind: "declaration"}
	}
	if typed(t) {
		return code.Use{Kind: "type"}
	}
	return inExpression(t)
}

func inType(t, head lexer.Token) code.Use {
	before := t.Prev()
	switch {
	case before == head, before.Is("family"), before.Is("|", "="), before.Is("=>") && head.Is("class"):
		return code.Use{Kind: "declaration"}
	case before.Is("{", ",") && t.Next().Is("::", ",") && t.Outer().Is("{"):
		return code.Use{Kind: "declaration"}
	case t.Next().Is("::") && t.Line() != before.Line():
		return code.Use{Kind: "declaration"} // of a GADT's constructor or a class's method
	case head.Next().Is("instance") && before.Is("instance"), deriving(t):
		return code.Use{Kind: "implements"}
	}
	return code.Use{Kind: "type"}
}

// deriving reports whether a class is derived at a token.
func deriving(t lexer.Token) bool {
	if t.Outer().Is("(") {
		t = t.Outer()
	}
	return t.Prev().Is("deriving", "stock", "newtype", "anyclass")
}

// inInstance tells the class from the type of "instance C T where"; false in the body.
func inInstance(t, head lexer.Token) (code.Use, bool) {
	class := lexer.Token{}
	for at := head.Next(); at.Kind() != 0 && !at.Is("where"); at = at.Next() {
		switch {
		case at.Is("=>") && at.Outer().Kind() == 0:
			class = lexer.Token{} // what came before was a context
		case class.Kind() == 0 && at.Kind() == lexer.Name && !at.Next().Is("."):
			class = at
		}
	}
	for at := head.Next(); at.Kind() != 0 && !at.Is("where"); at = at.Next() {
		if at == t && t == class {
			return code.Use{Kind: "implements"}, true
		}
		if at == t {
			return code.Use{Kind: "type"}, true
		}
	}
	if _, column := t.Position(); t.Line() != t.Prev().Line() && column > 1 && (t.Prev().Is("where") || atMargin(t, head)) {
		return code.Use{Kind: "declaration"}, true // of a method
	}
	return code.Use{}, false
}

// atMargin reports whether a token starts in the column of the first of the block behind where.
func atMargin(t, head lexer.Token) bool {
	for at := head; at.Kind() != 0 && at.Start() < t.Start(); at = at.Next() {
		if at.Is("where") && at.Outer().Kind() == 0 {
			_, margin := at.Next().Position()
			_, column := t.Position()
			return margin == column
		}
	}
	return false
}

// typed reports whether a token stands in a type: behind :: with nothing between that ends one.
func typed(t lexer.Token) bool {
	for at := t.Prev(); at.Kind() != 0; at = at.Prev() {
		switch {
		case at.Is("::"):
			return true
		case at.Is("=", "<-", "|", "of", "then", "else", "do", "in", "let", "where", "\\", ";"), at.Line() < t.Line()-20:
			return false
		case at.Is("(", "[", "{", ","):
			continue
		}
		if closing := at.Match(); closing.Kind() != 0 && closing.Start() < at.Start() {
			at = closing
		}
	}
	return false
}

func inExpression(t lexer.Token) code.Use {
	first, _ := utf8.DecodeRuneInString(t.Text())
	constructor := unicode.IsUpper(first) || first == ':'
	switch {
	case constructor && t.Next().Is(".") && t.Next().Start() == t.End():
		return code.Use{Kind: "qualifier"}
	case constructor && matched(t):
		return code.Use{Kind: "case"}
	case constructor:
		return code.Use{Kind: "new", Called: true}
	case t.Prev().Is("`") && t.Next().Is("`"), t.Kind() == lexer.Punctuation:
		return code.Use{Kind: "call", Called: true}
	}
	before := qualified(t).Prev()
	if atom(before) && before.Line() == t.Line() {
		return code.Use{Kind: "value", Taken: true, Passed: applied(before)}
	}
	if next := t.Next(); (atom(next) || next.Is("(", "[", "$", "$!", "\\")) && next.Line()-t.Line() <= 1 && deeper(t, next) {
		return code.Use{Kind: "call", Called: true}
	}
	return code.Use{Kind: "value", Taken: true}
}

// qualified is the first token of A.B.t.
func qualified(t lexer.Token) lexer.Token {
	for t.Prev().Is(".") && t.Prev().End() == t.Start() && t.Prev().Prev().Kind() == lexer.Name && t.Prev().Prev().End() == t.Prev().Start() {
		t = t.Prev().Prev()
	}
	return t
}

// atom reports whether a token ends or is an operand.
func atom(t lexer.Token) bool {
	switch t.Kind() {
	case lexer.Name, lexer.Number, lexer.String:
		return true
	}
	return t.Is(")", "]", "}")
}

// deeper reports whether what stands on the next line belongs to t's expression.
func deeper(t, next lexer.Token) bool {
	if next.Line() == t.Line() {
		return true
	}
	start := t
	for start.Prev().Line() == t.Line() {
		start = start.Prev()
	}
	_, margin := start.Position()
	_, column := next.Position()
	return column > margin
}

// applied is the function at the head of the application that ends at a token.
func applied(t lexer.Token) string {
	head := t
	for at := t; atom(at) && at.Line() == t.Line(); at = at.Prev() {
		if closing := at.Match(); closing.Kind() != 0 {
			at = closing
		}
		head = at
	}
	if head.Kind() != lexer.Name {
		return ""
	}
	return head.Text()
}

// matched reports whether a constructor is matched against: on its line an arrow or equals sign follows, and none
// precedes.
func matched(t lexer.Token) bool {
	binds := func(t lexer.Token) bool { return t.Is("->", "=", "<-") }
	for at := t.Prev(); at.Kind() != 0 && at.Line() == t.Line(); at = at.Prev() {
		if binds(at) {
			return false
		}
		if at.Is("of", "\\", "let") {
			break
		}
	}
	for at := t.Next(); at.Kind() != 0 && at.Line() == t.Line(); at = at.Next() {
		if binds(at) {
			return true
		}
	}
	return false
}
