package rust

import (
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/graph"
)

// Language is what the tools know of Rust.
func Language() code.Language {
	return code.Language{
		Use: use, Outlined: true, Abstract: abstract, Kin: kin,
		Fields: fields, Constructors: constructors,
		Naming: code.Naming{
			Separator: "::", Qualifiers: code.DottedQualifiers, Named: named,
			Made: []lsp.Kind{lsp.KindStruct, lsp.KindEnumMember},
		},
		Reading: code.Reading{Test: test},
	}
}

// Explored is what scout needs of Rust.
func Explored() graph.Language {
	return graph.Language{
		Edges: graph.EdgesOf, Hidden: []scout.Role{scout.RoleTypeSwitch, scout.RoleTable, scout.RoleExample},
		Without: []scout.Role{
			scout.RoleEmbedding, scout.RolePromotion, scout.RoleAssertion, scout.RoleStringMethod, scout.RoleUsed,
			scout.RoleTypeSwitch, scout.RoleTable, scout.RoleExample,
		},
		Traits: []scout.TraitName{scout.TraitGenerated, scout.TraitTest},
	}
}

func test(path string) bool {
	path = filepath.ToSlash(path)
	return strings.Contains(path, "/tests/") || strings.Contains(path, "/benches/") || strings.HasSuffix(path, "/tests.rs")
}

// named puts what an impl holds under its type: "impl<T> Show for Wrap<T>" is Wrap.
func named(s lsp.DocumentSymbol) (name string, container bool) {
	header, ok := strings.CutPrefix(s.Name, "impl")
	if !ok || header != "" && !strings.HasPrefix(header, " ") && !strings.HasPrefix(header, "<") {
		return code.OwnName(s)
	}
	if _, of, ok := strings.Cut(header, " for "); ok {
		header = of
	}
	words := strings.FieldsFunc(header, func(r rune) bool { return r == ' ' || r == '&' })
	words = slices.DeleteFunc(words, func(word string) bool { return word == "mut" || word == "dyn" || strings.HasPrefix(word, "'") })
	return code.BaseOf(code.PlainName(strings.Join(words, ""))), true
}
