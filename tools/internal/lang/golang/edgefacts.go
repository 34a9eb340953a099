package golang

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// maxGoFiles bounds the Go files of a tree that are type-checked together, which takes a second for each thousand. Of a
// larger tree only the packages that mention what is asked about are.
const maxGoFiles = 2000

// askTypes asks what types tell. What it asks for, such as "which tests run it", is what the answer lacks if nobody can tell; ok
// is false then. The analysis process has as long as a language server for an answer.
func askTypes[Answer any](ctx context.Context, g explorer, what string, ask func(context.Context, *analysis.Client) (Answer, error)) (answer Answer, ok bool, err error) {
	ctx, cancel := g.View.Allow(ctx)
	defer cancel()
	answer, err = ask(ctx, g.memory.Analysis)
	if analysis.Failed(err) || lsp.Unanswered(err) {
		g.Doubt(what + " is not known: " + excerpt.OneLine(err.Error()))
		return answer, false, nil
	}
	return answer, err == nil, err
}

// whole is all of the tree.
func (g explorer) whole() analysis.Tree { return analysis.Tree{Walk: g.id, Sources: g.sources()} }

// treeFor is what may depend on the declaration at a place: all of a tree that is not too large.
func (g explorer) treeFor(ctx context.Context, n scout.Node, at fact.Place) (analysis.Tree, error) {
	tree := g.whole()
	if len(tree.Sources) <= maxGoFiles {
		return tree, nil
	}
	var err error
	tree.Dirs, err = g.directories(ctx, tree, n, at)
	if g.Change.Kind != scout.AddImplementation { // a switch over an interface that asks for the same methods needs no import
		tree.Near = filepath.Dir(at.Path)
	}
	return tree, err
}

// directories returns the packages that mention the declaration at a place, its members if it is enum-like, or those who
// implement it beside it.
func (g explorer) directories(ctx context.Context, tree analysis.Tree, n scout.Node, at fact.Place) ([]string, error) {
	own := filepath.Dir(at.Path)
	tree.Dirs = []string{own}
	names, err := g.memory.Analysis.Names(ctx, tree, at)
	if err != nil {
		return nil, err
	}
	dirs := []string{own}
	for _, name := range append(names, query.BaseOf(n.Name)) {
		files, err := g.View.Mentions(ctx, "go", name)
		if err != nil {
			return nil, fmt.Errorf("finding the files that mention %s: %w", name, err)
		}
		for _, path := range files {
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	slices.Sort(dirs)
	g.Doubt(fmt.Sprintf("of more than %d Go files only those in packages that mention %s were looked through", maxGoFiles, n.Name))
	return slices.Compact(dirs), nil
}

func (g explorer) sources() []string {
	return slices.DeleteFunc(g.View.Sources(""), func(path string) bool { return filepath.Ext(path) != ".go" || !g.Within(path) })
}

func placeOf(l lsp.Location) fact.Place {
	return fact.Place{Path: l.Path, Line: l.Range.Start.Line, Column: l.Range.Start.Column}
}

func locationOf(p fact.Place) lsp.Location { return lsp.At(p.Path, p.Line, p.Column) }

// siteEdge makes the edge from n to a site.
func (g explorer) siteEdge(n scout.Node, s fact.Site, role scout.Role, reason string) scout.Edge {
	outer := query.Declaration{Name: s.Enclosing, At: locationOf(s.In)}
	return g.Edge(n, locationOf(s.At), outer, role, reason)
}

// functionEdge makes the edge from n to a place in a function or variable.
func (g explorer) functionEdge(n scout.Node, at fact.Place, in *fact.Function, role scout.Role, reason string) scout.Edge {
	outer := query.Declaration{Name: in.Name, Kind: "function", At: locationOf(in.At)}
	switch {
	case in.Variable:
		outer.Kind = "variable"
	case in.Receiver != fact.Place{}:
		outer.Kind = "method"
	}
	return g.Edge(n, locationOf(at), outer, role, reason)
}

// ranked makes edges in the order of compare, which the walk keeps for those that are alike otherwise.
func ranked[T any](all []T, compare func(a, b T) int, edge func(T) scout.Edge) []scout.Edge {
	slices.SortStableFunc(all, compare)
	edges := make([]scout.Edge, len(all))
	for i, one := range all {
		edges[i] = edge(one)
		edges[i].Rank = i
	}
	return edges
}
