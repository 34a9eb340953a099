package golang

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/lang/golang/edit"
	"tidepool/tools/internal/query"
)

// used lists what the function or variable at a place uses of the project, in the order in which it names it; of a type
// its methods, and of a method that an interface asks for what implements it.
func (g explorer) used(ctx context.Context, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	if s, _ := g.subjectOf(n); s.Kind == edit.InterfaceMethod {
		edges, _, err := g.implementing(ctx, n, l, scout.RoleImplementation, scout.RoleMock)
		return edges, err
	}
	found, ok, err := askTypes(ctx, g, "what it uses", func(ctx context.Context, c *analysis.Client) (analysis.Used, error) {
		return c.Used(ctx, g.whole(), placeOf(l))
	})
	switch {
	case !ok:
		return nil, err
	case found.Function != nil:
		return g.usedBy(n, *found.Function)
	case found.Type == nil:
		return nil, nil
	}
	var edges []scout.Edge
	for _, m := range found.Type.Methods {
		if d, ok := g.declared(m.At); ok && len(edges) < graph.MaxMembers {
			edges = append(edges, g.UsedEdge(n, d, "a method of it", len(edges)))
		}
	}
	return edges, nil
}

func (g explorer) usedBy(n scout.Node, fn fact.Function) ([]scout.Edge, error) {
	uses := slices.SortedFunc(slices.Values(fn.Uses), func(a, b fact.Use) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
	seen := make(map[fact.Place]bool)
	var edges []scout.Edge
	for _, use := range uses {
		d, ok := g.declared(use.To)
		if !ok || seen[use.To] {
			continue
		}
		seen[use.To] = true
		edges = append(edges, g.UsedEdge(n, d, fmt.Sprintf("%s at line %d", use.Kind, use.At.Line), len(edges)))
	}
	return edges, nil
}

// declared returns what is declared at a place of the project; false for nothing.
func (g explorer) declared(at fact.Place) (query.Declaration, bool) {
	if at == (fact.Place{}) || !g.Within(at.Path) {
		return query.Declaration{}, false
	}
	f, err := g.Files.Open(at.Path)
	if err != nil {
		return query.Declaration{}, false
	}
	d, ok := f.Declares(syntax.Position{Line: at.Line, Column: at.Column})
	return query.Declaration{Name: d.Name, Kind: string(d.Sort), At: locationOf(at)}, ok
}
