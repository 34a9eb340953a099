package tools

import (
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

// A telling is which roles and traits scout tells of places in a language. Of the roles in hidden of its language it does not
// find every place.
type telling struct {
	Language string            `json:"language"`
	Roles    []scout.Role      `json:"roles"`
	Traits   []scout.TraitName `json:"traits"`
}

// tellings are those of the languages of an answer's symbols, each once.
func tellings(a *scout.Answer) []telling {
	all := []telling{}
	for _, symbol := range a.Symbols {
		for _, c := range symbol.Found[:symbol.Walked] {
			path, _, _ := strings.Cut(c.Location, ":")
			id := lsp.LanguageOf(path)
			if !slices.ContainsFunc(all, func(t telling) bool { return t.Language == id }) {
				all = append(all, tellingOf(id))
			}
		}
	}
	return all
}

// tellingOf is what is told of a language with an ID. What it does not have, such as imports of single names in Go, cannot
// be told of it either.
func tellingOf(id string) telling {
	t := telling{Language: id, Roles: []scout.Role{}, Traits: []scout.TraitName{}}
	var without []scout.Role
	file := []scout.TraitName{scout.TraitGenerated, scout.TraitTest}
	thrown := []scout.TraitName{scout.TraitPropagates, scout.TraitHandles, scout.TraitDrops}
	switch id {
	case "go":
		without = []scout.Role{scout.RoleImport}
		t.Traits = scout.TraitNames()
	case "typescript":
		without = []scout.Role{scout.RoleEmbedding, scout.RolePromotion, scout.RoleStringMethod, scout.RoleExample}
		t.Traits = slices.Concat([]scout.TraitName{scout.TraitKeyed, scout.TraitText}, thrown, file)
	case "python":
		without = []scout.Role{scout.RoleConversion, scout.RolePromotion, scout.RoleStringMethod, scout.RoleExample}
		t.Traits = slices.Concat([]scout.TraitName{scout.TraitKeyed, scout.TraitUnkeyed, scout.TraitText}, thrown, file)
	case "c":
		without = []scout.Role{
			scout.RoleInterfaceMethod, scout.RoleAssertion, scout.RolePromotion, scout.RoleStringMethod, scout.RoleUsed,
			scout.RoleExample, scout.RoleImport, scout.RoleReExport,
		}
		t.Traits = []scout.TraitName{scout.TraitKeyed, scout.TraitUnkeyed, scout.TraitGenerated, scout.TraitTagged, scout.TraitTest}
	case "rust", "haskell":
		without = []scout.Role{
			scout.RoleEmbedding, scout.RolePromotion, scout.RoleAssertion, scout.RoleStringMethod, scout.RoleUsed,
			scout.RoleTypeSwitch, scout.RoleTable, scout.RoleExample,
		}
		t.Traits = file
	default:
		return t
	}
	t.Roles = slices.DeleteFunc(scout.Roles(), func(role scout.Role) bool { return slices.Contains(without, role) })
	return t
}
