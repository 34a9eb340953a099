package tools

import (
	"context"
	"fmt"
	"slices"

	"tidepool/lsp"
	"tidepool/scout"
)

// maxSubtypes bounds the types whose uses are asked for to find what tells them apart.
const maxSubtypes = 16

// typeSwitches lists the functions that test values for at least two of the types declared at subtypes: what a type more
// may be missing from. tested says whether a use of a type is such a test.
func (g *graph) typeSwitches(ctx context.Context, n scout.Node, subtypes []lsp.Location, tested func(lsp.Location) bool) ([]scout.Edge, error) {
	asked := subtypes[:min(len(subtypes), maxSubtypes)]
	if len(asked) < len(subtypes) {
		g.limits = append(g.limits, fmt.Sprintf("%s has %d types below it; the uses of the first %d were looked at", n.Name, len(subtypes), len(asked)))
	}
	found := make(map[spot]*whole)
	for _, of := range asked {
		uses, err := g.references(ctx, n.Name, of)
		if err != nil {
			return nil, err
		}
		for _, at := range uses {
			if !g.within(at.Path) || !tested(at) {
				continue
			}
			outer, err := g.outer(ctx, at)
			if err != nil {
				return nil, err
			}
			key := spotOf(outer.at)
			key.path = at.Path // at the level of a file: all of it
			if found[key] == nil {
				found[key] = &whole{at: at, outer: outer, members: make(map[spot]bool)}
			}
			if w := found[key]; before(at.Range.Start, w.at.Range.Start) {
				w.at = at
			}
			found[key].members[spotOf(of)] = true
		}
	}
	return g.chainEdges(n, found, len(subtypes)), nil
}

func (g *graph) chainEdges(n scout.Node, found map[spot]*whole, of int) []scout.Edge {
	keys := make([]spot, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, compareSpots)
	var edges []scout.Edge
	for _, key := range keys {
		if w := found[key]; len(w.members) > 1 {
			reason := fmt.Sprintf("tests for %d of %d types of %s", len(w.members), of, n.Name)
			edges = append(edges, g.edge(n, w.at, w.outer, scout.RoleTypeSwitch, reason))
		}
	}
	return edges
}
