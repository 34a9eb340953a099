package tools

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"tidepool/lsp"
	"tidepool/scout"
)

// A whole is a switch, or a table, over the members of a type: what misses the next member.
type whole struct {
	at      lsp.Location
	outer   declaration
	role    scout.Role
	members map[spot]bool
}

// wholes finds the switches and tables that members, declared at places, stand in. roleOf says which uses count. A
// table needs two members, since any literal may hold one.
func (g *graph) wholes(ctx context.Context, n scout.Node, places []lsp.Location, what string, roleOf func(use) scout.Role) ([]scout.Edge, error) {
	asked := places[:min(len(places), maxMembers)]
	if len(asked) < len(places) {
		g.limits = append(g.limits, fmt.Sprintf("%s has %d %s; the uses of the first %d were looked at", n.Name, len(places), what, len(asked)))
	}
	uses := make([][]lsp.Location, len(asked))
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(concurrent)
	for i, at := range asked {
		group.Go(func() (err error) {
			uses[i], err = g.view.References(asking, at, false)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("finding uses of the %s of %s: %w", what, n.Name, err)
	}
	found := make(map[spot]*whole)
	for i, at := range asked {
		for _, r := range distinct(uses[i])[:min(len(uses[i]), maxReferences)] {
			if err := g.collect(ctx, found, spotOf(at), r, roleOf); err != nil {
				return nil, err
			}
		}
	}
	return g.wholeEdges(n, found, fmt.Sprintf("of %d %s of %s", len(places), what, n.Name)), nil
}

// collect notes that the use of a member at r is part of a whole, if it is.
func (g *graph) collect(ctx context.Context, found map[spot]*whole, member spot, r lsp.Location, roleOf func(use) scout.Role) error {
	known := g.languages(lsp.LanguageOf(r.Path))
	if known.use == nil || !g.within(r.Path) {
		return nil
	}
	u, err := known.use(ctx, &g.inquiry, r)
	if err != nil || u.whole == (lsp.Location{}) || roleOf(u) == "" {
		return nil // a file that is gone has no switch
	}
	key := spotOf(u.whole)
	if found[key] == nil {
		outer, err := g.outer(ctx, u.whole)
		if err != nil {
			return err
		}
		found[key] = &whole{at: u.whole, outer: outer, role: roleOf(u), members: make(map[spot]bool)}
	}
	found[key].members[member] = true
	return nil
}

func (g *graph) wholeEdges(n scout.Node, found map[spot]*whole, of string) []scout.Edge {
	keys := make([]spot, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, compareSpots)
	var edges []scout.Edge
	for _, key := range keys {
		w := found[key]
		if w.role == scout.RoleTable && len(w.members) < 2 {
			continue
		}
		edges = append(edges, g.edge(n, w.at, w.outer, w.role, fmt.Sprintf("lists %d %s", len(w.members), of)))
	}
	return edges
}
