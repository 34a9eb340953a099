package clang

import (
	"context"
	"path/filepath"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// edgesFrom says of switches over an enum whether they have a default, without which a compiler can tell what they
// miss.
func edgesFrom(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	edges, err := g.EdgesWith(ctx, n, l, func(u query.Use, at lsp.Location, role scout.Role) []scout.Trait {
		return traits(g, u, at, role)
	})
	if err != nil {
		return nil, err
	}
	more, err := beside(ctx, g, n, l, edges)
	if err != nil {
		return nil, err
	}
	edges = append(edges, more...)
	for i, e := range edges {
		if e.Role != scout.RoleSwitch {
			continue
		}
		f, err := open(g.Lexed, filepath.Join(g.Root, filepath.FromSlash(e.To.Path)))
		if err != nil {
			continue // gone since
		}
		if at := f.At(e.To.Line, e.To.Column); at.Is("switch") {
			edges[i].Reason = graph.JoinReasons(e.Reason, defaultOf(at))
		}
	}
	return edges, nil
}

func defaultOf(at lexer.Token) string {
	body := at.Next().Match().Next()
	for t := body.Next(); t.Kind() != 0 && body.Match().Kind() != 0 && t.Start() < body.Match().Start(); t = t.Next() {
		if t.Is("default") && t.Outer() == body {
			return "with a default"
		}
	}
	return "without a default"
}
