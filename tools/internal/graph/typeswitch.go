package graph

import (
	"context"
	"fmt"
	"slices"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

// maxSubtypes bounds the types whose uses are asked for to find what tells them apart.
const maxSubtypes = 16

// TypeSwitches lists the functions that test values for at least two of the types declared at subtypes: what a type more
// may be missing from. tested says whether a use of a type is such a test.
func (g *Graph) TypeSwitches(ctx context.Context, n scout.Node, subtypes []lsp.Location, tested func(lsp.Location) bool) ([]scout.Edge, error) {
	asked := subtypes[:min(len(subtypes), maxSubtypes)]
	if len(asked) < len(subtypes) {
		g.Limits = append(g.Limits, fmt.Sprintf("%s has %d types below it; the uses of the first %d were looked at", n.Name, len(subtypes), len(asked)))
	}
	found := make(map[query.Spot]*Whole)
	for _, of := range asked {
		uses, err := g.References(ctx, n.Name, of)
		if err != nil {
			return nil, err
		}
		for _, at := range uses {
			if !g.Within(at.Path) || !tested(at) {
				continue
			}
			outer, err := g.Outer(ctx, at)
			if err != nil {
				return nil, err
			}
			key := query.SpotOf(outer.At)
			key.Path = at.Path // at the level of a file: all of it
			if found[key] == nil {
				found[key] = &Whole{At: at, Outer: outer, Members: make(map[query.Spot]bool)}
			}
			if w := found[key]; query.Before(at.Range.Start, w.At.Range.Start) {
				w.At = at
			}
			found[key].Members[query.SpotOf(of)] = true
		}
	}
	return g.chainEdges(n, found, len(subtypes)), nil
}

func (g *Graph) chainEdges(n scout.Node, found map[query.Spot]*Whole, of int) []scout.Edge {
	keys := make([]query.Spot, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, query.CompareSpots)
	var edges []scout.Edge
	for _, key := range keys {
		if w := found[key]; len(w.Members) > 1 {
			reason := fmt.Sprintf("tests for %d of %d types of %s", len(w.Members), of, n.Name)
			edges = append(edges, g.Edge(n, w.At, w.Outer, scout.RoleTypeSwitch, reason))
		}
	}
	return edges
}
