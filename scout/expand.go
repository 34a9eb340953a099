package scout

import (
	"cmp"
	"context"
	"slices"
)

// What an edge may carry to scorers and answers, in runes.
const (
	maxSnippet = 800
	maxHover   = 400
	maxReason  = 200
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
// of them, those of the best roles.
func (w *walk) fresh(from Edge, edges []Edge) []Edge {
	kind := w.query.Change.Kind
	roles, edges := Roles(), slices.Clone(edges)
	for i, e := range edges {
		if !slices.Contains(roles, e.Role) {
			edges[i].Role = RoleReference
		}
	}
	slices.SortStableFunc(edges, func(a, b Edge) int {
		return cmp.Or(
			cmp.Compare(certainty(b), certainty(a)),
			cmp.Compare(ruleFor(kind, b.Role).relevance, ruleFor(kind, a.Role).relevance),
			cmp.Compare(slices.Index(roles, a.Role), slices.Index(roles, b.Role)),
			comparePlaces(a, b),
		)
	})
	var kept []Edge
	for _, e := range edges {
		if w.seen[e.place()] {
			continue
		}
		w.seen[e.place()] = true
		if len(kept) == w.options.MaxEdges {
			w.cut++
			continue
		}
		e.From, e.Depth = from.into(), from.Depth+1
		e.Snippet, e.Hover, e.Reason = clip(e.Snippet, maxSnippet), clip(e.Hover, maxHover), oneLine(e.Reason, maxReason)
		kept = append(kept, e)
	}
	return kept
}

func certainty(e Edge) int {
	if e.Certain {
		return 1
	}
	return 0
}
