package scout

import (
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// languageRoles lists the roles and traits that scout can report for a language. Of the Hidden roles of its graph.Language it
// does not find every place.
type languageRoles struct {
	Language string            `json:"language"`
	Roles    []scout.Role      `json:"roles"`
	Traits   []scout.TraitName `json:"traits"`
}

// rolesOf lists the roles of the languages of an answer's symbols, each language once.
func rolesOf(g *graph.Graph, a *scout.Answer) []languageRoles {
	all := []languageRoles{}
	for _, symbol := range a.Symbols {
		for _, c := range symbol.Found[:symbol.Walked] {
			path, _, _ := strings.Cut(c.Location, ":")
			id := lsp.LanguageOf(path)
			if !slices.ContainsFunc(all, func(t languageRoles) bool { return t.Language == id }) {
				all = append(all, rolesIn(g, id))
			}
		}
	}
	return all
}

// rolesIn lists the roles of the language with an ID. What the language does not have, such as imports of single names in Go,
// scout cannot report.
func rolesIn(g *graph.Graph, id string) languageRoles {
	known := g.Known(id)
	if known.Edges == nil {
		return languageRoles{Language: id, Roles: []scout.Role{}, Traits: []scout.TraitName{}}
	}
	roles := slices.DeleteFunc(scout.Roles(), func(role scout.Role) bool { return slices.Contains(known.Without, role) })
	return languageRoles{Language: id, Roles: roles, Traits: known.Traits}
}
