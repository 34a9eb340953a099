package tools

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
)

// clangLanguage is C and C++.
func clangLanguage() Language {
	return Language{
		Use: clangUse, Outlined: true, Declares: clangAsks, Runs: clangRuns, Abstract: clangAbstract, Promoted: clangPromoted,
		Fields: clangFields, Constructors: clangConstructors,
		Naming:  Naming{Separator: "::", Qualifiers: DottedQualifiers, Named: clangNamed},
		Reading: Reading{Inside: clangInside, Test: clangTest, Needs: clangNeeds},
	}
}

// clangWalked is what scout needs of C and C++.
func clangWalked() walkedLanguage {
	return walkedLanguage{Edges: clangEdges, Hidden: []scout.Role{scout.RoleTypeSwitch}} // chains of dynamic_cast
}

func clangTest(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	dir := filepath.Base(filepath.Dir(path))
	return dir == "test" || dir == "tests" || name == "test" || strings.HasPrefix(name, "test_") || strings.HasPrefix(name, "test-") ||
		strings.HasSuffix(name, "_test") || strings.HasSuffix(name, "-test") || strings.HasSuffix(name, "Test")
}

// clangNamed leaves out namespaces and what has no name. Enumerators of C are known by their own name alone, but it does
// no harm to say of which enum they are.
func clangNamed(s lsp.DocumentSymbol) (name string, container bool) {
	name, container = OwnName(s)
	if strings.HasPrefix(s.Name, "(") || s.Kind == lsp.KindNamespace {
		return "", true
	}
	return name, container || s.Kind == lsp.KindStruct
}

// clangUse is how a name is used at a place of the project; what the headers of the system do with it is no use of ours.
// What the server lists as declared is: a prototype cannot always be told from a call by what stands around it.
func clangUse(ctx context.Context, q *Inquiry, l lsp.Location) (Use, error) {
	if !q.Within(l.Path) {
		return Use{}, nil
	}
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return Use{}, err
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	u := cUse(t)
	declared, err := clangDeclares(ctx, q, l, t, u)
	if err != nil {
		return Use{}, err
	}
	if declared {
		u = Use{Kind: "declaration"}
	}
	if open, _ := cInitialiser(t); u.Kind == "type" && open.Kind() != 0 {
		u.Kind = "new"
	}
	if whole := cWhole(t, u.Kind); whole.Kind() != 0 {
		line, column := whole.Position()
		u.Whole = lsp.At(l.Path, line, column)
	}
	u.Test = clangTest(l.Path)
	return u, nil
}

