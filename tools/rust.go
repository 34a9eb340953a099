package tools

import (
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

// rustLanguage is what the tools know of Rust.
func rustLanguage() Language {
	return Language{
		Use: rustUse, Outlined: true, Abstract: rustAbstract, Kin: rustKin,
		Fields: rustFields, Constructors: rustConstructors,
		Naming: Naming{
			Separator: "::", Qualifiers: DottedQualifiers, Named: rustNamed,
			Made: []lsp.Kind{lsp.KindStruct, lsp.KindEnumMember},
		},
		Reading: Reading{Test: rustTest},
	}
}

// rustWalked is what scout needs of Rust.
func rustWalked() walkedLanguage {
	return walkedLanguage{Edges: EdgesOf, Hidden: []scout.Role{scout.RoleTypeSwitch, scout.RoleTable, scout.RoleExample}}
}

func rustTest(path string) bool {
	path = filepath.ToSlash(path)
	return strings.Contains(path, "/tests/") || strings.Contains(path, "/benches/") || strings.HasSuffix(path, "/tests.rs")
}

// rustNamed puts what an impl holds under its type: "impl<T> Show for Wrap<T>" is Wrap.
func rustNamed(s lsp.DocumentSymbol) (name string, container bool) {
	header, ok := strings.CutPrefix(s.Name, "impl")
	if !ok || header != "" && !strings.HasPrefix(header, " ") && !strings.HasPrefix(header, "<") {
		return OwnName(s)
	}
	if _, of, ok := strings.Cut(header, " for "); ok {
		header = of
	}
	words := strings.FieldsFunc(header, func(r rune) bool { return r == ' ' || r == '&' })
	words = slices.DeleteFunc(words, func(word string) bool { return word == "mut" || word == "dyn" || strings.HasPrefix(word, "'") })
	return BaseOf(PlainName(strings.Join(words, ""))), true
}
