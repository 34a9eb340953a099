package scout

import (
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// A telling is which roles and traits scout tells of places in a language. Of the Hidden roles of its graph.Language it does not
// find every place.
type telling struct {
	Language string            `json:"language"`
	Roles    []scout.Role      `json:"roles"`
	Traits   []scout.TraitName `json:"traits"`
}

// tellings returns those of the languages of an answer's symbols, each once.
func tellings(g *graph.Graph, a *scout.Answer) []telling {
	all := []telling{}
	for _, symbol := range a.Symbols {
		for _, c := range symbol.Found[:symbol.Walked] {
			path, _, _ := strings.Cut(c.Location, ":")
			id := lsp.LanguageOf(path)
			if !slices.ContainsFunc(all, func(t telling) bool { return t.Language == id }) {
				all = append(all, tellingOf(g, id))
			}
		}
	}
	return all
}

// tellingOf returns what is told of a language with an ID. What it does not have, such as imports of single names in Go, cannot
// be told of it either.
func tellingOf(g *graph.Graph, id string) telling {
	known := g.Known(id)
	if known.Edges == nil {
		return telling{Language: id, Roles: []scout.Role{}, Traits: []scout.TraitName{}}
	}
	roles := slices.DeleteFunc(scout.Roles(), func(role scout.Role) bool { return slices.Contains(known.Without, role) })
	return telling{Language: id, Roles: roles, Traits: known.Traits}
}
