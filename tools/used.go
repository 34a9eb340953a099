package tools

import (
	"context"
	"fmt"
	"slices"

	"tidepool/lsp"
	"tidepool/scout"
)

// usedBy lists what the declaration at a place uses of the project, for open questions. ok is false, and the answer says so,
// for a language in which that is not followed.
func (g *graph) usedBy(ctx context.Context, known walkedLanguage, n scout.Node, l lsp.Location) (edges []scout.Edge, ok bool, err error) {
	if known.used == nil {
		limit := "what declarations in " + lsp.LanguageOf(l.Path) + " use is not followed"
		if !slices.Contains(g.limits, limit) {
			g.limits = append(g.limits, limit)
		}
		return nil, false, nil
	}
	edges, err = known.used(ctx, g, n, l)
	return edges, true, err
}

// called lists what the server says that the function at a place calls. Of what it uses without calling it, nothing is
// known.
func called(ctx context.Context, g *graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	calls, err := g.view.OutgoingCalls(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("finding what %s calls: %w", n.Name, err)
	}
	sources := g.view.Sources("")
	var edges []scout.Edge
	for _, call := range calls {
		at := call.Caller.Location
		if !g.within(at.Path) || !slices.Contains(sources, at.Path) || spotOf(at) == spotOf(l) {
			continue // of a library, or itself
		}
		reason := "called"
		if len(call.Sites) > 0 {
			reason = fmt.Sprintf("called at line %d", call.Sites[0].Range.Start.Line)
		}
		edges = append(edges, g.usedEdge(n, declaration{name: g.displayName(call.Caller), kind: string(call.Caller.Kind), at: at}, reason, len(edges)))
	}
	return edges, nil
}

// usedEdge makes the edge from n to a declaration that it uses, the rank-th that it names.
func (g *graph) usedEdge(n scout.Node, d declaration, reason string, rank int) scout.Edge {
	edge := g.edge(n, d.at, d, scout.RoleUsed, reason)
	edge.Rank = rank
	return edge
}
