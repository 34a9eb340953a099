package golang

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"tidepool/internal/golang/packages"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

// maxGoFiles bounds the Go files of a tree that are type-checked together, which takes a second for each thousand. Of a
// larger tree only the packages that mention what is asked about are.
const maxGoFiles = 2000

// indexOf type-checks what may depend on the declaration at a place: all of a tree that is not too large, once for a walk.
func (g explorer) indexOf(ctx context.Context, n scout.Node, at packages.Place) (*packages.Index, error) {
	sources := g.sources()
	whole := len(sources) <= maxGoFiles
	if whole && g.index != nil {
		return g.index, nil
	}
	work := g.memory.Packages.Begin(g.Files, sources)
	defer work.End()
	dirs := work.Directories()
	if !whole {
		var err error
		if dirs, err = g.directories(ctx, work, n, at); err != nil {
			return nil, err
		}
	}
	index, err := work.Index(ctx, dirs)
	if err != nil {
		return nil, fmt.Errorf("type-checking the packages: %w", err)
	}
	g.index = index
	return index, nil
}

// directories returns the packages that mention the declaration at a place, its members if it is enum-like, or those who
// implement it beside it.
func (g explorer) directories(ctx context.Context, work *packages.Work, n scout.Node, at packages.Place) ([]string, error) {
	own := filepath.Dir(at.Path)
	index, err := work.Index(ctx, []string{own})
	if err != nil {
		return nil, err
	}
	names := []string{query.BaseOf(n.Name)}
	if typ := index.Enum(at); typ != nil {
		for _, m := range typ.Members {
			names = append(names, m.Name)
		}
	}
	if wanted := index.Type(at); wanted != nil && wanted.Interface {
		for _, t := range index.Types {
			if packages.Satisfies(t.Methods, wanted.Methods) {
				names = append(names, t.Name)
			}
		}
	}
	dirs := []string{own}
	for _, name := range names {
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

func placeOf(l lsp.Location) packages.Place {
	return packages.Place{Path: l.Path, Line: l.Range.Start.Line, Column: l.Range.Start.Column}
}

func locationOf(p packages.Place) lsp.Location { return lsp.At(p.Path, p.Line, p.Column) }

// siteEdge makes the edge from n to a site.
func (g explorer) siteEdge(n scout.Node, s packages.Site, role scout.Role, reason string) scout.Edge {
	outer := query.Declaration{Name: s.Enclosing, At: locationOf(s.In)}
	return g.Edge(n, locationOf(s.At), outer, role, reason)
}

// functionEdge makes the edge from n to a place in a function or variable.
func (g explorer) functionEdge(n scout.Node, at packages.Place, in *packages.Function, role scout.Role, reason string) scout.Edge {
	outer := query.Declaration{Name: in.Name, Kind: "function", At: locationOf(in.At)}
	switch {
	case in.Variable:
		outer.Kind = "variable"
	case in.Receiver != packages.Place{}:
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
