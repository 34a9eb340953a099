package scout

import (
	"cmp"
	"container/heap"
)

// An open edge is one that was found and scored, but not yet visited.
type open struct {
	Edge
	score    Score
	priority float64
}

// Priorities of edges whose standing is no matter of score.
const (
	certainBonus    = 1000  // above every score
	unscoredPenalty = -1000 // below every score
)

// priorityOf orders the frontier. The rule of the role counts as much as the
// scorer's own relevance; each step away from the query costs one.
func priorityOf(kind ChangeKind, e Edge, s Score) float64 {
	p := 2*float64(ruleFor(kind, e.Role).relevance) - float64(e.Depth)
	if e.Certain {
		p += certainBonus
	}
	if s.Err != nil {
		return p + unscoredPenalty
	}
	r := s.Rubric
	return p + 2*float64(r.Relevance) + 1.5*float64(r.Risk) + 0.5*float64(r.Confidence) - 0.5*float64(r.Complexity)
}

// before orders open edges: best first, ties by distance and then by place, so
// that no two walks differ.
func (o open) before(other open) bool {
	return cmp.Or(
		cmp.Compare(other.priority, o.priority),
		cmp.Compare(o.Depth, other.Depth),
		comparePlaces(o.Edge, other.Edge),
	) < 0
}

func comparePlaces(a, b Edge) int {
	return cmp.Or(
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

func (f *frontier) len() int { return len(f.edges) }

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
