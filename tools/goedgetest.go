package tools

import (
	"context"
	"fmt"

	"tidepool/internal/gopackage"
	"tidepool/scout"
)

// goTestEdges lists the tests that run a function, those that are the likeliest to do so first, and no more than are worth
// running. ok is false for what is no function.
func (g *graph) goTestEdges(ctx context.Context, n scout.Node, at gopackage.Place) (edges []scout.Edge, ok bool, err error) {
	facts, err := g.goFacts(ctx, n.Name)
	if err != nil {
		return nil, false, err
	}
	if facts.at[at] == nil {
		return nil, false, nil
	}
	tests := facts.tests(at)
	for i, t := range tests[:goTestCut(tests)] {
		reason := fmt.Sprintf("%d calls away", t.depth)
		if t.depth == 1 {
			reason = "calls it"
		}
		e := g.factEdge(n, t.fn.At, t.fn.At, t.fn.Name, "function", testRoleOf(t.fn.Name), elsewhere(t.fn.Elsewhere, reason))
		e.Rank, e.Last = i, true
		edges = append(edges, e)
	}
	return edges, true, nil
}
