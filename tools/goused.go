package tools

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"tidepool/internal/gopackage"
	"tidepool/internal/gosyntax"
	"tidepool/lsp"
	"tidepool/scout"
)

// goUsed lists what the function or variable at a place uses of the project, in the order in which it names it; of a type
// its methods, and of a method that an interface asks for what implements it.
func (g goExplorer) goUsed(ctx context.Context, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	if s, _ := g.goSubjectOf(n); s.kind == goInterfaceMethod {
		edges, _, err := g.implementing(ctx, n, l, scout.RoleImplementation, scout.RoleMock)
		return edges, err
	}
	if g.packages == nil {
		g.packages = new(gopackage.Packages)
	}
	work := g.packages.Begin(g.Files, g.goSources())
	facts := work.Facts(filepath.Dir(l.Path))
	work.End()
	at := placeOf(l)
	if i := slices.IndexFunc(facts.Functions, func(fn gopackage.Function) bool { return fn.At == at }); i >= 0 {
		return g.goUsedBy(n, facts.Functions[i])
	}
	i := slices.IndexFunc(facts.Types, func(t gopackage.Type) bool { return t.At == at })
	if i < 0 {
		return nil, nil
	}
	var edges []scout.Edge
	for _, m := range facts.Types[i].Methods {
		if d, ok := g.goDeclared(m.At); ok && len(edges) < MaxMembers {
			edges = append(edges, g.UsedEdge(n, d, "a method of it", len(edges)))
		}
	}
	return edges, nil
}

func (g goExplorer) goUsedBy(n scout.Node, fn gopackage.Function) ([]scout.Edge, error) {
	uses := slices.SortedFunc(slices.Values(fn.Uses), func(a, b gopackage.Use) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
	seen := make(map[gopackage.Place]bool)
	var edges []scout.Edge
	for _, use := range uses {
		d, ok := g.goDeclared(use.To)
		if !ok || seen[use.To] {
			continue
		}
		seen[use.To] = true
		edges = append(edges, g.UsedEdge(n, d, fmt.Sprintf("%s at line %d", use.Kind, use.At.Line), len(edges)))
	}
	return edges, nil
}

// goDeclared is what is declared at a place of the project; false for nothing.
func (g goExplorer) goDeclared(at gopackage.Place) (Declaration, bool) {
	if at == (gopackage.Place{}) || !g.Within(at.Path) {
		return Declaration{}, false
	}
	f, err := g.Files.Open(at.Path)
	if err != nil {
		return Declaration{}, false
	}
	d, ok := f.Declares(gosyntax.Position{Line: at.Line, Column: at.Column})
	return Declaration{Name: d.Name, Kind: string(d.Sort), At: locationOf(at)}, ok
}
