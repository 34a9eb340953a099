package scout

import (
	"context"
	"fmt"
)

// Thresholds of a scorer's relevance, for places about which roles alone do not decide.
const (
	visitFrom   = 2 // below, a place is left out
	travelsFrom = 3 // below, the walk does not go on from a place
)

// begin visits the roots, which no score can lose, takes what breaks, and opens
// the edges of the roots as far as that leaves a question.
func (w *walk) begin(ctx context.Context) error {
	var roots []Edge
	for _, n := range w.roots {
		e := Edge{To: n, Role: RoleDefinition, Reason: "named by the query", Traits: w.fileTraits(n)}
		if w.seen[e.place()] {
			continue
		}
		w.seen[e.place()] = true
		if o := w.ruled(e); w.room(o) {
			roots = append(roots, e)
			w.visit(o)
		} else {
			w.left.Cut++
		}
	}
	w.take()
	if w.checked.settled() && w.unseen == nil {
		return nil
	}
	var batch []Edge
	for _, e := range roots {
		batch = append(batch, w.edgesOf(ctx, e)...)
	}
	if w.unread.count == len(roots) && len(w.certain) == 0 {
		return fmt.Errorf("cannot explore %s: %w", joinWords(w.understood.Symbols), w.unread.first)
	}
	w.enter(ctx, batch)
	return nil
}

// explore follows the best open edge until the budget is spent. Places in a
// declaration that was visited cost nothing more.
func (w *walk) explore(ctx context.Context) {
	for {
		best, ok := w.frontier.take()
		switch {
		case !ok:
			return
		case best.passage:
			w.pass(ctx, best)
		case !w.room(best):
			w.left.Open++
		default:
			w.visit(best)
			if w.travels(best) {
				w.enter(ctx, w.edgesOf(ctx, best.Edge))
			}
		}
	}
}

// room reports whether the budget has a node for the declaration of an edge, and
// the answer a line for its place.
func (w *walk) room(o open) bool {
	if len(w.visited) >= w.options.MaxPlaces {
		return false
	}
	return len(w.nodes) < w.understood.Budget || w.nodes[positionOf(o.into())]
}

func (w *walk) visit(o open) {
	w.visited = append(w.visited, o)
	before := len(w.nodes)
	w.nodes[positionOf(o.into())] = true
	if w.options.Progress != nil && len(w.nodes) > before {
		w.options.Progress(len(w.nodes), w.understood.Budget)
	}
}

// pass goes through a declaration that is no part of the answer.
func (w *walk) pass(ctx context.Context, o open) {
	switch {
	case w.expanded[positionOf(o.into())]:
	case w.passed >= w.options.MaxPassages || len(w.nodes) >= w.understood.Budget:
		w.expanded[positionOf(o.into())] = true
		w.left.Unfollowed++
	default:
		w.passed++
		w.enter(ctx, w.edgesOf(ctx, o.Edge))
	}
}

// travels reports whether the change goes on from an edge that was visited.
func (w *walk) travels(o open) bool {
	kind := w.query.Change.Kind
	if kind.ranked() && (o.score.Err != nil || o.score.Rubric.Relevance < travelsFrom) {
		return false
	}
	return w.leadsOn(o.Edge) && len(w.nodes) < w.understood.Budget
}

// leadsOn reports whether there may be more behind an edge.
func (w *walk) leadsOn(e Edge) bool {
	kind := w.query.Change.Kind
	if e.Last || e.Depth >= w.options.MaxDepth || e.inTests() && kind != ChangeBehavior {
		return false
	}
	return ruleAt(kind, e).travels
}

// stop notes that the walk ends before its time.
func (w *walk) stop(ctx context.Context) {
	if w.partial == "" {
		w.partial = "stopped early: " + context.Cause(ctx).Error()
	}
}
