package tools

import (
	"context"
	"unicode"
	"unicode/utf8"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

func haskellUse(_ context.Context, q *Inquiry, l lsp.Location) (Use, error) {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return Use{}, err
	}
	t := hsNameAt(f, l)
	u := hsUse(t)
	u.Test = haskellTest(l.Path)
	if u.Kind == "case" {
		line, column := hsWhole(t).Position()
		u.Whole = lsp.At(l.Path, line, column)
	}
	return u, nil
}

// hsNameAt is the name at a place. That of an operator between parentheses, or of a function between backquotes, begins
// with them.
func hsNameAt(f *lexer.File, l lsp.Location) lexer.Token {
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	if t.Is("(", "`") {
		return t.Next()
	}
	return t
}

// hsWhole is the case expression that a pattern is of, or the first of the function's clauses.
func hsWhole(t lexer.Token) lexer.Token {
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

// hsUse tells from what stands around it how a name is used.
func hsUse(t lexer.Token) Use {
	head := t.Statement()
	switch {
	case t.Kind() == 0 || t.Kind() == lexer.Comment || t.Kind() == lexer.String:
		return Use{}
	case head.Is("import"):
		return Use{Kind: "import"}
	case head.Is("module"):
		return Use{Kind: "export"}
	case head.Is("data", "newtype", "type", "class"):
		return hsInType(t, head)
	case head.Is("instance", "deriving"):
		if u, ok := hsInInstance(t, head); ok {
			return u
		}
	case t == head, t == head.Next() && head.Is("("):
		return Use{Kind: "declaration"}
	}
	if hsTyped(t) {
		return Use{Kind: "type"}
	}
	return hsInExpression(t)
}

func hsInType(t, head lexer.Token) Use {
	before := t.Prev()
	switch {
	case before == head, before.Is("family"), before.Is("|", "="), before.Is("=>") && head.Is("class"):
		return Use{Kind: "declaration"}
	case before.Is("{", ",") && t.Next().Is("::", ",") && t.Outer().Is("{"):
		return Use{Kind: "declaration"}
	case t.Next().Is("::") && t.Line() != before.Line():
		return Use{Kind: "declaration"} // of a GADT's constructor or a class's method
	case head.Next().Is("instance") && before.Is("instance"), hsDeriving(t):
		return Use{Kind: "implements"}
	}
	return Use{Kind: "type"}
}

// hsDeriving reports whether a class is derived at a token.
func hsDeriving(t lexer.Token) bool {
	if t.Outer().Is("(") {
		t = t.Outer()
	}
	return t.Prev().Is("deriving", "stock", "newtype", "anyclass")
}

// hsInInstance tells the class from the type of "instance C T where"; false in the body.
func hsInInstance(t, head lexer.Token) (Use, bool) {
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
			return Use{Kind: "implements"}, true
		}
		if at == t {
			return Use{Kind: "type"}, true
		}
	}
	if _, column := t.Position(); t.Line() != t.Prev().Line() && column > 1 && (t.Prev().Is("where") || hsMargin(t, head)) {
		return Use{Kind: "declaration"}, true // of a method
	}
	return Use{}, false
}

// hsMargin reports whether a token starts in the column of the first of the block behind where.
func hsMargin(t, head lexer.Token) bool {
	for at := head; at.Kind() != 0 && at.Start() < t.Start(); at = at.Next() {
		if at.Is("where") && at.Outer().Kind() == 0 {
			_, margin := at.Next().Position()
			_, column := t.Position()
			return margin == column
		}
	}
	return false
}

// hsTyped reports whether a token stands in a type: behind :: with nothing between that ends one.
func hsTyped(t lexer.Token) bool {
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

func hsInExpression(t lexer.Token) Use {
	first, _ := utf8.DecodeRuneInString(t.Text())
	constructor := unicode.IsUpper(first) || first == ':'
	switch {
	case constructor && t.Next().Is(".") && t.Next().Start() == t.End():
		return Use{Kind: "qualifier"}
	case constructor && hsMatched(t):
		return Use{Kind: "case"}
	case constructor:
		return Use{Kind: "new", Called: true}
	case t.Prev().Is("`") && t.Next().Is("`"), t.Kind() == lexer.Punctuation:
		return Use{Kind: "call", Called: true}
	}
	before := hsQualified(t).Prev()
	if hsAtom(before) && before.Line() == t.Line() {
		return Use{Kind: "value", Taken: true, Passed: hsApplied(before)}
	}
	if next := t.Next(); (hsAtom(next) || next.Is("(", "[", "$", "$!", "\\")) && next.Line()-t.Line() <= 1 && hsDeeper(t, next) {
		return Use{Kind: "call", Called: true}
	}
	return Use{Kind: "value", Taken: true}
}

// hsQualified is the first token of A.B.t.
func hsQualified(t lexer.Token) lexer.Token {
	for t.Prev().Is(".") && t.Prev().End() == t.Start() && t.Prev().Prev().Kind() == lexer.Name && t.Prev().Prev().End() == t.Prev().Start() {
		t = t.Prev().Prev()
	}
	return t
}

// hsAtom reports whether a token ends or is an operand.
func hsAtom(t lexer.Token) bool {
	switch t.Kind() {
	case lexer.Name, lexer.Number, lexer.String:
		return true
	}
	return t.Is(")", "]", "}")
}

// hsDeeper reports whether what stands on the next line belongs to t's expression.
func hsDeeper(t, next lexer.Token) bool {
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

// hsApplied is the function at the head of the application that ends at a token.
func hsApplied(t lexer.Token) string {
	head := t
	for at := t; hsAtom(at) && at.Line() == t.Line(); at = at.Prev() {
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

// hsMatched reports whether a constructor is matched against: on its line an arrow or equals sign follows, and none
// precedes.
func hsMatched(t lexer.Token) bool {
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
