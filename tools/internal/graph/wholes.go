package graph

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

// A Whole is a switch, or a table, over the members of a type: what misses the next member.
type Whole struct {
	At      lsp.Location        // of the word or bracket that it starts with
	Outer   query.Declaration   // that it stands in
	Role    scout.Role          // "": the caller knows
	Members map[query.Spot]bool // that it names
}

// Wholes finds the switches and tables that members, declared at places, stand in. roleOf says which uses count. A
// table needs two members, since any literal may hold one. The zero place is that of a member whose uses nobody knows.
func (g *Graph) Wholes(ctx context.Context, n scout.Node, places []lsp.Location, what string, roleOf func(query.Use) scout.Role) ([]scout.Edge, error) {
	asked := places[:min(len(places), MaxMembers)]
	if len(asked) < len(places) {
		g.Limits = append(g.Limits, fmt.Sprintf("%s has %d %s; the uses of the first %d were looked at", n.Name, len(places), what, len(asked)))
	}
	uses := make([][]lsp.Location, len(asked))
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(query.Concurrent)
	for i, at := range asked {
		if at == (lsp.Location{}) {
			continue
		}
		group.Go(func() (err error) {
			uses[i], err = g.View.References(asking, at, false)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("finding uses of the %s of %s: %w", what, n.Name, err)
	}
	found := make(map[query.Spot]*Whole)
	for i, at := range asked {
		for _, r := range query.Distinct(uses[i])[:min(len(uses[i]), maxReferences)] {
			if err := g.collect(ctx, found, query.SpotOf(at), r, roleOf); err != nil {
				return nil, err
			}
		}
	}
	return g.wholeEdges(n, found, fmt.Sprintf("of %d %s of %s", len(places), what, n.Name)), nil
}

// collect notes that the use of a member at r is part of a whole, if it is.
func (g *Graph) collect(ctx context.Context, found map[query.Spot]*Whole, member query.Spot, r lsp.Location, roleOf func(query.Use) scout.Role) error {
	known := g.Languages(lsp.LanguageOf(r.Path))
	if known.Use == nil || !g.Within(r.Path) {
		return nil
	}
	u, err := known.Use(ctx, &g.Query, r)
	if err != nil || u.Whole == (lsp.Location{}) || roleOf(u) == "" {
		return nil // a file that is gone has no switch
	}
	key := query.SpotOf(u.Whole)
	if found[key] == nil {
		outer, err := g.Outer(ctx, u.Whole)
		if err != nil {
			return err
		}
		found[key] = &Whole{At: u.Whole, Outer: outer, Role: roleOf(u), Members: make(map[query.Spot]bool)}
	}
	found[key].Members[member] = true
	return nil
}

func (g *Graph) wholeEdges(n scout.Node, found map[query.Spot]*Whole, of string) []scout.Edge {
	keys := make([]query.Spot, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, query.CompareSpots)
	var edges []scout.Edge
	for _, key := range keys {
		w := found[key]
		if w.Role == scout.RoleTable && len(w.Members) < 2 {
			continue
		}
		edges = append(edges, g.Edge(n, w.At, w.Outer, w.Role, fmt.Sprintf("lists %d %s", len(w.Members), of)))
	}
	return edges
}
