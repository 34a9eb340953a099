package scout

import (
	"cmp"
	"container/heap"
)

// An open edge is one that was found and judged, but not yet visited.
type open struct {
	Edge
	score    Score
	priority float64
	passage  bool // leads on, but is not listed
	shared   bool // has the score of another place of its declaration
	ruled    bool // judged by rules alone: a root, or certain
}

const (
	unscoredPenalty = -1000 // below every score
	chainedStep     = 100   // where steps count for more than scores
)

func (w *walk) opened(e Edge, s Score, shared bool) open {
	return open{Edge: e, score: s, shared: shared, priority: priorityOf(w.query.Change.Kind, e, s)}
}

// ruled judges an edge by the rules of its role, where no score is needed.
func (w *walk) ruled(e Edge) open {
	o := w.opened(e, Score{Rubric: heuristicRubric(w.query.Change.Kind, e), Reason: e.Reason}, false)
	o.ruled = true
	return o
}

func (w *walk) passing(e Edge) open {
	o := w.ruled(e)
	o.passage = true
	return o
}

// priorityOf orders the frontier. The rule of the role counts as much as the
// scorer's own relevance; each step away from the query costs one.
func priorityOf(kind ChangeKind, e Edge, s Score) float64 {
	p := 0.0
	if s.Err != nil {
		p = unscoredPenalty
	}
	for _, term := range priorityTerms(kind, e, s.Rubric) {
		p += term.Value * term.Weight
	}
	return p
}

// priorityTerms returns what the priority of an edge adds up. A rubric of zeros, of an
// edge that is not scored, adds nothing.
func priorityTerms(kind ChangeKind, e Edge, r Rubric) [6]Weighed {
	step := -1.0
	if kind.chained() {
		step -= chainedStep
	}
	return [6]Weighed{
		{"rule of " + Manner(e.Role, e.Traits), float64(ruleAt(kind, e).relevance), 2},
		{"step", float64(e.Depth), step},
		{"relevance", float64(r.Relevance), 2},
		{"risk", float64(r.Risk), 1.5},
		{"confidence", float64(r.Confidence), 0.5},
		{"complexity", float64(r.Complexity), -0.5},
	}
}

// before orders open edges: best first, ties by distance and then by place, so
// that no two walks differ.
func (o open) before(other open) bool {
	return cmp.Or(
		cmp.Compare(other.priority, o.priority),
		cmp.Compare(o.Depth, other.Depth),
		cmp.Compare(o.Rank, other.Rank),
		comparePlaces(o.Edge, other.Edge),
		compareBools(o.passage, other.passage),
	) < 0
}

func comparePlaces(a, b Edge) int {
	return cmp.Or(
		cmp.Compare(a.Rank, b.Rank),
		cmp.Compare(a.To.Path, b.To.Path),
		cmp.Compare(a.To.Line, b.To.Line),
		cmp.Compare(a.To.Column, b.To.Column),
		cmp.Compare(a.Role, b.Role),
		cmp.Compare(a.into().Name, b.into().Name),
	)
}

// A frontier holds the open edges; the best is taken first.
type frontier struct{ edges openHeap }

func (f *frontier) add(o open) { heap.Push(&f.edges, o) }

func (f *frontier) take() (open, bool) {
	if len(f.edges) == 0 {
		return open{}, false
	}
	return heap.Pop(&f.edges).(open), true
}

type openHeap []open

func (h openHeap) Len() int           { return len(h) }
func (h openHeap) Less(i, j int) bool { return h[i].before(h[j]) }
func (h openHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *openHeap) Push(x any)        { *h = append(*h, x.(open)) }
func (h *openHeap) Pop() any {
	last := len(*h) - 1
	best := (*h)[last]
	*h = (*h)[:last]
	return best
}
