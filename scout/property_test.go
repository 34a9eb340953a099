package scout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A drawnGraph is a random graph. Each edge's Reason is its own.
type drawnGraph struct {
	roots []Node
	edges map[position][]Edge
}

func (g drawnGraph) Resolve(context.Context, string) ([]Node, error) { return g.roots, nil }

func (g drawnGraph) Edges(_ context.Context, n Node, _ Change) ([]Edge, error) {
	return g.edges[positionOf(n)], nil
}

func drawGraph(t *rapid.T) drawnGraph {
	nodes := make([]Node, rapid.IntRange(1, 40).Draw(t, "nodes"))
	for i := range nodes {
		nodes[i] = Node{Name: fmt.Sprint("n", i), Path: fmt.Sprintf("f%d.go", i%3), Line: 10 * i, Column: 1}
	}
	g := drawnGraph{edges: make(map[position][]Edge)}
	g.roots = nodes[:min(len(nodes), rapid.IntRange(1, 5).Draw(t, "roots"))]
	node := rapid.SampledFrom(nodes)
	for i := range rapid.IntRange(0, 300).Draw(t, "edges") {
		from, into := node.Draw(t, "from"), node.Draw(t, "into")
		e := Edge{
			From: from, To: into, Into: into, Role: rapid.SampledFrom(Roles()).Draw(t, "role"), Reason: fmt.Sprint("e", i),
			Test: rapid.IntRange(0, 9).Draw(t, "test") == 0, Certain: rapid.IntRange(0, 19).Draw(t, "certain") == 0,
		}
		e.To.Line += rapid.IntRange(0, 9).Draw(t, "line")
		g.edges[positionOf(from)] = append(g.edges[positionOf(from)], e)
	}
	return g
}

// A chance scores by the hash of an edge's Reason and writes down, in one log
// with the visits, which edges were opened.
type chance struct{ log []any } // []open, or the number of nodes visited

func (*chance) Name() string { return "chance" }

func (c *chance) Score(_ context.Context, q Query, edges []Edge) ([]Score, error) {
	scores, opened := make([]Score, len(edges)), make([]open, len(edges))
	for i, e := range edges {
		h := fnv.New32a()
		h.Write([]byte(e.Reason))
		n := int(h.Sum32() >> 1)
		scores[i] = Score{Reason: e.Reason, Rubric: Rubric{Relevance: 1 + n%5, Risk: 1 + n/5%5, Complexity: 1 + n/25%5, Confidence: 1 + n/125%5}}
		if n%11 == 0 && e.Depth > 0 {
			scores[i] = Score{Err: errors.New(e.Reason)}
		}
		opened[i] = open{Edge: e, score: scores[i], priority: priorityOf(q.Change.Kind, e, scores[i])}
	}
	c.log = append(c.log, opened)
	return scores, nil
}

func drawQuery(t *rapid.T) Query {
	return Query{
		Text: "?", Symbols: []string{"n0"},
		Depth:  rapid.SampledFrom([]Depth{Low, Medium, High}).Draw(t, "depth"),
		Change: Change{Kind: rapid.SampledFrom(ChangeKinds()).Draw(t, "kind")},
	}
}

func TestEveryWalkIsBoundedAndBestFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, q := drawGraph(t), drawQuery(t)
		scorer := new(chance)
		a, err := Walk(t.Context(), g, scorer, q, Options{
			Progress: func(visited, _ int) { scorer.log = append(scorer.log, visited) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if a.NodesVisited > q.Depth.Budget() || len(a.Pointers) != a.NodesVisited {
			t.Fatalf("visited %d with %d pointers of a budget of %d", a.NodesVisited, len(a.Pointers), q.Depth.Budget())
		}
		if a.LeftOut.Open > 0 && a.NodesVisited < q.Depth.Budget() {
			t.Fatalf("%d edges left open with budget to spare", a.LeftOut.Open)
		}
		checkBestFirst(t, a, scorer.log)
	})
}

// checkBestFirst replays the log of a walk: nothing is scored twice, and each
// visit takes the best of what is open.
func checkBestFirst(t *rapid.T, a *Answer, log []any) {
	var frontier []open
	places := make(map[place]bool)
	for _, entry := range log {
		if batch, ok := entry.([]open); ok {
			for _, o := range batch {
				if places[o.place()] {
					t.Fatalf("%s was scored twice", o.To.Location())
				}
				places[o.place()] = true
				if o.Depth > 0 && (o.score.Err != nil || o.score.Rubric.Relevance >= visitFrom || o.Certain) {
					frontier = append(frontier, o)
				}
			}
			continue
		}
		p := a.Pointers[entry.(int)-1]
		if p.Depth == 0 {
			continue
		}
		best := 0
		for i := range frontier {
			if frontier[i].before(frontier[best]) {
				best = i
			}
		}
		if id := strings.TrimPrefix(p.Reason, "not scored: "); id != frontier[best].Reason {
			t.Fatalf("visited %s when %s was the best open edge", id, frontier[best].Reason)
		}
		frontier = slices.Delete(frontier, best, best+1)
	}
	if len(frontier) != a.LeftOut.Open {
		t.Fatalf("%d edges are open, the answer says %d", len(frontier), a.LeftOut.Open)
	}
}

func TestEveryWalkIsTheSameTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, q := drawGraph(t), drawQuery(t)
		scorer := rapid.SampledFrom([]Scorer{Heuristic{}, new(chance)}).Draw(t, "scorer")
		if first, second := walkJSON(t, g, scorer, q), walkJSON(t, g, scorer, q); first != second {
			t.Fatalf("two walks differ:\n%s\n%s", first, second)
		}
	})
}

func walkJSON(t *rapid.T, g Graph, s Scorer, q Query) string {
	a, err := Walk(t.Context(), g, s, q, Options{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
