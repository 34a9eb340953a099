package tools

import (
	"fmt"
	"strings"

	"tidepool/internal/gopackage"
	"tidepool/internal/goreach"
	"tidepool/scout"
)

// maxTests bounds the tests that a change of one function lists: the functions that more tests run are so many tests away
// that the first ones say as much as all.
const maxTests = 15

// goTestEdges lists the tests that may run a function, the likeliest first, and no more than are worth running. ok is
// false for what is no function.
func (g *graph) goTestEdges(n scout.Node, index *gopackage.Index, at gopackage.Place) (edges []scout.Edge, ok bool) {
	if index.Function(at) == nil {
		return nil, false
	}
	tests := g.reach(index).Tests(at)
	listed := tests[:goreach.Worthwhile(tests, maxTests)]
	for i, t := range listed {
		e := g.functionEdge(n, t.At, t.Function, testRoleOf(t.Name), distance(t))
		e.Rank, e.Last = i, true
		edges = append(edges, e)
	}
	if left := len(tests) - len(listed); left > 0 {
		g.limits = append(g.limits, fmt.Sprintf("%d more tests might run %s, which is less likely", left, n.Name))
	}
	return edges, true
}

// distance says how a test comes to run a function.
func distance(t goreach.Test) string {
	switch {
	case t.Sure:
		return "a package that it uses runs it at the start"
	case t.Steps == 1:
		return "uses it"
	}
	return fmt.Sprintf("%d steps away", t.Steps)
}

// reach is what runs what, made once for an index.
func (g *graph) reach(index *gopackage.Index) *goreach.Calls {
	if g.calls == nil {
		g.calls = new(goreach.Kept)
	}
	return g.calls.Of(index)
}

// testRoleOf is the role of a function of a test file that uses something.
func testRoleOf(name string) scout.Role {
	if strings.HasPrefix(name, "Example") {
		return scout.RoleExample
	}
	return scout.RoleTest
}
