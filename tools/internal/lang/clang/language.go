package clang

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// Language is C and C++.
func Language() graph.Language {
	return graph.Language{
		Language: query.Language{
			Use: use, Called: called, Asked: asked, Outlined: true, Declares: asks, Runs: runs, Unresolved: unresolved, Abstract: abstract, Promoted: promoted,
			Fields: fields, Constructors: constructors,
			Naming:     query.Naming{Separator: "::", Qualifiers: query.DottedQualifiers, Named: named, Scoped: scoped, Merged: merged},
			Reading:    query.Reading{Inside: inside, Test: test, Needs: needsOf, Declaring: unseen},
			Explaining: query.Explaining{Forward: true, Undocumented: true}, // clangd shows the type and the header there
		},
		Edges: edgesFrom, Hidden: []scout.Role{scout.RoleTypeSwitch}, // chains of dynamic_cast
		Without: []scout.Role{
			scout.RoleInterfaceMethod, scout.RoleAssertion, scout.RolePromotion, scout.RoleStringMethod, scout.RoleUsed,
			scout.RoleExample, scout.RoleImport, scout.RoleReExport,
		},
		Traits: []scout.TraitName{scout.TraitKeyed, scout.TraitUnkeyed, scout.TraitGenerated, scout.TraitTagged, scout.TraitTest},
	}
}

func test(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	dir := filepath.Base(filepath.Dir(path))
	return dir == "test" || dir == "tests" || name == "test" || strings.HasPrefix(name, "test_") || strings.HasPrefix(name, "test-") ||
		strings.HasSuffix(name, "_test") || strings.HasSuffix(name, "-test") || strings.HasSuffix(name, "Test")
}

// named leaves out namespaces and what has no name. Enumerators of C are known by their own name alone, but it does
// no harm to say of which enum they are.
func named(s lsp.DocumentSymbol) (name string, container bool) {
	name, container = query.OwnName(s)
	if strings.HasPrefix(s.Name, "(") || s.Kind == lsp.KindNamespace || s.Kind == lsp.KindOther { // the use of a macro that makes others
		return "", true
	}
	return name, container || s.Kind == lsp.KindStruct
}

