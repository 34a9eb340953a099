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
	*Graph
	*goWalk
}

// language is what a walk needs of Go.
func (w *goWalk) language() walkedLanguage {
	return walkedLanguage{
		Edges: func(ctx context.Context, g *Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
			return goEdges(ctx, goExplorer{g, w}, n, l)
		},
		Used: func(ctx context.Context, g *Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
			return goExplorer{g, w}.goUsed(ctx, n, l)
		},
		Check: func(ctx context.Context, g *Graph, c scout.Change, roots []scout.Node) (scout.Verdict, error) {
			return goCheck(ctx, goExplorer{g, w}, c, roots)
		},
		Outer: goOuterAt, Unlisted: goUnlisted,
	}
}

// goOuterAt is the top-level declaration around a place.
func goOuterAt(q *Inquiry, l lsp.Location) (Declaration, error) {
	f, err := q.Files.Open(l.Path)
	if err != nil {
		return Declaration{}, err
	}
	return goOuter(f, place(l)), nil
}
