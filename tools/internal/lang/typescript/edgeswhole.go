package typescript

import (
	"context"
	"fmt"
	"slices"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// maxTSMembers bounds the members of a union whose uses are asked for. Whatever goes over all of them uses these.
const maxTSMembers = 6

// wholes collect the switches and tables over the members of an enum or union.
type wholes struct {
	g       *graph.Graph
	found   map[query.Spot]*graph.Whole
	members int // of the type
}

// takeUses takes the uses of members that are declared at places.
func (w *wholes) takeUses(ctx context.Context, n scout.Node, places []lsp.Location) error {
	for _, member := range places[:min(len(places), maxTSMembers)] {
		uses, err := w.g.References(ctx, n.Name, member)
		if err != nil {
			return err
		}
		for _, at := range uses {
			if !w.g.Within(at.Path) {
				continue
			}
			if _, err := w.take(ctx, at, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// take takes the use of a member, or of what tells members apart, if it is part of a switch; of a member also if it is part
// of a table.
func (w *wholes) take(ctx context.Context, at lsp.Location, member bool) (bool, error) {
	switch w.g.Change.Kind {
	case scout.AddVariant, scout.AddImplementation, scout.Other, "":
	default: // it asks about each use
		return false, nil
	}
	t := token(&w.g.Query, at)
	role, first := scout.RoleSwitch, switchOf(t)
	if first.Kind() == 0 && member {
		role, first = scout.RoleTable, table(t)
	}
	if first.Kind() == 0 {
		return false, nil
	}
	whole, ok := w.found[query.SpotOf(placeOf(at.Path, first))]
	if !ok {
		var err error
		if whole, err = w.begin(ctx, placeOf(at.Path, first), role); err != nil {
			return false, err
		}
	}
	whole.Members[query.Spot{Path: memberText(t)}] = true
	return true, nil
}

func (w *wholes) begin(ctx context.Context, at lsp.Location, role scout.Role) (*graph.Whole, error) {
	outer, err := w.g.Enclosing(ctx, at)
	if err != nil {
		return nil, err
	}
	made := &graph.Whole{At: at, Outer: outer, Role: role, Members: make(map[query.Spot]bool)}
	w.found[query.SpotOf(at)] = made
	return made, nil
}

// memberText returns the member that a name leads to: the A of E.A.
func memberText(t lexer.Token) string {
	for t.Next().Is(".") {
		t = t.Next().Next()
	}
	return t.Text()
}

// complete reports whether a table may be meant to hold all members: any object may have one as a key, and any list some.
func (w *wholes) complete(table *graph.Whole) bool {
	if token(&w.g.Query, table.At).Is("[") {
		return 2*len(table.Members) > w.members
	}
	return len(table.Members) > 1
}

// edges make an edge of each switch and of each table.
func (w *wholes) edges(n scout.Node) []scout.Edge {
	keys := make([]query.Spot, 0, len(w.found))
	for key := range w.found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, query.CompareSpots)
	var edges []scout.Edge
	for _, key := range keys {
		whole := w.found[key]
		word := token(&w.g.Query, whole.At)
		if whole.Role == scout.RoleTable {
			if w.complete(whole) {
				edges = append(edges, w.g.Edge(n, whole.At, whole.Outer, whole.Role, w.counted(n, len(whole.Members))))
			}
			continue
		}
		reason, fix := exhaustive(word)
		e := w.g.Edge(n, whole.At, whole.Outer, whole.Role, graph.JoinReasons(w.counted(n, cases(word)), reason))
		if w.g.Change.Kind == scout.AddVariant {
			e.Fix = fix
		}
		edges = append(edges, e)
	}
	return edges
}

func (w *wholes) counted(n scout.Node, listed int) string {
	if w.members == 0 {
		return ""
	}
	return fmt.Sprintf("lists %d of %d members of %s", listed, w.members, n.Name)
}

// switchOf returns the "switch" that a name is a case of, or that is over a property of that name; the zero Token if none is.
func switchOf(t lexer.Token) lexer.Token {
	head := chainHead(t)
	outer := t.Outer()
	switch {
	case outer.Is("(") && outer.Prev().Is("switch") && t.Next() == outer.Match():
		return outer.Prev()
	case head.Prev().Is("case") && outer.Is("{") && outer.Prev().Is(")"):
		if word := outer.Prev().Match().Prev(); word.Is("switch") {
			return word
		}
	}
	return lexer.Token{}
}

// table returns the bracket of the object that a member is a key of, or of the list that it is an element of, if need be as
// the first of a pair; the zero Token if it is neither.
func table(t lexer.Token) lexer.Token {
	outer := t.Outer()
	last := t
	for last.Next().Is(".") {
		last = last.Next().Next()
	}
	switch next := last.Next(); {
	case outer.Is("[") && next == outer.Match() && next.Next().Is(":", "(") && outer.Outer().Is("{"):
		return literal(outer.Outer())
	case next.Is(":") && outer.Is("{") && (t.Prev().Is("{", ",")):
		return literal(outer)
	case outer.Is("[") && next.Is(",", "]") && chainHead(t).Prev().Is("[", ","):
		for outer.Outer().Is("[") {
			outer = outer.Outer()
		}
		return literal(outer)
	}
	return lexer.Token{}
}

// literal returns the bracket of an object or list that is written out; the zero Token for those of types and of elements.
func literal(open lexer.Token) lexer.Token {
	before := open.Prev()
	if holdsBody(open) || objectType(open) || before.Kind() == lexer.Name || before.Is("]", ")", "?.") && open.Is("[") {
		return lexer.Token{}
	}
	return open
}

// exhaustive says how a switch sees to all that it does not list, and what to do if that is not by refusing it.
func exhaustive(word lexer.Token) (reason, fix string) {
	body := word.Next().Match().Next()
	fallback := false
	for t, end := body.Next(), body.Match(); t.Kind() != 0 && t != end; t = t.Next() {
		if t.Is("never", "assertNever") {
			return "what is left must be never", ""
		}
		fallback = fallback || t.Is("default") && t.Outer() == body
	}
	if fallback {
		return "with a default", "see whether its default does for the new variant"
	}
	return "without a default", ""
}

// cases counts the cases of a switch itself.
func cases(word lexer.Token) int {
	body := word.Next().Match().Next()
	count := 0
	for t, end := body.Next(), body.Match(); t.Kind() != 0 && t != end; t = t.Next() {
		if t.Is("case") && t.Outer() == body {
			count++
		}
	}
	return count
}