// use returns how a name is used at a place of the project; what the headers of the system do with it is no use of ours.
// use trusts the server's list of declarations: the syntax around a prototype cannot always be told from that of a call.
func use(ctx context.Context, q *query.Query, l lsp.Location) (query.Use, error) {
	if !q.Within(l.Path) {
		return query.Use{}, nil
	}
	f, err := open(q.Lexed, l.Path)
	if err != nil {
		return query.Use{}, err
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	u := useOf(t)
	declared, err := declares(ctx, q, l, t, u)
	if err != nil {
		return query.Use{}, err
	}
	if declared {
		u = query.Use{Kind: "declaration"}
	}
	if open, _ := initialiser(t); u.Kind == "type" && open.Kind() != 0 {
		u.Kind = "new"
	}
	if whole := whole(t, u.Kind); whole.Kind() != 0 {
		line, column := whole.Position()
		u.Whole = lsp.At(l.Path, line, column)
	}
	u.Test = test(l.Path)
	return u, nil
}

// asks reports whether only the server can tell if a name is declared at a place.
func asks(q *query.Query, l lsp.Location) bool {
	f, err := open(q.Lexed, l.Path)
	if err != nil {
		return false
	}
	t := f.At(l.Range.Start.Line, l.Range.Start.Column)
	_, certain := surelyDeclares(q, l, t, useOf(t))
	return !certain
}

// surelyDeclares reports whether a name that is used so is declared where it stands, if that is certain without the server. It
// does not list what is declared in functions.
func surelyDeclares(q *query.Query, l lsp.Location, t lexer.Token, u query.Use) (declared, certain bool) {
	switch {
	case !u.Called && u.Kind != "type", q.Inside(l) != "":
		return false, true
	case u.Kind == "call" && t.File().Balanced() && declarator(t):
		return true, true
	}
	return false, false
}

// declares reports whether the name at a place is that of a declaration.
func declares(ctx context.Context, q *query.Query, l lsp.Location, t lexer.Token, u query.Use) (bool, error) {
	if declared, certain := surelyDeclares(q, l, t, u); certain {
		return declared, nil
	}
	symbols, err := q.Outline(ctx, l.Path)
	if err != nil {
		return false, err
	}
	_, ok := declaredAt(symbols, l.Range.Start)
	return ok, nil
}

// declaredAt finds the declaration whose name stands at a place, and what it stands in, the outermost first.
func declaredAt(symbols []lsp.DocumentSymbol, at lsp.Position) (path []lsp.DocumentSymbol, ok bool) {
	for _, s := range symbols {
		if s.NameRange.Start == at {
			return []lsp.DocumentSymbol{s}, true
		}
		if inner, ok := declaredAt(s.Children, at); ok {
			return append([]lsp.DocumentSymbol{s}, inner...), true
		}
	}
	return nil, false
}

// useOf tells from what stands around it how a name is used.
func useOf(t lexer.Token) query.Use {
	before, next := chainStart(t).Prev(), behind(t)
	switch directive := directive(t); {
	case t.Kind() == 0, t.Kind() == lexer.Comment:
		return query.Use{}
	case directive == "include" || directive == "import" || directive == "include_next":
		return query.Use{Kind: "import"}
	case directive == "define" && t.Prev().Is("define"):
		return query.Use{Kind: "declaration"}
	case strings.HasPrefix(directive, "if") || strings.HasPrefix(directive, "elif") || directive == "undef":
		return query.Use{Kind: "condition"}
	case t.Prev().Is("~"):
		return query.Use{Kind: "declaration"} // of a destructor, or a call of one, which nobody asks for
	case before.Is("new"):
		return query.Use{Kind: "new", Called: true}
	case before.Is("case"):
		return query.Use{Kind: "case"}
	case next.Is("::"):
		return query.Use{Kind: "qualifier"}
	case before.Is("[") && next.Is("]") && before.Prev().Is("{", ",", ""):
		return query.Use{Kind: "key"}
	case t.Prev().Is(".") && t.Prev().Prev().Is("{", ","):
		return query.Use{Kind: "initialiser"}
	case base(t):
		return query.Use{Kind: "base"}
	}
	return inExpression(t, before, next)
}

func inExpression(t, before, next lexer.Token) query.Use {
	switch {
	case next.Is("(") && !before.Is("struct", "union", "enum", "class"):
		return query.Use{Kind: "call", Called: true}
	case next.Is("{") && !before.Is("struct", "union", "enum", "class", ")") && t.Outer().Kind() != 0 && !before.Is("namespace"):
		return query.Use{Kind: "new", Called: true} // T{…}
	case cast(before, next):
		return query.Use{Kind: "cast"}
	case compound(t, next):
		return query.Use{Kind: "new", Called: true} // (T){…}
	case typed(t, before, next):
		return query.Use{Kind: "type"}
	case written(before, next):
		return query.Use{Kind: "write"}
	}
	return query.Use{Kind: "value", Taken: true, Passed: passed(t)}
}

// chainStart returns the first token of the qualified name or the chain of members that t ends, with & before it left out.
func chainStart(t lexer.Token) lexer.Token {
	for t.Prev().Is("::") {
		t = t.Prev()
		if t.Prev().Kind() == lexer.Name {
			t = t.Prev()
		}
	}
	return t
}

// behind returns what follows a name and its template arguments.
func behind(t lexer.Token) lexer.Token {
	next := t.Next()
	if end := next.Angles(); end.Kind() != 0 && end.Next().Is("(", "{", "::", ">", ",", ")", "&", "*") || end.Next().Kind() == lexer.Name {
		return end.Next()
	}
	return next
}

// directive returns the word of the preprocessor's line that a token stands on, "" if it stands on none.
func directive(t lexer.Token) string {
	first := t.Statement()
	if first.Is("#") {
		return first.Next().Text()
	}
	return ""
}

// base reports whether a name stands among the bases of a class.
func base(t lexer.Token) bool {
	at := chainStart(t).Prev()
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

// cast reports whether what stands around a name makes it a type in a conversion.
func cast(before, next lexer.Token) bool {
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

// compound reports whether a name is the type of a compound literal.
func compound(t, next lexer.Token) bool {
	for next.Is("*", "[", "const") || next.Prev().Is("[") {
		next = next.Next()
	}
	return next.Is(")") && next.Next().Is("{") && t.Outer().Match() == next && !heads(t.Outer().Prev())
}

// heads reports whether a token comes before the parentheses of a statement or a function.
func heads(t lexer.Token) bool {
	return t.Kind() == lexer.Name || t.Is("if", "while", "for", "switch", "catch")
}

// typed reports whether a name stands for a type: before what it declares, or after the word for its kind.
func typed(t, before, next lexer.Token) bool {
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

// written reports whether a value is assigned to.
func written(before, next lexer.Token) bool {
	if before.Is("++", "--") || next.Is("++", "--") {
		return true
	}
	return strings.HasSuffix(next.Text(), "=") && next.Kind() == lexer.Punctuation && !next.Is("==", "!=", "<=", ">=", "<=>")
}

// passed returns the function that a value is an argument of, as written.
func passed(t lexer.Token) string {
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

// whole returns the switch that a case belongs to, or the brace that opens the table of a key or value.
func whole(t lexer.Token, kind string) lexer.Token {
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

// open reads a file that clangd names. Its extension may be unknown, and it is C or C++ nevertheless.
func open(files *lexer.Reading, path string) (*lexer.File, error) {
	f, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	return f.AsC(), nil
}
