package typescript

import (
	"tidepool/internal/lexer"
)

// holdsBody reports whether a brace holds the members of a class, interface or enum.
func holdsBody(brace lexer.Token) bool {
	head := brace.Prev()
	for range 200 { // tokens of a heritage clause
		switch {
		case head.Is("class", "interface", "enum"):
			return true
		case head.Is("}") && !head.Next().Is(">", ","): // not that of a type argument
			return false
		case head.Kind() == 0 || head.Is(";", "{", "=>", "=") || head.Is(")") && !heritage(head):
			return false
		case head.Match().Kind() != 0 && head.Match().Start() < head.Start():
			head = head.Match().Prev()
		default:
			head = head.Prev()
		}
	}
	return false
}

// heritage reports whether brackets call something that a class extends: `class A extends Mixin(B) {`.
func heritage(close lexer.Token) bool {
	return chainHead(close.Match().Prev()).Prev().Is("extends")
}

// element reports whether a "<" begins an element of JSX: what stands before it cannot be compared or take arguments.
func element(open lexer.Token) bool {
	if !open.Is("<") {
		return false
	}
	before := open.Prev()
	switch before.Kind() {
	case lexer.Name, lexer.Number:
		return false
	case lexer.Keyword:
		return before.Is("return", "default", "yield", "case", "else", "await")
	case lexer.Punctuation:
		return !before.Is(")", "]")
	}
	return true // text of JSX
}

// inherits reports whether what follows a token is inherited from or implemented.
func inherits(before lexer.Token) bool {
	for range 50 { // names in a list
		switch {
		case before.Is("implements"):
			return true
		case before.Is("extends"): // not that of a type parameter or conditional type
			return heads(before)
		case before.Is(","):
			before = before.Prev()
		case before.Is(">"):
			for before.Kind() != 0 && !before.Is("<") {
				before = before.Prev()
			}
			before = before.Prev()
		case before.Kind() == lexer.Name || before.Is("."):
			before = before.Prev()
		default:
			return false
		}
	}
	return false
}

// heads reports whether an "extends" belongs to a class or interface.
func heads(extends lexer.Token) bool {
	before := extends.Prev()
	if before.Is("class") { // without a name
		return true
	}
	if before.Is(">") {
		for depth := 0; before.Kind() != 0; before = before.Prev() {
			if before.Is(">") {
				depth++
			}
			if before.Is("<") {
				if depth--; depth == 0 {
					before = before.Prev()
					break
				}
			}
		}
	}
	return before.Prev().Is("class", "interface")
}

// typed reports whether a name stands where a type does.
func typed(head lexer.Token) bool {
	before, behind := head.Prev(), head.Next()
	switch {
	case before.Is("as", "satisfies", "is", "keyof", "infer", "extends"), before.Is("typeof") && typed(before):
		return true
	case before.Is("<") && !element(before) && before.Angles().Kind() != 0, behind.Is("[") && behind.Next().Is("]"):
		return true
	case before.Is("|", "&"):
		return typed(operand(before)) || alias(before)
	case before.Is(","):
		return argument(before)
	case before.Is("("):
		return before.Prev().Is(":", "=>", "|", "&") && typed(before)
	case before.Is(":"):
		return annotates(before)
	case before.Is("=>"):
		return before.Prev().Is(")") && typed(before.Prev().Match())
	case before.Is("="):
		return alias(head)
	}
	return false
}

// operand returns the first token of the operand that ends before "|" or "&".
func operand(sign lexer.Token) lexer.Token {
	before := sign.Prev()
	if open := before.Match(); open.Kind() != 0 && open.Start() < before.Start() {
		return open
	}
	if before.Is(">") {
		for before.Kind() != 0 && !before.Is("<") {
			before = before.Prev()
		}
		before = before.Prev()
	}
	if before.Is(":", "=", "<", "(") { // a leading sign
		return sign
	}
	return chainHead(before)
}

// alias reports whether a token stands in the type of `type T = …`.
func alias(t lexer.Token) bool {
	s := t.Statement()
	for s.Is("export", "declare", "default") {
		s = s.Next()
	}
	return s.Is("type")
}

// argument reports whether a comma stands between type arguments.
func argument(comma lexer.Token) bool {
	for open, left := comma.Prev(), 50; open.Kind() != 0 && left > 0; open, left = open.Prev(), left-1 {
		switch {
		case open.Is("<"):
			end := open.Angles()
			return end.Kind() != 0 && end.Start() > comma.Start()
		case open.Is("(", "{", "[", ";", "="):
			return false
		case open.Match().Kind() != 0:
			open = open.Match()
		}
	}
	return false
}

// annotates reports whether a colon stands before a type, and not before a value or in a choice.
func annotates(colon lexer.Token) bool {
	outer := colon.Outer()
	before := colon.Prev()
	if before.Is("?") {
		before = before.Prev()
	}
	switch {
	case chooses(colon), before.Kind() == lexer.String && !holdsBody(outer) && !objectType(outer):
		return false
	case before.Is(")"):
		return true // the result of a function
	case outer.Is("{"):
		return holdsBody(outer) || objectType(outer) || declaresVariables(before)
	}
	return true
}

// declaresVariables reports whether a name in a brace is one of those that a const, let or var declares, and not the key of an object.
func declaresVariables(name lexer.Token) bool {
	for t, left := name.Prev(), 200; t.Kind() != 0 && left > 0; t, left = t.Prev(), left-1 {
		switch {
		case t.Is("const", "let", "var"):
			return true
		case t.Is("{", ";"):
			return false
		case t.Match().Kind() != 0 && t.Match().Start() < t.Start():
			t = t.Match()
		}
	}
	return false
}

// chooses reports whether a colon belongs to `a ? b : c` or to a case.
func chooses(colon lexer.Token) bool {
	depth := 0
	for t, left := colon.Prev(), 200; t.Kind() != 0 && left > 0; t, left = t.Prev(), left-1 {
		switch {
		case t.Is("?") && !t.Next().Is(":", ")", ","):
			if depth--; depth < 0 {
				return true
			}
		case t.Is(":"):
			depth++
		case t.Is("case"):
			return true
		case t.Is(";", "{", "(", "[", ",", "=>"):
			return false
		case t.Match().Kind() != 0 && t.Match().Start() < t.Start():
			t = t.Match()
		}
	}
	return false
}

// objectType reports whether a brace holds the members of an object type.
func objectType(brace lexer.Token) bool {
	if !brace.Is("{") {
		return false
	}
	before := brace.Prev()
	switch {
	case before.Is("|", "&", "<"), before.Is("as", "satisfies"):
		return true
	case before.Is(":"):
		return annotates(before)
	case before.Is("="):
		return alias(brace)
	}
	return false
}
