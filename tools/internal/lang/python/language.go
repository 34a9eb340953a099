package python

import (
	"path/filepath"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// Language returns what the tools know of Python.
func Language() graph.Language {
	return graph.Language{
		Language: query.Language{
			Use: use, Outlined: true, Related: related, Unresolved: unresolved, Promoted: promoted,
			Fields: fieldsOf, Constructors: constructors,
			Naming:     query.Naming{Qualifiers: query.DottedQualifiers, Made: []lsp.Kind{lsp.KindClass, lsp.KindEnum, lsp.KindInterface}, Pkg: packageOf},
			Reading:    query.Reading{Test: test, Declaring: declaring},
			Explaining: query.Explaining{Body: suite, Functional: true},
		},
		Edges: edgesFrom, Used: graph.Called, Check: check,
		Hidden:  []scout.Role{scout.RoleExample}, // in comments
		Without: []scout.Role{scout.RoleConversion, scout.RolePromotion, scout.RoleStringMethod, scout.RoleExample},
		Traits: []scout.TraitName{
			scout.TraitKeyed, scout.TraitUnkeyed, scout.TraitText, scout.TraitPropagates, scout.TraitHandles, scout.TraitDrops,
			scout.TraitGenerated, scout.TraitTest,
		},
	}
}

// suite finds the colon behind the parameters of a function.
func suite(name lexer.Token, end int) lexer.Token {
	t := name.Next()
	if !t.Is("(", "[") {
		return lexer.Token{}
	}
	for ; t.Kind() != 0 && t.Start() < end; t = t.Next() {
		switch {
		case t.Is("(", "["):
			t = t.Match()
		case t.Is(":"):
			return t
		}
	}
	return lexer.Token{}
}

func test(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test") || name == "conftest"
}

// packageOf returns the module's own name, without those of the packages around it.
func packageOf(_ *query.Query, l lsp.Location) string {
	name := filepath.Base(l.Path)
	if strings.HasPrefix(name, "__init__.") {
		return filepath.Base(filepath.Dir(l.Path))
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}
