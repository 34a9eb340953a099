package scout

import (
	"cmp"
	"context"
	"slices"

	"tidepool/internal/wording"
)

// Limits of the texts of an edge for scorers and answers, in runes.
const (
	maxSnippet     = 800
	maxHover       = 400
	maxReason      = 200
	maxTraitDetail = 60
	maxEdit        = 400
	maxCommand     = 300 // of a command that somebody runs, which must be whole
)

// edgesOf asks the graph what an edge leads to, once per declaration, and
// keeps what is new.
func (w *walk) edgesOf(ctx context.Context, from Edge) []Edge {
	node := from.into()
	if w.expanded[positionOf(node)] {
		return nil
	}
	if ctx.Err() != nil {
		w.stop(ctx)
		return nil
	}
	w.expanded[positionOf(node)] = true
	edges, err := w.graph.Edges(ctx, node, w.query.Change)
	switch {
	case err != nil && ctx.Err() != nil:
		w.stop(ctx)
	case err != nil:
		w.unread.add(err)
	}
	return w.fresh(from, edges)
}

// fresh returns the edges to places not found before, at most Options.MaxEdges
// of them, those of the best roles. The change may go on from the others: those
// become passages.
func (w *walk) fresh(from Edge, edges []Edge) []Edge {
	edges = slices.Clone(edges)
	for i := range edges {
		if _, known := w.standing[edges[i].Role]; !known {
			edges[i].Role = RoleReference
		}
		edges[i].From, edges[i].Depth = from.into(), from.Depth+1
	}
	slices.SortStableFunc(edges, w.compare)
	var kept []Edge
	for _, e := range edges {
		if turns(from, e) {
			continue
		}
		again := w.seen[e.place()] || w.seen[e.line()]
		w.seen[e.place()] = true
		switch {
		case again || !w.lists(e):
			if !again && !w.proven(e) {
				w.left.Context++
			}
			if w.leadsOn(e) {
				w.frontier.add(w.passing(e))
			}
		case len(kept) == w.options.MaxEdges:
			w.left.Cut++
		default:
			kept = append(kept, clipped(e))
		}
	}
	return kept
}

// compare orders the edges of one declaration: what is certain, then the roles
// that the kind of change prefers, then by place.
func (w *walk) compare(a, b Edge) int {
	return cmp.Or(
		compareBools(b.Certain, a.Certain),
		cmp.Compare(w.standing[a.Role], w.standing[b.Role]),
		cmp.Compare(a.Rank, b.Rank),
		comparePlaces(a, b),
	)
}

// standings orders the roles by what a kind of change makes of them, those that
// it prefers first.
func standings(kind ChangeKind) map[Role]int {
	roles := Roles()
	slices.SortStableFunc(roles, func(a, b Role) int {
		return cmp.Compare(ruleFor(kind, b).relevance, ruleFor(kind, a).relevance)
	})
	standing := make(map[Role]int, len(roles))
	for i, role := range roles {
		standing[role] = i
	}
	return standing
}

// lists reports whether the answer has room for an edge by its nature: something
// is to be done there, and no compiler has said that there is not.
func (w *walk) lists(e Edge) bool {
	return belongs(w.query.Change.Kind, e) && !w.proven(e)
}

// proven reports whether a compiler that saw the place has nothing against it.
func (w *walk) proven(e Edge) bool {
	return w.checked.settled() && !e.Certain && (w.unseen == nil || !w.unseen(e.To.Path))
}

func clipped(e Edge) Edge {
	e.Snippet, e.Hover, e.Reason = wording.Clip(e.Snippet, maxSnippet), wording.Clip(e.Hover, maxHover), wording.Line(e.Reason, maxReason)
	e.Fix = wording.Line(e.Fix, maxReason)
	return e
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// turns reports whether an edge leads back to where the walk comes from: what else uses that which the symbol uses, or
// what else is used by its users.
func turns(from, e Edge) bool {
	if from.Depth == 0 || from.Role == RoleImplementation || e.Role == RoleImplementation {
		return false
	}
	return (from.Role == RoleUsed) != (e.Role == RoleUsed)
}
