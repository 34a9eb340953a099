package tools

import (
	"context"

	"tidepool/internal/gocoverage"
	"tidepool/internal/gopackage"
	"tidepool/internal/goreach"
	"tidepool/lsp"
	"tidepool/scout"
)

// A goWalk is what one walk knows of Go. The zero value keeps nothing for other walks, and has no test run.
type goWalk struct {
	packages *gopackage.Packages  // nil: nothing is kept of the packages that this walk checks
	calls    *goreach.Kept        // nil: as packages
	coverage *gocoverage.Keeper   // nil: no test is run to see what it runs
	progress func(message string) // is told of tests that run; nil: nobody wants to know

	index *gopackage.Index // of the tree, once it is known
	runs  testTally
}

// A goExplorer is such a walk in its graph.
type goExplorer struct {
	*graph
	*goWalk
}

// language is what a walk needs of Go.
func (w *goWalk) language() walkedLanguage {
	return walkedLanguage{
		edges: func(ctx context.Context, g *graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
			return goEdges(ctx, goExplorer{g, w}, n, l)
		},
		used: func(ctx context.Context, g *graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
			return goExplorer{g, w}.goUsed(ctx, n, l)
		},
		check: func(ctx context.Context, g *graph, c scout.Change, roots []scout.Node) (scout.Verdict, error) {
			return goCheck(ctx, goExplorer{g, w}, c, roots)
		},
		outer: goOuterAt, unlisted: goUnlisted,
	}
}

// goOuterAt is the top-level declaration around a place.
func goOuterAt(q *inquiry, l lsp.Location) (declaration, error) {
	f, err := q.files.Open(l.Path)
	if err != nil {
		return declaration{}, err
	}
	return goOuter(f, place(l)), nil
}
