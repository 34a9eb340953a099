package graph

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// Bounds of what one declaration may cost.
const (
	maxReferences = 1000 // references that are looked at
	MaxMembers    = 64   // constants or implementations whose own references are
	snippetLines  = 4    // of source with an edge
)

// A Graph is the code of a project as scout walks it. It belongs to one walk.
type Graph struct {
	query.Query
	Limits []string     // where a bound was met, a sentence each
	Change scout.Change // what the walk asks about; edges of other changes may be left out
	Tests  *TestRuns    // how it is known which tests run what the walk asks about; nil: it did not ask, or nothing runs tests

	known       func(id string) Language
	report      func(message string)
	provenances map[string]*provenance // of files, by path
}

// New begins a walk. known returns the language with an ID; the zero Language, which has no Edges, if nothing is known of it.
// report is told what the walk waits for beyond language servers; nil: nobody wants to know.
func New(q *query.Query, known func(id string) Language, report func(message string)) *Graph {
	if report == nil {
		report = func(string) {}
	}
	return &Graph{Query: *q, known: known, report: report}
}

// Known returns what is known of the language with an ID.
func (g *Graph) Known(id string) Language { return g.known(id) }

// Report tells the caller what the walk waits for.
func (g *Graph) Report(message string) { g.report(message) }

// Prepare has the language of the file at a path begin what later walks over it can use.
func (g *Graph) Prepare(path string) {
	if known := g.known(lsp.LanguageOf(path)); known.Prepare != nil {
		known.Prepare(g, path)
	}
}

// Resolve finds the declarations that a name may mean, in the order of their files.
func (g *Graph) Resolve(ctx context.Context, name string) ([]scout.Node, error) {
	wanted := query.ParseName(name)
	symbols, err := g.Lookup(ctx, wanted)
	if g.Late("what "+name+" means", err) {
		return nil, g.notFound(name)
	}
	if err != nil {
		return nil, err
	}
	if len(symbols) == 0 {
		if nodes, err := g.unlisted(ctx, wanted); len(nodes) > 0 || err != nil {
			return nodes, err
		}
		missing := g.notFound(name)
		if missing.Nearest, err = g.Near(ctx, wanted); err != nil && !lsp.Unanswered(err) {
			return nil, err
		}
		return nil, missing
	}
	symbols = outside(wanted, atColumn(wanted, symbols))
	slices.SortFunc(symbols, func(a, b lsp.Symbol) int {
		return query.CompareSpots(query.SpotOf(a.Location), query.SpotOf(b.Location))
	})
	var nodes []scout.Node
	for _, s := range symbols {
		start := s.Location.Range.Start
		nodes = append(nodes, scout.Node{
			Name: g.DisplayName(s), Kind: string(s.Kind), Path: g.Relative(s.Location.Path),
			Line: start.Line, Column: start.Column, Text: g.line(s.Location),
		})
	}
	return nodes, nil
}

// notFound says that a name means nothing in what the servers know, and what that is worth.
func (g *Graph) notFound(name string) *scout.NotFoundError {
	c := g.Doubted(g.View.Completeness())
	return &scout.NotFoundError{Name: name, Reason: query.Incompleteness(c), Pending: c.State == lsp.Indexing}
}

// outside leaves out what is declared inside of something else if a name without a qualifier also means something that
// is not.
func outside(wanted query.Name, symbols []lsp.Symbol) []lsp.Symbol {
	inner := func(s lsp.Symbol) bool {
		return s.Receiver != "" || s.Kind == lsp.KindField || s.Kind == lsp.KindProperty || s.Kind == lsp.KindEnumMember
	}
	outer := slices.DeleteFunc(slices.Clone(symbols), inner)
	if len(outer) == 0 || wanted.Line > 0 || strings.Contains(wanted.Plain, ".") {
		return symbols
	}
	return outer
}

func (g *Graph) line(l lsp.Location) string {
	f, err := g.Source(l.Path)
	if err != nil {
		return ""
	}
	return excerpt.Line(f.Line(l.Range.Start.Line))
}

