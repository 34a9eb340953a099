package tools

import (
	"context"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// haskellLanguage is what the tools know of Haskell.
func haskellLanguage() language {
	return language{
		use: haskellUse, outlined: true, fields: haskellFields, constructors: haskellConstructors, edges: edgesOf,
		naming:  naming{qualifiers: dottedQualifiers, named: haskellNamed},
		reading: reading{declared: haskellDeclared, test: haskellTest},
	}
}

func haskellTest(path string) bool {
	path = filepath.ToSlash(path)
	return strings.Contains(path, "/test/") || strings.Contains(path, "/tests/") || strings.HasSuffix(path, "Spec.hs") || strings.HasSuffix(path, "Test.hs")
}

// haskellNamed drops type variables, which the server writes behind the names of classes and families, and imports.
func haskellNamed(s lsp.DocumentSymbol) (name string, container bool) {
	switch {
	case s.Kind == lsp.KindFile || s.Kind == lsp.KindModule:
		return "", s.Name != "imports" && !strings.HasPrefix(s.Name, "import ")
	case s.Kind == lsp.KindInterface && s.Detail != "class":
		return "instance " + s.Name, false
	}
	name, _, _ = strings.Cut(s.Name, " ")
	return strings.Trim(name, "()"), s.Kind == lsp.KindInterface || s.Kind == lsp.KindStruct
}

// haskellDeclared lists what a file declares at its top, from its text: of most declarations the server gives the whole
// for the name.
func haskellDeclared(_ context.Context, q *inquiry, path string) ([]lsp.Symbol, error) {
	f, err := q.lexed.Open(path)
	if err != nil {
		return nil, err
	}
	var all []lsp.Symbol
	add := func(receiver, name string, kind lsp.Kind, t lexer.Token) {
		line, column := t.Position()
		all = append(all, lsp.Symbol{Name: name, Receiver: receiver, Kind: kind, Language: "haskell", Location: lsp.At(path, line, column)})
	}
	seen := make(map[string]bool) // functions have a signature, and a clause for each pattern
	for head := f.First(); head.Kind() != 0; head = hsEnd(head).Next() {
		if d, ok := hsTypeAt(f, head); ok {
			if !strings.HasSuffix(d.form, " instance") {
				add("", d.name, hsKind(d.form), hsNameIn(d))
			}
			for _, c := range d.constructors {
				hsMembers(d, c, add)
			}
			continue
		}
		if name := hsFunction(head); name != "" && !seen[name] {
			seen[name] = true
			add("", name, lsp.KindFunction, head)
		}
	}
	return all, nil
}

func hsMembers(d hsType, c hsConstructor, add func(receiver, name string, kind lsp.Kind, t lexer.Token)) {
	switch {
	case d.form == "class":
		add(d.name, c.name, lsp.KindMethod, c.at)
		return
	case strings.HasSuffix(d.form, " family"), d.form == "type instance":
		return
	}
	add(d.name, c.name, lsp.KindConstructor, c.at)
	for _, field := range c.fields {
		if field.name != "" {
			add(d.name, field.name, lsp.KindField, field.at)
		}
	}
}

func hsKind(form string) lsp.Kind {
	switch form {
	case "data", "newtype", "GADT":
		return lsp.KindStruct
	case "class":
		return lsp.KindInterface
	}
	return lsp.KindType
}

// hsNameIn is the token of a type's name in its declaration.
func hsNameIn(d hsType) lexer.Token {
	for t := d.first; t.Kind() != 0 && t != d.last; t = t.Next() {
		if t.Text() == d.name {
			return t
		}
	}
	return d.first
}

// hsFunction is the name that a declaration at the top gives to a function, "" for other declarations.
func hsFunction(head lexer.Token) string {
	if head.Is("(") && head.Match() == head.Next().Next() { // (<+>) :: …
		return head.Next().Text()
	}
	first, _ := utf8.DecodeRuneInString(head.Text())
	next := head.Next()
	switch {
	case head.Kind() != lexer.Name || unicode.IsUpper(first):
		return ""
	case next.Is("`"): // a `plus` b = …
		return next.Next().Text()
	case next.Kind() == lexer.Punctuation && !next.Is("::", "=", "|", ",", "(", "[", "{", "@", "!", "~"): // a <+> b = …
		return next.Text()
	}
	return head.Text()
}

func haskellUse(_ context.Context, q *inquiry, l lsp.Location) (use, error) {
	f, err := q.lexed.Open(l.Path)
	if err != nil {
		return use{}, err
	}
	u := hsUse(f.At(l.Range.Start.Line, l.Range.Start.Column+1))
	u.test = haskellTest(l.Path)
	return u, nil
}

// hsUse tells from what stands around it how a name is used.
func hsUse(t lexer.Token) use {
	head := t.Statement()
	switch {
	case t.Kind() == 0 || t.Kind() == lexer.Comment || t.Kind() == lexer.String:
		return use{}
	case head.Is("import"):
		return use{kind: "import"}
	case head.Is("module"):
		return use{kind: "export"}
	case head.Is("data", "newtype", "type", "class"):
		return hsInType(t, head)
	case head.Is("instance", "deriving"):
		if u, ok := hsInInstance(t, head); ok {
			return u
		}
	case t == head, t == head.Next() && head.Is("("):
		return use{kind: "declaration"}
	}
	if hsTyped(t) {
		return use{kind: "type"}
	}
	return hsInExpression(t)
}

func hsInType(t, head lexer.Token) use {
	before := t.Prev()
	switch {
	case before == head, before.Is("family"), before.Is("|", "="), before.Is("=>") && head.Is("class"):
		return use{kind: "declaration"}
	case before.Is("{", ",") && t.Next().Is("::", ",") && t.Outer().Is("{"):
		return use{kind: "declaration"}
	case t.Next().Is("::") && t.Line() != before.Line():
		return use{kind: "declaration"} // of a GADT's constructor or a class's method
	case head.Next().Is("instance") && before.Is("instance"), hsDeriving(t):
		return use{kind: "implements"}
	}
	return use{kind: "type"}
}

// hsDeriving reports whether a class is derived at a token.
func hsDeriving(t lexer.Token) bool {
	if t.Outer().Is("(") {
		t = t.Outer()
	}
	return t.Prev().Is("deriving", "stock", "newtype", "anyclass")
}

// hsInInstance tells the class from the type of "instance C T where"; false in the body.
func hsInInstance(t, head lexer.Token) (use, bool) {
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
			return use{kind: "implements"}, true
		}
		if at == t {
			return use{kind: "type"}, true
		}
	}
	if _, column := t.Position(); t.Line() != t.Prev().Line() && column > 1 && (t.Prev().Is("where") || hsMargin(t, head)) {
		return use{kind: "declaration"}, true // of a method
	}
	return use{}, false
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

func hsInExpression(t lexer.Token) use {
	first, _ := utf8.DecodeRuneInString(t.Text())
	constructor := unicode.IsUpper(first) || first == ':'
	switch {
	case constructor && t.Next().Is(".") && t.Next().Start() == t.End():
		return use{kind: "qualifier"}
	case constructor && hsMatched(t):
		return use{kind: "case"}
	case constructor:
		return use{kind: "new", called: true}
	case t.Prev().Is("`") && t.Next().Is("`"), t.Kind() == lexer.Punctuation:
		return use{kind: "call", called: true}
	}
	before := hsQualified(t).Prev()
	if hsAtom(before) && before.Line() == t.Line() {
		return use{kind: "value", taken: true, passed: hsApplied(before)}
	}
	if next := t.Next(); (hsAtom(next) || next.Is("(", "[", "$", "$!", "\\")) && next.Line()-t.Line() <= 1 && hsDeeper(t, next) {
		return use{kind: "call", called: true}
	}
	return use{kind: "value", taken: true}
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
