package scout

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
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
		e := drawEdge(t, node, i)
		g.edges[positionOf(e.From)] = append(g.edges[positionOf(e.From)], e)
	}
	return g
}

func drawEdge(t *rapid.T, node *rapid.Generator[Node], i int) Edge {
	from, into := node.Draw(t, "from"), node.Draw(t, "into")
	e := Edge{
		From: from, To: into, Into: into, Role: rapid.SampledFrom(Roles()).Draw(t, "role"), Reason: fmt.Sprint("e", i),
		Test: rapid.IntRange(0, 9).Draw(t, "test") == 0, Certain: rapid.IntRange(0, 19).Draw(t, "certain") == 0,
	}
	e.To.Line += rapid.IntRange(0, 9).Draw(t, "line")
	return e
}

// A drawnChecker is a random graph with a compiler that sees all files but one.
type drawnChecker struct {
	drawnGraph
	verdict Verdict
}

func (c drawnChecker) Check(context.Context, Change, []Node) (Verdict, error) { return c.verdict, nil }

// DrawChecker draws a graph and what its compiler says.
func DrawChecker(t *rapid.T) drawnChecker {
	c := drawnChecker{drawnGraph: drawGraph(t)}
	for i := range rapid.IntRange(0, 20).Draw(t, "broken") {
		e := drawEdge(t, rapid.SampledFrom(c.roots), i)
		e.Reason = fmt.Sprint("b", i)
		c.verdict.Broken = append(c.verdict.Broken, e)
	}
	if rapid.Bool().Draw(t, "unseen") {
		c.verdict.Unseen = func(path string) bool { return path == "f2.go" }
	}
	if rapid.IntRange(0, 3).Draw(t, "refused") == 0 {
		c.verdict.Refusal = "not this one"
	}
	return c
}

// A chance scores by the hash of an edge's Reason, and not every edge.
type chance struct {
	t     *rapid.T
	asked map[place]bool
}

// ByChance returns a scorer for one walk: it fails the test if it is asked about a place twice.
func ByChance(t *rapid.T) *chance { return &chance{t, make(map[place]bool)} }

func (*chance) Name() string { return "chance" }

func (c *chance) Score(_ context.Context, _ Query, edges []Edge) ([]Score, error) {
	scores := make([]Score, len(edges))
	for i, e := range edges {
		h := fnv.New32a()
		h.Write([]byte(e.Reason))
		n := int(h.Sum32() >> 1)
		scores[i] = Score{Reason: e.Reason, Rubric: Rubric{Relevance: 1 + n%5, Risk: 1 + n/5%5, Complexity: 1 + n/25%5, Confidence: 1 + n/125%5}}
		if n%11 == 0 {
			scores[i] = Score{Err: errors.New(e.Reason)}
		}
		if c.asked[e.place()] || e.Certain {
			c.t.Fatalf("%s was asked about twice, or for nothing", e.To.Location())
		}
		c.asked[e.place()] = true
	}
	return scores, nil
}

// A costly scorer is one by chance that calls a model for each edge.
type costly struct{ *chance }

func (costly) Model() string { return "chance" }

func (c costly) Score(ctx context.Context, q Query, edges []Edge) ([]Score, error) {
	scores, err := c.chance.Score(ctx, q, edges)
	for i := range scores {
		scores[i].Calls = 1
	}
	return scores, err
}

func drawScorer(t *rapid.T) Scorer {
	byChance := ByChance(t)
	return rapid.SampledFrom([]Scorer{Heuristic{}, byChance, costly{byChance}}).Draw(t, "scorer")
}

// DrawQuery draws a question about the first node of a graph.
func DrawQuery(t *rapid.T) Query {
	return Query{
		Text: "?", Symbols: []string{"n0"},
		Depth:  rapid.SampledFrom([]Depth{Low, Medium, High}).Draw(t, "depth"),
		Change: Change{Kind: rapid.SampledFrom(ChangeKinds()).Draw(t, "kind")},
	}
}

// drawWalk is a walk over a random graph, and its answer; nil if no edge of it
// could be scored.
func drawWalk(t *rapid.T, g Graph) (*walk, *Answer) {
	w, err := walked(t.Context(), g, drawScorer(t), DrawQuery(t), Options{})
	if err != nil {
		t.Log(err)
		return nil, nil
	}
	return w, w.answer()
}

func TestEveryWalkIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, a := drawWalk(t, drawGraph(t))
		if w == nil {
			return
		}
		budget := w.understood.Budget
		if a.NodesVisited > budget || len(w.certain) > w.options.MaxPlaces || w.passed > w.options.MaxPassages {
			t.Fatalf("visited %d, passed %d, with %d certain, of a budget of %d", a.NodesVisited, w.passed, len(w.certain), budget)
		}
		if a.LeftOut.Open > 0 && a.NodesVisited < budget {
			t.Fatalf("%d edges left open with budget to spare", a.LeftOut.Open)
		}
		if _, costs := w.scorer.(Model); costs && (w.asked > budget || a.ModelCalls > w.asked) {
			t.Fatalf("a model was asked about %d edges, in %d calls, of a budget of %d", w.asked, a.ModelCalls, budget)
		}
	})
}

// Every place that was found is listed, or counted with the reason.
func TestEveryWalkAccountsForWhatItFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, a := drawWalk(t, drawGraph(t))
		if w == nil {
			return
		}
		left := a.LeftOut
		if n := len(a.Pointers) + left.Certain + left.Open + left.Cut + left.Irrelevant + left.Context; n != len(w.seen) {
			t.Fatalf("found %d places, accounted for %d: %d pointers, left out %+v", len(w.seen), n, len(a.Pointers), left)
		}
	})
}

func TestEveryWalkIsBestFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, _ := drawWalk(t, drawGraph(t))
		if w == nil {
			return
		}
		opened := make(map[position]int) // index in visited from which a declaration's edges are open
		for i, o := range w.visited {
			if _, ok := opened[positionOf(o.into())]; !ok && (o.Depth == 0 || w.leadsOn(o.Edge) && o.worthFollowing(w)) {
				opened[positionOf(o.into())] = i
			}
		}
		for j, later := range w.visited {
			since, ok := opened[positionOf(later.From)]
			for i := since + 1; ok && later.Depth > 0 && i < j; i++ {
				if w.visited[i].Depth > 0 && later.before(w.visited[i]) {
					t.Fatalf("%s was visited before %s, which was open and better", w.visited[i].Reason, later.Reason)
				}
			}
		}
	})
}

func (o open) worthFollowing(w *walk) bool {
	return !w.query.Change.Kind.ranked() || o.score.Err == nil && o.score.Rubric.Relevance >= travelsFrom
}

func TestEveryBrokenPlaceIsListedFirstAndOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := DrawChecker(t)
		w, a := drawWalk(t, c)
		if w == nil || !w.query.Change.Kind.tried() {
			return
		}
		count, others := make(map[string]int), false
		for _, p := range a.Pointers {
			others = others || p.Depth > 0 && !p.Certain
			if p.Certain && others {
				t.Fatalf("%s is certain and comes after what is not", p.Location)
			}
			if p.Certain && p.Reason[0] == 'b' {
				count[p.Reason]++
			}
		}
		places := make(map[place]bool)
		for _, root := range c.roots {
			places[Edge{To: root}.place()] = true
		}
		for _, e := range c.verdict.Broken {
			places[e.place()] = true
		}
		if want := len(places) - len(c.roots); len(count) != want {
			t.Fatalf("%d broken places are listed of %d", len(count), want)
		}
		for reason, n := range count {
			if n != 1 {
				t.Fatalf("%s is listed %d times", reason, n)
			}
		}
	})
}

// What a compiler has seen and not refused is no part of an answer about a change
// of which it sees everything.
func TestNoWalkContradictsTheCompiler(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := DrawChecker(t)
		w, a := drawWalk(t, c)
		if w == nil || c.verdict.Refusal != "" || !w.query.Change.Kind.compiled() {
			return
		}
		if c.verdict.Unseen == nil && len(w.expanded) > 0 {
			t.Fatalf("the graph was asked for the edges of %d declarations", len(w.expanded))
		}
		for _, p := range a.Pointers {
			if p.Depth > 0 && !p.Certain && p.path() != "f2.go" {
				t.Fatalf("%s compiles, and is listed", p.Location)
			}
		}
	})
}
