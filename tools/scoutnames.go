package tools

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

// unlisted finds what no server lists as a declaration: an embedded field by the name of its type, and the declaration
// around a line.
func (g *graph) unlisted(ctx context.Context, wanted name) ([]scout.Node, error) {
	if wanted.line > 0 && wanted.plain == "" {
		return g.around(ctx, wanted)
	}
	return g.hiddenIn(ctx, wanted)
}

// hiddenIn finds the member M of a type T, written T.M or pkg.T.M, that no server lists.
func (g *graph) hiddenIn(ctx context.Context, wanted name) ([]scout.Node, error) {
	dot := strings.LastIndexByte(wanted.plain, '.')
	if dot < 0 {
		return nil, nil
	}
	of := wanted
	of.plain = wanted.plain[:dot]
	types, err := g.lookup(ctx, of)
	if err != nil {
		return nil, err
	}
	var nodes []scout.Node
	for _, s := range types {
		known := g.walked(s.Language)
		if known.unlisted == nil || !slices.Contains(typeKinds(), s.Kind) {
			continue
		}
		for _, member := range known.unlisted(&g.inquiry, s, wanted.plain[dot+1:]) {
			nodes = append(nodes, g.node(member))
		}
	}
	return nodes, nil
}

// around finds the declaration that a line stands in.
func (g *graph) around(ctx context.Context, wanted name) ([]scout.Node, error) {
	paths, err := g.filesNamed(wanted.file)
	if err != nil {
		return nil, err
	}
	var nodes []scout.Node
	for _, path := range paths {
		f, err := g.source(path)
		if err != nil {
			return nil, err
		}
		line := f.Line(wanted.line)
		column := 1 + len(line) - len(strings.TrimLeft(line, " \t"))
		outer, err := g.outer(ctx, lsp.At(path, wanted.line, column))
		if err != nil {
			return nil, err
		}
		if outer.name != "" && outer.name != "_" {
			nodes = append(nodes, g.node(outer))
		}
	}
	return nodes, nil
}

// atColumn keeps, of the declarations on a line, those at the column that was written behind it, if any are.
func atColumn(n name, symbols []lsp.Symbol) []lsp.Symbol {
	parts := strings.Split(n.written, ":")
	column, err := strconv.Atoi(parts[len(parts)-1])
	if n.line == 0 || n.plain != "" || err != nil || len(parts) < 3 {
		return symbols
	}
	there := slices.DeleteFunc(slices.Clone(symbols), func(s lsp.Symbol) bool {
		return !covers(s.Location.Range, lsp.Position{Line: n.line, Column: column})
	})
	if len(there) == 0 {
		return symbols
	}
	return there
}
