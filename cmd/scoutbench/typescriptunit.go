package main

import (
	"strings"

	"tidepool/internal/lexer"
)

// typescriptUnits lists what stands at the top level of a file of TypeScript, and the members of classes. A statement
// that declares nothing is named after its first words, such as `test "adds"`; imports and exports have no name.
func typescriptUnits(path string, source []byte) []unit {
	f := lexer.Parse(path, source)
	var list []unit
	for _, s := range statementsIn(f, lexer.Token{}) {
		keyword, name := declaredBy(s[0])
		if name == "" {
			continue
		}
		list = append(list, unit{name, s[0].Line(), s[len(s)-1].Line()})
		if keyword == "class" {
			list = append(list, membersOf(f, name, s)...)
		}
	}
	return list
}

// membersOf lists the members of a class by its tokens outside of brackets.
func membersOf(f *lexer.File, class string, tokens []lexer.Token) []unit {
	var list []unit
	body := tokens[len(tokens)-1].Match()
	for _, s := range statementsIn(f, body) {
		if name := memberName(s[0]); name != "" {
			list = append(list, unit{class + "." + name, s[0].Line(), s[len(s)-1].Line()})
		}
	}
	return list
}

// statementsIn cuts what stands directly in a bracket, or at the top level for the zero Token, into statements. Of each
// come the tokens that stand there too, the closing brackets among them.
func statementsIn(f *lexer.File, outer lexer.Token) [][]lexer.Token {
	var all [][]lexer.Token
	for _, t := range f.Tokens() {
		if t.Kind() == lexer.Comment || t.Outer() != outer || t.Is(";") || t == outer.Match() {
			continue
		}
		closes := t.Match().Kind() != 0 && t.Match().Start() < t.Start()
		typed := t.Prev().Is(">") && t.Line() > t.Prev().Line() // a type without a semicolon
		if !closes && (typed || t.Statement() == t) {
			all = append(all, nil)
		}
		if len(all) > 0 {
			all[len(all)-1] = append(all[len(all)-1], t)
		}
	}
	return all
}

// declaredBy returns the word that a statement declares something with, and the name of that.
func declaredBy(t lexer.Token) (keyword, name string) {
	first := t
	for t.Is("export", "default", "declare", "abstract", "async") || t.Is("const") && t.Next().Is("enum") {
		t = t.Next()
	}
	switch {
	case t.Is("function") && t.Next().Is("*"):
		return t.Text(), t.Next().Next().Text()
	case t.Next().Kind() == lexer.Name && t.Is("function", "class", "interface", "type", "enum", "namespace", "const", "let", "var"):
		return t.Text(), t.Next().Text()
	case first.Is("import", "export"):
		return "", ""
	}
	return "", first.Text() + " " + first.Next().Next().Text()
}

// memberName returns the name of the member of a class that begins at a token.
func memberName(t lexer.Token) string {
	for t.Is("public", "private", "protected", "static", "readonly", "abstract", "override", "declare", "async", "get", "set", "*") &&
		!t.Next().Is("(", ":", "=", "?", ";") {
		t = t.Next()
	}
	return strings.Trim(t.Text(), `"'`)
}
