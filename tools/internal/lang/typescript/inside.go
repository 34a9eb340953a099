package typescript

import (
	"path/filepath"

	"tidepool/internal/lexer"
	"tidepool/tools/internal/query"
)

// inside is inside for TypeScript and JavaScript. It knows the functions of a file and the methods of its classes.
func inside(t lexer.Token, _ func(name string) bool) string {
	brackets := query.BracketsAround(t)
	if len(brackets) == 0 {
		return ""
	}
	switch filepath.Ext(t.File().Path) {
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs":
	default:
		return ""
	}
	first := brackets[0].Statement()
	if name := functionOf(first, brackets[0]); name != "" {
		return name
	}
	class := classOf(first, brackets[0])
	if class == "" || len(brackets) < 2 {
		return ""
	}
	if method := methodOf(brackets[1].Statement(), brackets[1]); method != "" {
		return class + "." + method
	}
	return ""
}

// functionOf returns the name of the function that begins with first and whose body a bracket opens, "" if there is none.
func functionOf(first, body lexer.Token) string {
	for first.Is("export", "default", "async") {
		first = first.Next()
	}
	name := first.Next()
	if name.Is("*") {
		name = name.Next()
	}
	if !first.Is("function") || !plainHead(name, body) || expanded(name) {
		return ""
	}
	return name.Text()
}

// expanded reports whether a function may get members, by an assignment or by Object.defineProperty, which makes it a class in the
// server's list.
func expanded(name lexer.Token) bool {
	for mention := range name.File().Mentions(name.Text()) {
		if mention.Text() != name.Text() {
			continue
		}
		if mention.Next().Is(".", "[") || mention.Prev().Is("(") && mention.Prev().Prev().Is("defineProperty") {
			return true
		}
	}
	return false
}

// methodOf is functionOf in a class. Accessors have other names in the server's list.
func methodOf(first, body lexer.Token) string {
	for first.Is("public", "protected", "private", "static", "async", "override") && !first.Next().Is("(", "<") {
		first = first.Next()
	}
	if !plainHead(first, body) || first.Text()[0] == '#' {
		return ""
	}
	return first.Text()
}

// plainHead reports whether nothing but parameters and a plain type stands between the name of a function and its body.
func plainHead(name, body lexer.Token) bool {
	parameters := name.Next()
	if end := parameters.Angles(); end.Kind() != 0 {
		parameters = end.Next()
	}
	if name.Kind() != lexer.Name || !parameters.Is("(") || !body.Is("{") {
		return false
	}
	at := parameters.Match().Next()
	if at == body {
		return true
	}
	if !at.Is(":") || at.Next() == body {
		return false
	}
	for at = at.Next(); at != body; at = at.Next() {
		if at.Kind() != lexer.Name && !at.Is(".", "<", ">", "[", "]", "|", ",", "void", "null", "undefined", "this") || at.Is("is", "keyof") {
			return false
		}
	}
	return !body.Prev().Is("<", "|", ".", "[", ",")
}

// classOf returns the name of the class that begins with first and whose body a bracket opens, "" if there is none.
func classOf(first, body lexer.Token) string {
	for first.Is("export", "default", "abstract") {
		first = first.Next()
	}
	name := first.Next()
	if !first.Is("class") || name.Kind() != lexer.Name || !body.Is("{") {
		return ""
	}
	for at := name.Next(); at != body; at = at.Next() {
		if at.Kind() != lexer.Name && !at.Is("extends", "implements", ".", ",", "<", ">", "[", "]", "|") {
			return ""
		}
	}
	if body.Prev().Is("<", ",", "|", "[", "extends") { // it opens a type
		return ""
	}
	return name.Text()
}
