package golang

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/internal/wording"
	"tidepool/scout"
)

// maxTests bounds the tests that a change of one function lists without having seen them run it: those that did are bounded
// by the depth of the question alone.
const maxTests = 15

// testEdges lists the tests that run a function: those that ran it when they were run alone, the nearest first, and of
// those of which that is not known the likeliest, no more than are worth running. ok is false for what is no function.
func (g explorer) testEdges(ctx context.Context, n scout.Node, tree analysis.Tree, at fact.Place) (edges []scout.Edge, ok bool, err error) {
	found, told, err := askTypes(ctx, g, "which tests run it", func(ctx context.Context, c *analysis.Client) (analysis.Tests, error) { return c.Tests(ctx, tree, at) })
	if !told || found.Function == nil {
		return nil, !told, err
	}
	known, err := g.testsSeen(ctx, tree, found)
	if err != nil {
		return nil, false, err
	}
	tests := known.judge(found.Tests)
	all := make([]fact.Test, len(tests))
	for i, t := range tests {
		all[i] = t.Test
	}
	seen := 0 // they come first
	for seen < len(tests) && tests[seen].observed {
		seen++
	}
	listed := tests[:max(seen, fact.Worthwhile(all, maxTests))]
	mixed := len(listed) > 0 && listed[0].observed // they come first
	for i, t := range listed {
		e := g.functionEdge(n, t.At, t.Function, testRoleOf(t.Name), t.reason())
		e.Rank, e.Last, e.Observed = i, true, t.observed
		if mixed && !t.observed {
			e.Fix = "may run it"
		}
		edges = append(edges, e)
	}
	g.limitTests(n, tests[len(listed):])
	g.tally.add(known, listed, g.View.Root())
	g.Tests = g.tally.result(&g.Query)
	return edges, true, nil
}

// limitTests counts the tests that are not listed.
func (g explorer) limitTests(n scout.Node, left []judgedTest) {
	ran := 0
	for _, t := range left {
		if t.observed {
			ran++
		}
	}
	if ran > 0 {
		run := "run"
		if ran == 1 {
			run = "runs"
		}
		g.Limits = append(g.Limits, fmt.Sprintf("%s %s %s, too", wording.Count(ran, "more test"), run, n.Name))
	}
	if likely := len(left) - ran; likely > 0 {
		g.Limits = append(g.Limits, fmt.Sprintf("%s might run %s, which is less likely", wording.Count(likely, "more test"), n.Name))
	}
}

// reason says how a test comes to run a function.
func (t judgedTest) reason() string {
	distance := distance(t.Test)
	switch {
	case t.observed && distance == "":
		return "runs it"
	case t.observed:
		return "runs it: " + distance
	case t.before:
		return strings.TrimSuffix("ran it before the latest changes: "+distance, ": ")
	}
	return distance
}

// distance returns how far a test is from a function; "" if that is not known.
func distance(t fact.Test) string {
	switch {
	case t.Sure:
		return "a package that it uses runs it at the start"
	case t.Steps == 0:
		return ""
	case t.Steps == 1:
		return "uses it"
	}
	return fmt.Sprintf("%d steps away", t.Steps)
}

// testRoleOf returns the role of a function of a test file that uses something.
func testRoleOf(name string) scout.Role {
	if strings.HasPrefix(name, "Example") {
		return scout.RoleExample
	}
	return scout.RoleTest
}

// nearestFirst orders tests: those that were seen to run a function, then by chance.
func nearestFirst(tests []judgedTest) {
	steps := func(t judgedTest) int {
		if t.Steps == 0 && !t.Sure {
			return 1 << 30
		}
		return t.Steps
	}
	slices.SortStableFunc(tests, func(a, b judgedTest) int {
		switch {
		case a.observed && b.observed:
			return steps(a) - steps(b)
		case a.observed:
			return -1
		case b.observed || a.Chance < b.Chance:
			return 1
		case a.Chance > b.Chance:
			return -1
		}
		return 0
	})
}
