package graph

import (
	"context"
	"fmt"
	"slices"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

// usedBy lists what the declaration at a place uses of the project, for open questions. ok is false, and the answer says so,
// for a language in which that is not followed.
func (g *Graph) usedBy(ctx context.Context, known Language, n scout.Node, l lsp.Location) (edges []scout.Edge, ok bool, err error) {
	if known.Used == nil {
		g.limit("what declarations in " + lsp.LanguageOf(l.Path) + " use is not followed")
		return nil, false, nil
	}
	edges, err = known.Used(ctx, g, n, l)
	return edges, true, err
}

// limit says once what an answer lacks.
func (g *Graph) limit(text string) {
	if !slices.Contains(g.Limits, text) {
		g.Limits = append(g.Limits, text)
	}
}

// Called lists what the server says that the function at a place calls. Of what it uses without calling it, nothing is
// known.
func Called(ctx context.Context, g *Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	calls, err := g.View.OutgoingCalls(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("finding what %s calls: %w", n.Name, err)
	}
	sources := g.View.Sources("")
	var edges []scout.Edge
	for _, call := range calls {
		at := call.Caller.Location
		if !g.Within(at.Path) || !slices.Contains(sources, at.Path) || query.SpotOf(at) == query.SpotOf(l) {
			continue // of a library, or itself
		}
		reason := "called"
		if len(call.Sites) > 0 {
			reason = fmt.Sprintf("called at line %d", call.Sites[0].Range.Start.Line)
		}
		edges = append(edges, g.UsedEdge(n, query.Declaration{Name: g.DisplayName(call.Caller), Kind: string(call.Caller.Kind), At: at}, reason, len(edges)))
	}
	return edges, nil
}

// UsedEdge makes the edge from n to a declaration that it uses, the rank-th that it names.
func (g *Graph) UsedEdge(n scout.Node, d query.Declaration, reason string, rank int) scout.Edge {
	edge := g.Edge(n, d.At, d, scout.RoleUsed, reason)
	edge.Rank = rank
	return edge
}
