package scout

import "context"

// A Scorer judges edges, many at a time. It must be safe for concurrent use and
// must not change the edges. scouttest.TestScorer is what every scorer does.
type Scorer interface {
	// Name says who judged: answers carry it.
	Name() string
	// Score returns one score per edge, in their order. An edge that it fails on
	// has Score.Err set. It returns an error only if it scored no edge at all:
	// when ctx ends, what was scored until then is kept. The query's change is
	// filled in, its symbols are resolved.
	Score(ctx context.Context, q Query, edges []Edge) ([]Score, error)
}

// A Model is a scorer that asks a model about each edge. A walk shows it no more
// edges than its budget has nodes.
type Model interface {
	Scorer
	// Model is the model's name.
	Model() string
}

// A Score is what a scorer says about one edge.
type Score struct {
	Rubric Rubric
	Reason string // one line, why; may be ""
	Err    error  // why the edge has no rubric; nil if it has
	Calls  int    // calls to a model that it took; 0: none, or the answer was known
}
