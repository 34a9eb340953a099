package graph

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

// unlisted finds what no server lists as a declaration: an embedded field by the name of its type, and the declaration
// around a line.
func (g *Graph) unlisted(ctx context.Context, wanted query.Name) ([]scout.Node, error) {
	if wanted.Line > 0 && wanted.Plain == "" {
		return g.around(ctx, wanted)
	}
	return g.hiddenIn(ctx, wanted)
}

// hiddenIn finds the member M of a type T, written T.M or pkg.T.M, that no server lists.
func (g *Graph) hiddenIn(ctx context.Context, wanted query.Name) ([]scout.Node, error) {
	dot := strings.LastIndexByte(wanted.Plain, '.')
	if dot < 0 {
		return nil, nil
	}
	of := wanted
	of.Plain = wanted.Plain[:dot]
	types, err := g.Lookup(ctx, of)
	if err != nil {
		return nil, err
	}
	var nodes []scout.Node
	for _, s := range types {
		known := g.known(s.Language)
		if known.Unlisted == nil || !query.IsType(s.Kind) {
			continue
		}
		for _, member := range known.Unlisted(&g.Query, s, wanted.Plain[dot+1:]) {
			nodes = append(nodes, g.node(member))
		}
	}
	return nodes, nil
}

// around finds the declaration that a line stands in.
func (g *Graph) around(ctx context.Context, wanted query.Name) ([]scout.Node, error) {
	paths, err := g.FilesNamed(wanted.File)
	if err != nil {
		return nil, err
	}
	var nodes []scout.Node
	for _, path := range paths {
		f, err := g.Source(path)
		if err != nil {
			return nil, err
		}
		line := f.Line(wanted.Line)
		column := 1 + len(line) - len(strings.TrimLeft(line, " \t"))
		outer, err := g.Outer(ctx, lsp.At(path, wanted.Line, column))
		if err != nil {
			return nil, err
		}
		if outer.Name != "" && outer.Name != "_" {
			nodes = append(nodes, g.node(outer))
		}
	}
	return nodes, nil
}

// atColumn keeps, of the declarations on a line, those at the column that was written behind it, if any are.
func atColumn(n query.Name, symbols []lsp.Symbol) []lsp.Symbol {
	parts := strings.Split(n.Written, ":")
	column, err := strconv.Atoi(parts[len(parts)-1])
	if n.Line == 0 || n.Plain != "" || err != nil || len(parts) < 3 {
		return symbols
	}
	there := slices.DeleteFunc(slices.Clone(symbols), func(s lsp.Symbol) bool {
		return !query.Covers(s.Location.Range, lsp.Position{Line: n.Line, Column: column})
	})
	if len(there) == 0 {
		return symbols
	}
	return there
}
