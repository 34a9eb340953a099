package tools

import (
	"context"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/wording"
)

// tsUse says how a name is used by what stands around it.
func tsUse(_ context.Context, q *Inquiry, at lsp.Location) (Use, error) {
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return Use{}, err
	}
	t := tsToken(q, at)
	u := Use{Test: tsTest(at.Path)}
	switch t.Kind() {
	case 0, lexer.Comment:
		return Use{}, nil // JSDoc names types
	case lexer.String:
		u.Kind = "value" // a key in quotes, or a member of a union of strings
		return u, nil
	}
	u.Kind = tsUseKind(t)
	switch u.Kind {
	case "call", "new", "element", "tag", "decorator":
		u.Called = true
	case "value":
		u.Taken, u.Passed = true, tsPassed(f, t)
	}
	return u, nil
}

// tsUseKind names the use of the name that a token is.
func tsUseKind(t lexer.Token) string {
	head := tsHead(t)
	before, behind := head.Prev(), tsBehind(t)
	switch {
	case tsDeclares(t):
		return "declaration"
	case tsModule(t) != "":
		return tsModule(t)
	case before.Is("/") && before.Prev().Is("<"):
		return "closing" // of an element
	case tsElement(before):
		return "element"
	case before.Is("new"):
		return "new"
	case tsInherits(before):
		return "base"
	case before.Is("@"):
		return "decorator"
	case before.Is("case") && behind.Is(":"):
		return "case"
	case behind.Is("("):
		return "call"
	case behind.Kind() == lexer.String && strings.HasPrefix(behind.Text(), "`"):
		return "tag"
	case behind.Is("=", "+=", "-=", "*=", "/=", "??=", "||=", "&&=", "++", "--") && !tsTyped(head), before.Is("++", "--", "delete"):
		return "write"
	case tsTyped(head):
		return "type"
	}
	return "value"
}

// tsHead is the first token of a chain like a.b?.c that ends with t.
func tsHead(t lexer.Token) lexer.Token {
	for t.Prev().Is(".", "?.") {
		before := t.Prev().Prev()
		for before.Is("!") {
			before = before.Prev()
		}
		if before.Kind() != lexer.Name && before.Kind() != lexer.Keyword {
			return t
		}
		t = before
	}
	return t
}

// tsBehind is the token behind a name, its type arguments and what says that it is not null.
func tsBehind(t lexer.Token) lexer.Token {
	next := t.Next()
	for next.Is("!") && !next.Next().Is("=") {
		next = next.Next()
	}
	if next.Is("?.") && next.Next().Is("(") {
		return next.Next()
	}
	if end := next.Angles(); end.Kind() != 0 && (end.Next().Is("(") || strings.HasPrefix(end.Next().Text(), "`")) {
		return end.Next()
	}
	return next
}

// tsDeclares says whether a name is declared where it stands.
func tsDeclares(t lexer.Token) bool {
	body := t.Outer()
	switch before := t.Prev(); {
	case before.Is("function", "class", "interface", "enum", "namespace", "const", "let", "var", "get", "set"):
		return true
	case before.Is("*") && before.Prev().Is("function"), before.Is("type") && t.Next().Is("=", "<"):
		return true
	case !body.Is("{") || !tsLeads(t):
		return false
	case tsBody(body):
		return true
	}
	next := t.Next()
	if end := next.Angles(); end.Kind() != 0 {
		next = end.Next()
	}
	close := next.Match()
	return next.Is("(") && (close.Next().Is("{") || close.Next().Is(":") && !tsLabelled(t)) // a method of an object
}

// tsLabelled says whether what a token begins may be the middle of `a ? b() : c`.
func tsLabelled(t lexer.Token) bool { return t.Prev().Is("?", "case") }

// tsLeads says whether a token is the name of a member: what stands before it ends another one or modifies this.
func tsLeads(t lexer.Token) bool {
	before := t.Prev()
	for tsModifier(before) || before.Is("*") {
		before = before.Prev()
	}
	switch {
	case before.Is("{", "}", ";", ","):
		return true
	case before.Line() == t.Line() || before.Kind() == 0:
		return false
	case before.Kind() == lexer.Punctuation:
		return before.Is(")", "]")
	}
	return tsBody(t.Outer()) // where lines need no semicolon
}

// tsBody says whether a brace holds the members of a class, interface or enum.
func tsBody(brace lexer.Token) bool {
	head := brace.Prev()
	for range 200 { // tokens of a heritage clause
		switch {
		case head.Is("class", "interface", "enum"):
			return true
		case head.Is("}") && !head.Next().Is(">", ","): // not that of a type argument
			return false
		case head.Kind() == 0 || head.Is(";", "{", "=>", "=") || head.Is(")") && !tsHeritage(head):
			return false
		case head.Match().Kind() != 0 && head.Match().Start() < head.Start():
			head = head.Match().Prev()
		default:
			head = head.Prev()
		}
	}
	return false
}

// tsHeritage says whether brackets call something that a class extends: `class A extends Mixin(B) {`.
func tsHeritage(close lexer.Token) bool {
	return tsHead(close.Match().Prev()).Prev().Is("extends")
}