// clangAsks says whether only the server can tell if a name is declared at a place.
func clangAsks(q *Inquiry, l lsp.Location) bool {
	f, err := q.Lexed.Open(l.Path)
	if err != nil {
		return false
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	_, certain := cSurelyDeclares(q, l, t, cUse(t))
	return !certain
}

// cSurelyDeclares says whether a name that is used so is declared where it stands, if that is certain without the server. It
// does not list what is declared in functions.
func cSurelyDeclares(q *Inquiry, l lsp.Location, t lexer.Token, u Use) (declared, certain bool) {
	switch {
	case !u.Called && u.Kind != "type", q.Inside(l) != "":
		return false, true
	case u.Kind == "call" && t.File().Balanced() && cDeclarator(t):
		return true, true
	}
	return false, false
}

// clangDeclares says whether the name at a place is that of a declaration.
func clangDeclares(ctx context.Context, q *Inquiry, l lsp.Location, t lexer.Token, u Use) (bool, error) {
	if declared, certain := cSurelyDeclares(q, l, t, u); certain {
		return declared, nil
	}
	symbols, err := q.Outline(ctx, l.Path)
	if err != nil {
		return false, err
	}
	_, ok := cDeclared(symbols, l.Range.Start)
	return ok, nil
}

// cDeclared finds the declaration whose name stands at a place, and what it stands in, the outermost first.
func cDeclared(symbols []lsp.DocumentSymbol, at lsp.Position) (path []lsp.DocumentSymbol, ok bool) {
	for _, s := range symbols {
		if s.NameRange.Start == at {
			return []lsp.DocumentSymbol{s}, true
		}
		if inner, ok := cDeclared(s.Children, at); ok {
			return append([]lsp.DocumentSymbol{s}, inner...), true
		}
	}
	return nil, false
}

// cUse tells from what stands around it how a name is used.
func cUse(t lexer.Token) Use {
	before, next := cStart(t).Prev(), cBehind(t)
	switch directive := cDirective(t); {
	case t.Kind() == 0, t.Kind() == lexer.Comment:
		return Use{}
	case directive == "include" || directive == "import" || directive == "include_next":
		return Use{Kind: "import"}
	case directive == "define" && t.Prev().Is("define"):
		return Use{Kind: "declaration"}
	case strings.HasPrefix(directive, "if") || strings.HasPrefix(directive, "elif") || directive == "undef":
		return Use{Kind: "condition"}
	case t.Prev().Is("~"):
		return Use{Kind: "declaration"} // of a destructor, or a call of one, which nobody asks for
	case before.Is("new"):
		return Use{Kind: "new", Called: true}
	case before.Is("case"):
		return Use{Kind: "case"}
	case next.Is("::"):
		return Use{Kind: "qualifier"}
	case before.Is("[") && next.Is("]") && before.Prev().Is("{", ",", ""):
		return Use{Kind: "key"}
	case t.Prev().Is(".") && t.Prev().Prev().Is("{", ","):
		return Use{Kind: "initialiser"}
	case cBase(t):
		return Use{Kind: "base"}
	}
	return cInExpression(t, before, next)
}

func cInExpression(t, before, next lexer.Token) Use {
	switch {
	case next.Is("(") && !before.Is("struct", "union", "enum", "class"):
		return Use{Kind: "call", Called: true}
	case next.Is("{") && !before.Is("struct", "union", "enum", "class", ")") && t.Outer().Kind() != 0 && !before.Is("namespace"):
		return Use{Kind: "new", Called: true} // T{…}
	case cCast(before, next):
		return Use{Kind: "cast"}
	case cCompound(t, next):
		return Use{Kind: "new", Called: true} // (T){…}
	case cTyped(t, before, next):
		return Use{Kind: "type"}
	case cWritten(before, next):
		return Use{Kind: "write"}
	}
	return Use{Kind: "value", Taken: true, Passed: cPassed(t)}
}

// cStart is the first token of the qualified name or the chain of members that t ends, with & before it left out.
func cStart(t lexer.Token) lexer.Token {
	for t.Prev().Is("::") {
		t = t.Prev()
		if t.Prev().Kind() == lexer.Name {
			t = t.Prev()
		}
	}
	return t
}

// cBehind is what follows a name and its template arguments.
func cBehind(t lexer.Token) lexer.Token {
	next := t.Next()
	if end := next.Angles(); end.Kind() != 0 && end.Next().Is("(", "{", "::", ">", ",", ")", "&", "*") || end.Next().Kind() == lexer.Name {
		return end.Next()
	}
	return next
}

// cDirective is the word of the preprocessor's line that a token stands on, "" if it stands on none.
func cDirective(t lexer.Token) string {
	first := t.Statement()
	if first.Is("#") {
		return first.Next().Text()
	}
	return ""
}

// cBase says whether a name stands among the bases of a class.
func cBase(t lexer.Token) bool {
	at := cStart(t).Prev()
	for at.Is(",", "public", "protected", "private", "virtual") || at.Kind() == lexer.Name || at.Is("::") {
		at = at.Prev()
	}
	if !at.Is(":") {
		return false
	}
	name := at.Prev()
	if name.Is("final") {
		name = name.Prev()
	}
	return name.Prev().Is("class", "struct")
}

// cCast says whether what stands around a name makes it a type in a conversion.
func cCast(before, next lexer.Token) bool {
	if before.Is("struct", "union", "enum", "const") {
		before = before.Prev()
	}
	if before.Is("<") {
		return before.Prev().Is("static_cast", "reinterpret_cast", "const_cast", "dynamic_cast")
	}
	for next.Is("*", "&", "const") {
		next = next.Next()
	}
	if !before.Is("(") || !next.Is(")") || before.Match() != next {
		return false
	}
	operand := next.Next()
	callee := before.Prev()
	if callee.Kind() == lexer.Name || callee.Is("if", "while", "for", "switch", "return", "sizeof", "alignof", ")", "]") && !callee.Is("return") {
		return false
	}
	return operand.Kind() == lexer.Name || operand.Kind() == lexer.Number || operand.Kind() == lexer.String || operand.Is("(", "&", "*", "-", "this", "new", "sizeof")
}

// cCompound says whether a name is the type of a compound literal.
func cCompound(t, next lexer.Token) bool {
	for next.Is("*", "[", "const") || next.Prev().Is("[") {
		next = next.Next()
	}
	return next.Is(")") && next.Next().Is("{") && t.Outer().Match() == next && !cHeads(t.Outer().Prev())
}

// cHeads says whether a token comes before the parentheses of a statement or a function.
func cHeads(t lexer.Token) bool {
	return t.Kind() == lexer.Name || t.Is("if", "while", "for", "switch", "catch")
}

// cTyped says whether a name stands for a type: before what it declares, or after the word for its kind.
func cTyped(t, before, next lexer.Token) bool {
	if before.Is("struct", "union", "enum", "class", "typename", "sizeof") || before.Is("(") && before.Prev().Is("sizeof", "alignof", "decltype", "typeid") {
		return true
	}
	if next.Kind() == lexer.Name || next.Is("const", "volatile", "override", "final", "operator") || t.Prev().Is("<") && next.Is(">", ",") {
		return true
	}
	pointer := next.Is("*", "&", "&&")
	for next.Is("*", "&", "&&", "const") {
		next = next.Next()
	}
	start := before.Kind() == 0 || before.Is("(", ",", ";", "{", "}", "<", ">", ":", "const", "static", "extern", "inline", "virtual", "typedef", "friend", "=", "return", "register", "constexpr")
	return pointer && start && !before.Is("=", "return") && (next.Kind() == lexer.Name || next.Is(")", ",", ">", "("))
}

// cWritten says whether a value is assigned to.
func cWritten(before, next lexer.Token) bool {
	if before.Is("++", "--") || next.Is("++", "--") {
		return true
	}
	return strings.HasSuffix(next.Text(), "=") && next.Kind() == lexer.Punctuation && !next.Is("==", "!=", "<=", ">=", "<=>")
}

// cPassed is the function that a value is an argument of, as written.
func cPassed(t lexer.Token) string {
	open := t.Outer()
	callee := open.Prev()
	if !open.Is("(") || callee.Kind() != lexer.Name {
		return ""
	}
	name := callee.Text()
	for callee.Prev().Is(".", "->", "::") && callee.Prev().Prev().Kind() == lexer.Name {
		name = callee.Prev().Prev().Text() + callee.Prev().Text() + name
		callee = callee.Prev().Prev()
	}
	return name
}

// cWhole is the switch that a case belongs to, or the brace that opens the table of a key or value.
func cWhole(t lexer.Token, kind string) lexer.Token {
	outer := t.Outer()
	switch kind {
	case "case":
		for ; outer.Kind() != 0; outer = outer.Outer() {
			if end := outer.Prev(); outer.Is("{") && end.Is(")") && end.Match().Prev().Is("switch") {
				return end.Match().Prev()
			}
		}
	case "key":
		return outer.Outer()
	case "value":
		if outer.Is("{") && slices.Contains([]string{"=", "]", ")", ",", "{"}, outer.Prev().Text()) && t.Prev().Is("{", ",", "=") {
			return outer
		}
	}
	return lexer.Token{}
}
