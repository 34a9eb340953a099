package tools

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/gosyntax"
	"tidepool/lsp"
	"tidepool/scout"
)

// A whole is a switch, or a composite literal, over the members of a type: what misses the next member.
type whole struct {
	file    *gosyntax.File
	start   gosyntax.Position
	role    scout.Role
	members map[spot]bool
}

// wholes finds the switches and tables that members, declared at places, stand in. roleOf says which uses count. A
// table needs two members, since any literal may hold one.
func (g *graph) wholes(ctx context.Context, n scout.Node, places []lsp.Location, what string, roleOf func(gosyntax.Use) scout.Role) ([]scout.Edge, error) {
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
			g.collect(found, spotOf(at), r, roleOf)
		}
	}
	return g.wholeEdges(n, found, fmt.Sprintf("of %d %s of %s", len(places), what, n.Name)), nil
}

// collect notes that the use of a member at r is part of a whole, if it is.
func (g *graph) collect(found map[spot]*whole, member spot, r lsp.Location, roleOf func(gosyntax.Use) scout.Role) {
	f, err := g.files.Open(r.Path)
	if err != nil || !g.within(r.Path) {
		return
	}
	use, ok := f.Use(place(r))
	if !ok || use.Whole == (gosyntax.Position{}) || roleOf(use) == "" {
		return
	}
	key := spot{r.Path, use.Whole.Line, use.Whole.Column}
	if found[key] == nil {
		found[key] = &whole{file: f, start: use.Whole, role: roleOf(use), members: make(map[spot]bool)}
	}
	found[key].members[member] = true
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
		edges = append(edges, g.goEdge(n, w.file, w.start, w.role, fmt.Sprintf("lists %d %s", len(w.members), of)))
	}
	return edges
}
