package haskell

import (
	"context"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/graph"
)

// Language is what the tools know of Haskell.
func Language() code.Language {
	return code.Language{
		Use: use, Outlined: true, Fields: fields, Constructors: constructors,
		Naming:  code.Naming{Qualifiers: code.DottedQualifiers, Named: named},
		Reading: code.Reading{Declared: declared, Test: test},
	}
}

// Explored is what scout needs of Haskell.
func Explored() graph.Language {
	return graph.Language{
		Edges: graph.EdgesOf, Hidden: []scout.Role{scout.RoleTypeSwitch, scout.RoleTable, scout.RoleExample},
		Without: []scout.Role{
			scout.RoleEmbedding, scout.RolePromotion, scout.RoleAssertion, scout.RoleStringMethod, scout.RoleUsed,
			scout.RoleTypeSwitch, scout.RoleTable, scout.RoleExample,
		},
		Traits: []scout.TraitName{scout.TraitGenerated, scout.TraitTest},
		Member: func(of, s lsp.Symbol) bool { return s.Kind == lsp.KindConstructor && of.Kind == lsp.KindStruct },
	}
}

func test(path string) bool {
	path = filepath.ToSlash(path)
	return strings.Contains(path, "/test/") || strings.Contains(path, "/tests/") || strings.HasSuffix(path, "Spec.hs") || strings.HasSuffix(path, "Test.hs")
}

// named drops type variables, which the server writes behind the names of classes and families, and imports.
func named(s lsp.DocumentSymbol) (name string, container bool) {
	switch {
	case s.Kind == lsp.KindFile || s.Kind == lsp.KindModule:
		return "", s.Name != "imports" && !strings.HasPrefix(s.Name, "import ")
	case s.Kind == lsp.KindInterface && s.Detail != "class":
		return "instance " + s.Name, false
	}
	name, _, _ = strings.Cut(s.Name, " ")
	return strings.Trim(name, "()"), s.Kind == lsp.KindInterface || s.Kind == lsp.KindStruct
}

// declared lists what a file declares at its top, from its text: of most declarations the server gives the whole
// for the name.
func declared(_ context.Context, q *code.Inquiry, path string) ([]lsp.Symbol, error) {
	f, err := q.Lexed.Open(path)
	if err != nil {
		return nil, err
	}
	var all []lsp.Symbol
	add := func(receiver, name string, kind lsp.Kind, t lexer.Token) {
		line, column := t.Position()
		all = append(all, lsp.Symbol{Name: name, Receiver: receiver, Kind: kind, Language: "haskell", Location: lsp.At(path, line, column)})
	}
	seen := make(map[string]bool) // functions have a signature, and a clause for each pattern
	for head := f.First(); head.Kind() != 0; head = end(head).Next() {
		if d, ok := typeAt(f, head); ok {
			if !strings.HasSuffix(d.form, " instance") {
				add("", d.name, kindOf(d.form), nameIn(d))
			}
			for _, c := range d.constructors {
				members(d, c, add)
			}
			continue
		}
		if name := function(head); name != "" && !seen[name] {
			seen[name] = true
			add("", name, lsp.KindFunction, head)
		}
	}
	return all, nil
}

func members(d typeDecl, c constructor, add func(receiver, name string, kind lsp.Kind, t lexer.Token)) {
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

func kindOf(form string) lsp.Kind {
	switch form {
	case "data", "newtype", "GADT":
		return lsp.KindStruct
	case "class":
		return lsp.KindInterface
	}
	return lsp.KindType
}

// nameIn is the token of a type's name in its declaration.
func nameIn(d typeDecl) lexer.Token {
	for t := d.first; t.Kind() != 0 && t != d.last; t = t.Next() {
		if t.Text() == d.name {
			return t
		}
	}
	return d.first
}

// function is the name that a declaration at the top gives to a function, "" for other declarations.
func function(head lexer.Token) string {
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
