package tools

import (
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

// rustLanguage is what the tools know of Rust.
func rustLanguage() language {
	return language{
		use: rustUse, outlined: true, abstract: rustAbstract, kin: rustKin,
		fields: rustFields, constructors: rustConstructors,
		naming: naming{
			separator: "::", qualifiers: dottedQualifiers, named: rustNamed,
			made: []lsp.Kind{lsp.KindStruct, lsp.KindEnumMember},
		},
		reading: reading{test: rustTest},
	}
}

// rustWalked is what scout needs of Rust.
func rustWalked() walkedLanguage {
	return walkedLanguage{edges: edgesOf, hidden: []scout.Role{scout.RoleTypeSwitch, scout.RoleTable, scout.RoleExample}}
}

func rustTest(path string) bool {
	path = filepath.ToSlash(path)
	return strings.Contains(path, "/tests/") || strings.Contains(path, "/benches/") || strings.HasSuffix(path, "/tests.rs")
}

// rustNamed puts what an impl holds under its type: "impl<T> Show for Wrap<T>" is Wrap.
func rustNamed(s lsp.DocumentSymbol) (name string, container bool) {
	header, ok := strings.CutPrefix(s.Name, "impl")
	if !ok || header != "" && !strings.HasPrefix(header, " ") && !strings.HasPrefix(header, "<") {
		return ownName(s)
	}
	if _, of, ok := strings.Cut(header, " for "); ok {
		header = of
	}
	words := strings.FieldsFunc(header, func(r rune) bool { return r == ' ' || r == '&' })
	words = slices.DeleteFunc(words, func(word string) bool { return word == "mut" || word == "dyn" || strings.HasPrefix(word, "'") })
	return baseOf(plainName(strings.Join(words, ""))), true
}
