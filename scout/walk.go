package scout

import (
	"cmp"
	"context"
	"time"
)

// Options bound a walk. The zero value is what a tool should use.
type Options struct {
	MaxDepth    int // steps from the symbols of the query; 0: what the kind of change asks for
	MaxEdges    int // edges of one declaration that are judged, those of the best roles; 0: ten times the budget
	MaxPassages int // declarations that are passed through without being listed; 0: twice the budget
	MaxPlaces   int // places that are listed of what is certain, and as many of the rest; 0: 500
	Candidates  int // declarations that one name may mean and all are walked; 0: 5

	// Progress is told how many nodes of the budget were visited, each time one
	// is, by the goroutine that walks; nil: nobody is told.
	Progress func(visited, budget int)
}

// Walk answers q: what a compiler refuses, if g is a [Checker] and the change can
// be tried, and then at most q.Depth.Budget() nodes of g, best first by s. It
// fails on a query that cannot be used (*[QueryError]), names that all mean
// nothing (*[NotFoundError], unless the search is not over) or too much
// (*[AmbiguousError]), a change that cannot be made to what they mean
// (*[MismatchError]), and a graph that tells nothing. Everything else that goes
// wrong is part of the answer: a ctx that ends makes the answer partial, and edges
// that the scorer fails on are listed without a score.
func Walk(ctx context.Context, g Graph, s Scorer, q Query, o Options) (*Answer, error) {
	w, err := walked(ctx, g, s, q, o)
	if err != nil {
		return nil, err
	}
	return w.answer(), nil
}

func walked(ctx context.Context, g Graph, s Scorer, q Query, o Options) (*walk, error) {
	q, understood, err := q.understand()
	if err != nil {
		return nil, err
	}
	w := &walk{graph: g, scorer: s, query: q, understood: understood, options: o}
	w.options.Candidates = cmp.Or(o.Candidates, 5)
	if err := w.resolve(ctx); err != nil {
		return nil, err
	}
	if len(w.roots) == 0 { // they are not known yet, which is the answer
		return w, nil
	}
	w.read()
	if err := w.fit(); err != nil {
		return nil, err
	}
	if err := w.try(ctx); err != nil {
		return nil, err
	}
	w.prepare()
	if err := w.begin(ctx); err != nil {
		return nil, err
	}
	w.explore(ctx)
	return w, nil
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
	verdict  *Verdict // nil: nothing was tried
	checked  Checked
	unseen   func(path string) bool // files that only the graph knows; nil: the compiler saw all
	frontier frontier
	standing map[Role]int      // 0: what the change prefers
	seen     map[place]bool    // found, whatever became of it
	expanded map[position]bool // asked for its edges
	nodes    map[position]bool // declarations visited
	certain  []open            // beyond the budget
	visited  []open

	asked    int // edges that the scorer was asked about
	calls    int // to a model
	scoring  time.Duration
	passed   int // declarations passed through
	unscored failures
	unread   failures
	left     LeftOut
	partial  string
}

// prepare sets the bounds, once it is known what change is meant.
func (w *walk) prepare() {
	budget, change := w.understood.Budget, w.query.Change
	depth := 5
	switch change.Kind {
	case ReturnError:
		depth = cmp.Or(change.Terms.Levels, 3)
	case ChangeBehavior:
		depth = 12
	}
	if w.understood.Meant != "" { // who refers to the symbol itself
		depth = 1
	}
	w.options.MaxDepth = cmp.Or(w.options.MaxDepth, depth)
	w.options.MaxEdges = cmp.Or(w.options.MaxEdges, 10*budget)
	w.options.MaxPassages = cmp.Or(w.options.MaxPassages, 2*budget)
	w.options.MaxPlaces = cmp.Or(w.options.MaxPlaces, 500)
	w.standing = standings(change.Kind)
	w.seen, w.expanded, w.nodes = make(map[place]bool), make(map[position]bool), make(map[position]bool)
}
