package typescript

import (
	"context"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// use says how a name is used by what stands around it.
func use(_ context.Context, q *query.Query, at lsp.Location) (query.Use, error) {
	f, err := q.Lexed.Open(at.Path)
	if err != nil {
		return query.Use{}, err
	}
	t := token(q, at)
	u := query.Use{Test: test(at.Path)}
	switch t.Kind() {
	case 0, lexer.Comment:
		return query.Use{}, nil // JSDoc names types
	case lexer.String:
		u.Kind = "value" // a key in quotes, or a member of a union of strings
		return u, nil
	}
	u.Kind = useKind(t)
	switch u.Kind {
	case "call", "new", "element", "tag", "decorator":
		u.Called = true
	case "value":
		u.Taken, u.Passed = true, passed(f, t)
	}
	return u, nil
}

// useKind names the use of the name that a token is.
func useKind(t lexer.Token) string {
	head := chainHead(t)
	before, behind := head.Prev(), behind(t)
	switch {
	case declares(t):
		return "declaration"
	case module(t) != "":
		return module(t)
	case before.Is("/") && before.Prev().Is("<"):
		return "closing" // of an element
	case element(before):
		return "element"
	case before.Is("new"):
		return "new"
	case inherits(before):
		return "base"
	case before.Is("@"):
		return "decorator"
	case before.Is("case") && behind.Is(":"):
		return "case"
	case behind.Is("("):
		return "call"
	case behind.Kind() == lexer.String && strings.HasPrefix(behind.Text(), "`"):
		return "tag"
	case behind.Is("=", "+=", "-=", "*=", "/=", "??=", "||=", "&&=", "++", "--") && !typed(head), before.Is("++", "--", "delete"):
		return "write"
	case typed(head):
		return "type"
	}
	return "value"
}

// chainHead returns the first token of a chain like a.b?.c that ends with t.
func chainHead(t lexer.Token) lexer.Token {
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

// behind returns the token behind a name, its type arguments and what says that it is not null.
func behind(t lexer.Token) lexer.Token {
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

// declares reports whether a name is declared where it stands.
func declares(t lexer.Token) bool {
	body := t.Outer()
	switch before := t.Prev(); {
	case before.Is("function", "class", "interface", "enum", "namespace", "const", "let", "var", "get", "set"):
		return true
	case before.Is("*") && before.Prev().Is("function"), before.Is("type") && t.Next().Is("=", "<"):
		return true
	case !body.Is("{") || !leads(t):
		return false
	case holdsBody(body):
		return true
	}
	next := t.Next()
	if end := next.Angles(); end.Kind() != 0 {
		next = end.Next()
	}
	close := next.Match()
	return next.Is("(") && (close.Next().Is("{") || close.Next().Is(":") && !labelled(t)) // a method of an object
}

// labelled reports whether what a token begins may be the middle of `a ? b() : c`.
func labelled(t lexer.Token) bool { return t.Prev().Is("?", "case") }

// leads reports whether a token is the name of a member: what stands before it ends another one or modifies this.
func leads(t lexer.Token) bool {
	before := t.Prev()
	for modifier(before) || before.Is("*") {
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
	return holdsBody(t.Outer()) // where lines need no semicolon
}

// module says how a name is part of the traffic between modules: "import", "re-export", "export" or "".
func module(t lexer.Token) string {
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
	case outer.Is("{") && before.Is("=") && before.Prev().Is("exports"), t.Next().Is("=") && chainHead(t).Is("exports", "module"):
		return "export"
	}
	switch before := t.Prev(); {
	case before.Is("import"), before.Is("type", ",", "as") && t.Next().Is("from", ","), before.Is("as") && t.Statement().Is("import"):
		if t.Statement().Is("import") {
			return "import"
		}
	case behind(t).Is("(") || strings.HasPrefix(behind(t).Text(), "`"):
		return "" // what it makes is exported
	case before.Is("default") && before.Prev().Is("export"):
		return "export"
	case before.Is("=") && before.Prev().Is("exports"), before.Is("=") && chainHead(before.Prev()).Is("exports", "module"):
		return "export"
	}
	return ""
}

// passed returns the function that a value is an argument of, as written.
func passed(f *lexer.File, t lexer.Token) string {
	open := t.Outer()
	name := open.Prev()
	if !open.Is("(") || name.Kind() != lexer.Name || declares(name) {
		return ""
	}
	head := chainHead(name)
	return excerpt.OneLine(f.Text(head.Start(), name.End()))
}
