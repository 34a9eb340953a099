package scout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Options bound a walk. The zero value is what a tool should use.
type Options struct {
	MaxDepth   int // steps from the symbols of the query; 0: 5
	MaxEdges   int // edges of one declaration that are scored, those of the best roles; 0: twice the budget
	Candidates int // declarations that one name may mean and all are walked; 0: 5

	// Progress is told how many nodes of the budget were visited, each time one
	// is, by the goroutine that walks; nil: nobody is told.
	Progress func(visited, budget int)
}

// What a scorer's relevance decides.
const (
	visitFrom   = 2 // below, a place is left out
	travelsFrom = 3 // below, the walk does not go on from a place
)

// Walk answers q by visiting at most q.Depth.Budget() nodes of g, best first by
// s. It fails on a query that cannot be used (*[QueryError]), names that all mean
// nothing (*[NotFoundError]) or too much (*[AmbiguousError]), a graph that tells
// nothing, and a scorer that scores nothing. Everything else that goes wrong is
// part of the answer: a ctx that ends makes the answer partial.
func Walk(ctx context.Context, g Graph, s Scorer, q Query, o Options) (*Answer, error) {
	q, understood, err := q.understand()
	if err != nil {
		return nil, err
	}
	w := &walk{graph: g, scorer: s, query: q, understood: understood, options: o.withDefaults(understood.Budget)}
	w.seen, w.expanded = make(map[place]bool), make(map[position]bool)
	if w.symbols, w.roots, err = resolve(ctx, g, q.Symbols, w.options.Candidates); err != nil {
		return nil, err
	}
	w.read()
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	for len(w.visited) < understood.Budget {
		best, ok := w.frontier.take()
		if !ok {
			break
		}
		w.visit(best)
		if w.travels(best) {
			w.follow(ctx, best)
		}
	}
	return w.answer(), nil
}

func (o Options) withDefaults(budget int) Options {
	o.MaxDepth = cmp.Or(o.MaxDepth, 5)
	o.MaxEdges = cmp.Or(o.MaxEdges, 2*budget)
	o.Candidates = cmp.Or(o.Candidates, 5)
	return o
}

// A walk is one run of [Walk]. It belongs to the goroutine that runs it.
type walk struct {
	graph      Graph
	scorer     Scorer
	query      Query
	understood Understood
	options    Options

	symbols  []Symbol
	roots    []Node
	frontier frontier
	seen     map[place]bool    // found, whatever became of it
	expanded map[position]bool // asked for its edges
	visited  []open

	scored   int // edges that have a rubric
	unscored failures
	unread   failures
	cut      int // edges beyond Options.MaxEdges, roots beyond the budget
	noise    int // edges scored below visitFrom
	partial  string
}

// begin visits the roots, which no score can lose, and scores their edges in
// one batch with them.
func (w *walk) begin(ctx context.Context) error {
	roots := make([]Edge, 0, len(w.roots))
	for _, n := range w.roots {
		e := Edge{To: n, Role: RoleDefinition, Reason: "named by the query"}
		if !w.seen[e.place()] {
			w.seen[e.place()] = true
			roots = append(roots, e)
		}
	}
	room := min(len(roots), w.understood.Budget)
	w.cut += len(roots) - room
	batch := slices.Clone(roots[:room])
	for _, e := range roots[:room] {
		batch = append(batch, w.edgesOf(ctx, e)...)
	}
	if w.unread.count > 0 && w.unread.count == room {
		return fmt.Errorf("cannot explore %s: %w", joinWords(w.understood.Symbols), w.unread.first)
	}
	scores := w.judge(ctx, batch)
	if w.scored == 0 && ctx.Err() == nil {
		return fmt.Errorf("cannot score with %s: %w", w.scorer.Name(), w.unscored.first)
	}
	for i, e := range batch {
		if o := w.opened(e, scores[i]); i < room {
			w.visit(o)
		} else {
			w.add(o)
		}
	}
	return nil
}

func (w *walk) opened(e Edge, s Score) open {
	return open{Edge: e, score: s, priority: priorityOf(w.query.Change.Kind, e, s)}
}

// add puts an edge on the frontier, unless the scorer calls it irrelevant and
// nothing contradicts.
func (w *walk) add(o open) {
	if o.score.Err == nil && o.score.Rubric.Relevance < visitFrom && !o.Certain {
		w.noise++
		return
	}
	w.frontier.add(o)
}

func (w *walk) visit(o open) {
	w.visited = append(w.visited, o)
	if w.options.Progress != nil {
		w.options.Progress(len(w.visited), w.understood.Budget)
	}
}

// travels reports whether the change goes on from an edge that was visited.
func (w *walk) travels(o open) bool {
	return o.score.Err == nil && o.score.Rubric.Relevance >= travelsFrom &&
		o.Depth < w.options.MaxDepth && !o.inTests() &&
		len(w.visited) < w.understood.Budget &&
		ruleFor(w.query.Change.Kind, o.Role).travels
}

// follow scores what an edge leads to and opens it.
func (w *walk) follow(ctx context.Context, from open) {
	batch := w.edgesOf(ctx, from.Edge)
	for i, s := range w.judge(ctx, batch) {
		w.add(w.opened(batch[i], s))
	}
}

// stop notes that the walk ends before its time.
func (w *walk) stop(ctx context.Context) {
	if w.partial == "" {
		w.partial = "stopped early: " + context.Cause(ctx).Error()
	}
}
