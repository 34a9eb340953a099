package scouttest

import (
	"context"
	"slices"
	"strings"
	"sync"

	"tidepool/scout"
)

// A Graph is a scout.Graph in memory. The zero value is empty. It is safe for
// concurrent use once it is built.
type Graph struct {
	names map[string][]scout.Node
	edges map[string][]scout.Edge // by location of the node
	fails map[string]error        // by location of the node

	mu    sync.Mutex
	asked []string // locations that Edges was asked for, in order
}

// Name makes name resolve to nodes, best first.
func (g *Graph) Name(name string, nodes ...scout.Node) {
	if g.names == nil {
		g.names = make(map[string][]scout.Node)
	}
	g.names[name] = append(g.names[name], nodes...)
}

// Link adds an edge that Edges(from) tells.
func (g *Graph) Link(from scout.Node, e scout.Edge) {
	if g.edges == nil {
		g.edges = make(map[string][]scout.Edge)
	}
	e.From = from
	g.edges[from.Location()] = append(g.edges[from.Location()], e)
}

// Fail makes Edges(n) return err beside the edges it has.
func (g *Graph) Fail(n scout.Node, err error) {
	if g.fails == nil {
		g.fails = make(map[string]error)
	}
	g.fails[n.Location()] = err
}

// Asked lists the locations that Edges was asked for, in order.
func (g *Graph) Asked() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.asked)
}

// Resolve finds the nodes of a name; an unknown name is a *scout.NotFoundError
// that names those with the same first letter.
func (g *Graph) Resolve(ctx context.Context, name string) ([]scout.Node, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if nodes, ok := g.names[name]; ok {
		return slices.Clone(nodes), nil
	}
	missing := &scout.NotFoundError{Name: name}
	for known := range g.names {
		if name != "" && strings.HasPrefix(known, name[:1]) {
			missing.Nearest = append(missing.Nearest, known)
		}
	}
	slices.Sort(missing.Nearest)
	return nil, missing
}

// Edges tells the edges in the order in which they were linked.
func (g *Graph) Edges(ctx context.Context, n scout.Node, _ scout.Change) ([]scout.Edge, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, n.Location())
	return slices.Clone(g.edges[n.Location()]), g.fails[n.Location()]
}

// A Checker is a Graph that says the same of every change.
type Checker struct {
	Graph
	Verdict scout.Verdict
	Err     error
}

// Check returns the verdict, its edges anew.
func (c *Checker) Check(ctx context.Context, _ scout.Change, _ []scout.Node) (scout.Verdict, error) {
	if err := ctx.Err(); err != nil {
		return scout.Verdict{}, err
	}
	verdict := c.Verdict
	verdict.Broken = slices.Clone(verdict.Broken)
	return verdict, c.Err
}