// Edges lists what refers to a declaration and what its language binds to it; for an open question also what it uses. What
// a server does not answer in time the answer lacks, and says so.
func (g *Graph) Edges(ctx context.Context, n scout.Node, c scout.Change) ([]scout.Edge, error) {
	g.Change = c
	path := filepath.Join(g.Root, filepath.FromSlash(n.Path))
	known := g.known(lsp.LanguageOf(path))
	if known.Edges == nil {
		return nil, fmt.Errorf("the tools do not know the syntax of %s", n.Path)
	}
	edges, err := g.edges(ctx, known, n, lsp.At(path, n.Line, n.Column))
	if g.Late("what depends on "+n.Name, err) {
		err = nil
	}
	return edges, err
}

// edges returns those of one declaration in a language.
func (g *Graph) edges(ctx context.Context, known Language, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	c := g.Change
	if c.Terms.Direction == scout.Writers && lsp.LanguageOf(l.Path) != "go" {
		g.limit("which places write it is not told in " + lsp.LanguageOf(l.Path))
	}
	if c.Kind != scout.Other || c.Terms.Direction == scout.Users || c.Terms.Direction == scout.Writers {
		return known.Edges(ctx, g, n, l)
	}
	used, ok, err := g.usedBy(ctx, known, n, l)
	if err != nil || ok && c.Terms.Direction == scout.Uses {
		return used, err
	}
	edges, err := known.Edges(ctx, g, n, l)
	return append(edges, used...), err
}

// Edge makes the edge from n to a place that stands in outer, the zero declaration for the level of the file.
func (g *Graph) Edge(n scout.Node, at lsp.Location, outer query.Declaration, role scout.Role, reason string) scout.Edge {
	e := scout.Edge{From: n, Role: role, Reason: reason, Test: g.IsTest(at.Path), Traits: g.placeTraits(at)}
	e.To = g.node(query.Declaration{Name: n.Name, At: at})
	if outer.Name != "" {
		e.To.Name = strings.Clone(outer.Name)
	}
	switch {
	case outer.Name == "" || outer.Name == "_":
	case outer.At.Range.Start.Line == at.Range.Start.Line:
		e.To = g.node(outer)
	default:
		e.Into = g.node(outer)
		e.Enclosing = e.Into.Name
	}
	if text, err := g.Source(at.Path); err == nil {
		for i := range snippetLines {
			e.Snippet += excerpt.Clip(text.Line(at.Range.Start.Line+i)) + "\n"
		}
	}
	return e
}

// node keeps copies of what it quotes: a walk knows thousands of nodes, and each would keep the whole text of its file in memory.
func (g *Graph) node(d query.Declaration) scout.Node {
	start := d.At.Range.Start
	return scout.Node{
		Name: strings.Clone(d.Name), Kind: d.Kind, Path: g.Relative(d.At.Path), Line: start.Line, Column: start.Column, Text: strings.Clone(g.line(d.At)),
	}
}

// Located returns the place of a node, for the server.
func (g *Graph) Located(n scout.Node) lsp.Location {
	return lsp.At(filepath.Join(g.Root, filepath.FromSlash(n.Path)), n.Line, n.Column)
}

// References asks for the references to a place, within the bound.
func (g *Graph) References(ctx context.Context, name string, l lsp.Location) ([]lsp.Location, error) {
	found, err := g.View.References(ctx, l, false)
	if err != nil {
		return nil, fmt.Errorf("finding references of %s: %w", name, err)
	}
	return g.Bounded(name, "references", query.Distinct(found)), nil
}

// Bounded cuts the places found for a name to those that one answer looks at. The answer says how many there are if some are cut.
func (g *Graph) Bounded(name, what string, found []lsp.Location) []lsp.Location {
	if len(found) <= maxReferences {
		return found
	}
	text := fmt.Sprintf("%s has %d %s; the first %d were looked at", name, len(found), what, maxReferences)
	if !slices.Contains(g.Limits, text) {
		g.Limits = append(g.Limits, text)
	}
	return found[:maxReferences]
}
