package tools

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/wording"
)

// Bounds of what one declaration may cost.
const (
	maxReferences = 1000 // references that are looked at
	maxMembers    = 64   // constants or implementations whose own references are
	snippetLines  = 4    // of source with an edge
)

// A graph is the code of a project as scout walks it. It belongs to one walk.
type graph struct {
	inquiry
	walked func(id string) walkedLanguage
	limits []string     // where a bound was met
	change scout.Change // what the walk asks about; edges of other changes may be left out

	provenances map[string]*provenance // of files, by path
}

// newGraph is the code that one question is about, as one walk sees it. walked returns what the walk needs of the language with
// an ID; the zero walkedLanguage, which has no edges, if nothing is known of it.
func newGraph(q *inquiry, walked func(id string) walkedLanguage) *graph {
	return &graph{inquiry: *q, walked: walked}
}

// Resolve finds the declarations that a name may mean, in the order of their files.
func (g *graph) Resolve(ctx context.Context, name string) ([]scout.Node, error) {
	wanted := parseName(name)
	symbols, err := g.lookup(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if len(symbols) == 0 {
		if nodes, err := g.unlisted(ctx, wanted); len(nodes) > 0 || err != nil {
			return nodes, err
		}
		reason := incompleteness(g.view.Completeness())
		near, err := g.near(ctx, wanted)
		if err != nil {
			return nil, err
		}
		return nil, &scout.NotFoundError{Name: name, Nearest: near, Reason: reason}
	}
	symbols = outside(wanted, atColumn(wanted, symbols))
	slices.SortFunc(symbols, func(a, b lsp.Symbol) int { return compareSpots(spotOf(a.Location), spotOf(b.Location)) })
	var nodes []scout.Node
	for _, s := range symbols {
		start := s.Location.Range.Start
		nodes = append(nodes, scout.Node{
			Name: g.displayName(s), Kind: string(s.Kind), Path: g.relative(s.Location.Path),
			Line: start.Line, Column: start.Column, Text: g.line(s.Location),
		})
	}
	return nodes, nil
}

// outside leaves out what is declared inside of something else if a name without a qualifier also means something that
// is not.
func outside(wanted name, symbols []lsp.Symbol) []lsp.Symbol {
	inner := func(s lsp.Symbol) bool {
		return s.Receiver != "" || s.Kind == lsp.KindField || s.Kind == lsp.KindProperty || s.Kind == lsp.KindEnumMember
	}
	outer := slices.DeleteFunc(slices.Clone(symbols), inner)
	if len(outer) == 0 || wanted.line > 0 || strings.Contains(wanted.plain, ".") {
		return symbols
	}
	return outer
}

func (g *graph) line(l lsp.Location) string {
	f, err := g.source(l.Path)
	if err != nil {
		return ""
	}
	return wording.Line(f.Line(l.Range.Start.Line))
}

// Edges lists what refers to a declaration and what its language binds to it; for an open question also what it uses.
func (g *graph) Edges(ctx context.Context, n scout.Node, c scout.Change) ([]scout.Edge, error) {
	g.change = c
	path := filepath.Join(g.root, filepath.FromSlash(n.Path))
	known := g.walked(lsp.LanguageOf(path))
	if known.edges == nil {
		return nil, fmt.Errorf("the tools do not know the syntax of %s", n.Path)
	}
	l := lsp.At(path, n.Line, n.Column)
	if c.Kind != scout.Other || c.Terms.Direction == scout.Users {
		return known.edges(ctx, g, n, l)
	}
	used, ok, err := g.usedBy(ctx, known, n, l)
	if err != nil || ok && c.Terms.Direction == scout.Uses {
		return used, err
	}
	edges, err := known.edges(ctx, g, n, l)
	return append(edges, used...), err
}

// edge makes the edge from n to a place that stands in outer, the zero declaration for the level of the file.
func (g *graph) edge(n scout.Node, at lsp.Location, outer declaration, role scout.Role, reason string) scout.Edge {
	e := scout.Edge{From: n, Role: role, Reason: reason, Test: g.isTest(at.Path), Traits: g.placeTraits(at)}
	e.To = g.node(declaration{name: n.Name, at: at})
	if outer.name != "" {
		e.To.Name = outer.name
	}
	switch {
	case outer.name == "" || outer.name == "_":
	case outer.at.Range.Start.Line == at.Range.Start.Line:
		e.To = g.node(outer)
	default:
		e.Enclosing, e.Into = outer.name, g.node(outer)
	}
	if text, err := g.source(at.Path); err == nil {
		for i := range snippetLines {
			e.Snippet += wording.Clip(text.Line(at.Range.Start.Line+i)) + "\n"
		}
	}
	return e
}

func (g *graph) node(d declaration) scout.Node {
	start := d.at.Range.Start
	return scout.Node{
		Name: d.name, Kind: d.kind, Path: g.relative(d.at.Path), Line: start.Line, Column: start.Column, Text: g.line(d.at),
	}
}

// located is the place of a node, for the server.
func (g *graph) located(n scout.Node) lsp.Location {
	return lsp.At(filepath.Join(g.root, filepath.FromSlash(n.Path)), n.Line, n.Column)
}

// references asks for the references to a place, within the bound.
func (g *graph) references(ctx context.Context, name string, l lsp.Location) ([]lsp.Location, error) {
	found, err := g.view.References(ctx, l, false)
	if err != nil {
		return nil, fmt.Errorf("finding references of %s: %w", name, err)
	}
	found = distinct(found)
	if len(found) > maxReferences {
		g.limits = append(g.limits, fmt.Sprintf("%s has %d references; the first %d were looked at", name, len(found), maxReferences))
		found = found[:maxReferences]
	}
	return found, nil
}
