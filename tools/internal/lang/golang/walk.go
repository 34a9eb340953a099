package golang

import (
	"context"

	"tidepool/internal/golang/coverage"
	"tidepool/internal/golang/packages"
	"tidepool/internal/golang/reach"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// A Walk is what one walk knows of Go. The zero value keeps nothing for other walks, and has no test run.
type Walk struct {
	Packages *packages.Cache      // nil: nothing is kept of the packages that this walk checks
	Calls    *reach.Kept          // nil: as packages
	Coverage *coverage.Keeper     // nil: no test is run to see what it runs
	Progress func(message string) // is told of tests that run; nil: nobody wants to know

	index *packages.Index // of the tree, once it is known
	runs  testTally
}

// An explorer is such a walk in its graph.
type explorer struct {
	*graph.Graph
	*Walk
}

// Explored is what a walk needs of Go.
func (w *Walk) Explored() graph.Language {
	return graph.Language{
		Edges: func(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
			return edgesFrom(ctx, explorer{g, w}, n, l)
		},
		Used: func(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
			return explorer{g, w}.used(ctx, n, l)
		},
		Check: func(ctx context.Context, g *graph.Graph, c scout.Change, roots []scout.Node) (scout.Verdict, error) {
			return check(ctx, explorer{g, w}, c, roots)
		},
		Outer: outerAt, Unlisted: unlisted, Without: []scout.Role{scout.RoleImport}, Traits: scout.TraitNames(),
	}
}

// outerAt is the top-level declaration around a place.
func outerAt(q *query.Query, l lsp.Location) (query.Declaration, error) {
	f, err := q.Files.Open(l.Path)
	if err != nil {
		return query.Declaration{}, err
	}
	return outerIn(f, place(l)), nil
}