// tsModule says how a name is part of the traffic between modules: "import", "re-export", "export" or "".
func tsModule(t lexer.Token) string {
	outer := t.Outer()
	switch before := outer.Prev(); {
	case outer.Is("{") && (before.Is("import", ",") || before.Is("type") && before.Prev().Is("import")) && outer.Match().Next().Is("from"):
		return "import"
	case outer.Is("{") && (before.Is("export") || before.Is("type") && before.Prev().Is("export")):
		if outer.Match().Next().Is("from") {
			return "re-export"
		}
		return "export"
	case outer.Is("{") && outer.Match().Next().Is("=") && outer.Match().Next().Next().Is("require"):
		return "import"
	case outer.Is("{") && before.Is("=") && before.Prev().Is("exports"), t.Next().Is("=") && tsHead(t).Is("exports", "module"):
		return "export"
	}
	switch before := t.Prev(); {
	case before.Is("import"), before.Is("type", ",", "as") && t.Next().Is("from", ","), before.Is("as") && t.Statement().Is("import"):
		if t.Statement().Is("import") {
			return "import"
		}
	case before.Is("default") && before.Prev().Is("export") && !tsBehind(t).Is("("):
		return "export"
	case before.Is("=") && before.Prev().Is("exports"), before.Is("=") && tsHead(before.Prev()).Is("exports", "module"):
		return "export"
	}
	return ""
}

// tsElement says whether a "<" begins an element of JSX: what stands before it cannot be compared or take arguments.
func tsElement(open lexer.Token) bool {
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

// tsInherits says whether what follows a token is inherited from or implemented.
func tsInherits(before lexer.Token) bool {
	for range 50 { // names in a list
		switch {
		case before.Is("implements"):
			return true
		case before.Is("extends"): // not that of a type parameter or conditional type
			return tsHeads(before)
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

// tsHeads says whether an "extends" belongs to a class or interface.
func tsHeads(extends lexer.Token) bool {
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

// tsTyped says whether a name stands where a type does.
func tsTyped(head lexer.Token) bool {
	before, behind := head.Prev(), head.Next()
	switch {
	case before.Is("as", "satisfies", "is", "keyof", "infer", "extends"), before.Is("typeof") && tsTyped(before):
		return true
	case before.Is("<") && !tsElement(before) && before.Angles().Kind() != 0, behind.Is("[") && behind.Next().Is("]"):
		return true
	case before.Is("|", "&"):
		return tsTyped(tsOperand(before)) || tsAlias(before)
	case before.Is(","):
		return tsArgument(before)
	case before.Is("("):
		return before.Prev().Is(":", "=>", "|", "&") && tsTyped(before)
	case before.Is(":"):
		return tsAnnotates(before)
	case before.Is("=>"):
		return before.Prev().Is(")") && tsTyped(before.Prev().Match())
	case before.Is("="):
		return tsAlias(head)
	}
	return false
}

// tsOperand is the first token of the operand that ends before "|" or "&".
func tsOperand(sign lexer.Token) lexer.Token {
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
	return tsHead(before)
}

// tsAlias says whether a token stands in the type of `type T = …`.
func tsAlias(t lexer.Token) bool {
	s := t.Statement()
	for s.Is("export", "declare", "default") {
		s = s.Next()
	}
	return s.Is("type")
}

// tsArgument says whether a comma stands between type arguments.
func tsArgument(comma lexer.Token) bool {
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

// tsAnnotates says whether a colon stands before a type, and not before a value or in a choice.
func tsAnnotates(colon lexer.Token) bool {
	outer := colon.Outer()
	before := colon.Prev()
	if before.Is("?") {
		before = before.Prev()
	}
	switch {
	case tsChooses(colon), before.Kind() == lexer.String && !tsBody(outer) && !tsObjectType(outer):
		return false
	case before.Is(")"):
		return true // the result of a function
	case outer.Is("{"):
		return tsBody(outer) || tsObjectType(outer) || before.Prev().Is("const", "let", "var", ",")
	}
	return true
}

// tsChooses says whether a colon belongs to `a ? b : c` or to a case.
func tsChooses(colon lexer.Token) bool {
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

// tsObjectType says whether a brace holds the members of an object type.
func tsObjectType(brace lexer.Token) bool {
	if !brace.Is("{") {
		return false
	}
	before := brace.Prev()
	switch {
	case before.Is("|", "&", "<"), before.Is("as", "satisfies"):
		return true
	case before.Is(":"):
		return tsAnnotates(before)
	case before.Is("="):
		return tsAlias(brace)
	}
	return false
}

// tsPassed is the function that a value is an argument of, as written.
func tsPassed(f *lexer.File, t lexer.Token) string {
	open := t.Outer()
	name := open.Prev()
	if !open.Is("(") || name.Kind() != lexer.Name || tsDeclares(name) {
		return ""
	}
	head := tsHead(name)
	return wording.OneLine(f.Text(head.Start(), name.End()))
}
