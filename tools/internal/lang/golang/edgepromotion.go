package golang

import (
	"context"
	"fmt"
	"slices"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// embeddedEdges lists the uses of the field that a struct has by embedding a type at l: those that name it, and those of
// what it promotes.
func (g explorer) embeddedEdges(ctx context.Context, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	if len(g.sources()) > maxGoFiles {
		g.Doubt(fmt.Sprintf("what %s promotes was not looked for in more than %d Go files", n.Name, maxGoFiles))
		return nil, nil
	}
	selections, _, err := askTypes(g, "where what it promotes is used", func(c *analysis.Client) ([]fact.Selection, error) {
		return c.Selections(ctx, g.whole(), placeOf(l))
	})
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	for _, s := range selections {
		named := s.To == placeOf(l)
		if !named && g.Change.Kind == scout.Rename {
			continue
		}
		e := g.siteEdge(n, s.Site, scout.RolePromotion, "promotes "+s.Name)
		switch {
		case named && s.Key:
			e = graph.Having(e, graph.Only(scout.TraitKeyed)...)
			e.Role, e.Reason = scout.RoleLiteral, ""
		case named:
			e.Role, e.Reason = scout.RoleFieldUse, ""
		}
		edges = append(edges, e)
	}
	unkeyed, err := g.unkeyed(ctx, n, l)
	return append(edges, unkeyed...), err
}

// unkeyed lists the literals that give the field at l its value by position, which are no references to it.
func (g explorer) unkeyed(ctx context.Context, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	f, err := g.Files.Open(l.Path)
	if err != nil || g.Change.Kind == scout.Rename {
		return nil, err
	}
	outer, _ := f.Outer(place(l))
	t, ok := f.Type(outer.At)
	own := func(m syntax.Member) bool { return m.At == place(l) || m.Embedded && m.Target == place(l) }
	if !ok || t.Form != syntax.Struct || !slices.ContainsFunc(t.Members, own) {
		return nil, nil
	}
	references, err := g.References(ctx, outer.Name, at(f, outer.At))
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	for _, r := range references {
		in, err := g.Files.Open(r.Path)
		if err != nil || !g.Within(r.Path) {
			continue
		}
		if use, _ := in.Use(place(r)); use.Elements == syntax.Unkeyed {
			edges = append(edges, graph.Having(g.edge(n, in, place(r), scout.RoleLiteral, "sets it by position"), elements(use.Elements)...))
		}
	}
	return edges, nil
}
