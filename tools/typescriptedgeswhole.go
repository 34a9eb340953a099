package tools

import (
	"context"
	"fmt"
	"slices"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
)

// maxTSMembers bounds the members of a union whose uses are asked for. Whatever goes over all of them uses these.
const maxTSMembers = 6

// tsWholes collect the switches and tables over the members of an enum or union.
type tsWholes struct {
	g       *Graph
	found   map[Spot]*Whole
	members int // of the type
}

// takeUses takes the uses of members that are declared at places.
func (w *tsWholes) takeUses(ctx context.Context, n scout.Node, places []lsp.Location) error {
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
func (w *tsWholes) take(ctx context.Context, at lsp.Location, member bool) (bool, error) {
	switch w.g.Change.Kind {
	case scout.AddVariant, scout.AddImplementation, scout.Other, "":
	default: // it asks about each use
		return false, nil
	}
	t := tsToken(&w.g.Inquiry, at)
	role, first := scout.RoleSwitch, tsSwitch(t)
	if first.Kind() == 0 && member {
		role, first = scout.RoleTable, tsTable(t)
	}
	if first.Kind() == 0 {
		return false, nil
	}
	whole, ok := w.found[SpotOf(tsAt(at.Path, first))]
	if !ok {
		var err error
		if whole, err = w.begin(ctx, tsAt(at.Path, first), role); err != nil {
			return false, err
		}
	}
	whole.Members[Spot{Path: tsMemberText(t)}] = true
	return true, nil
}

func (w *tsWholes) begin(ctx context.Context, at lsp.Location, role scout.Role) (*Whole, error) {
	outer, err := w.g.Enclosing(ctx, at)
	if err != nil {
		return nil, err
	}
	made := &Whole{At: at, Outer: outer, Role: role, Members: make(map[Spot]bool)}
	w.found[SpotOf(at)] = made
	return made, nil
}

// tsMemberText is the member that a name leads to: the A of E.A.
func tsMemberText(t lexer.Token) string {
	for t.Next().Is(".") {
		t = t.Next().Next()
	}
	return t.Text()
}

// complete says whether a table may be meant to hold all members: any object may have one as a key, and any list some.
func (w *tsWholes) complete(table *Whole) bool {
	if tsToken(&w.g.Inquiry, table.At).Is("[") {
		return 2*len(table.Members) > w.members
	}
	return len(table.Members) > 1
}

// edges make an edge of each switch and of each table.
func (w *tsWholes) edges(n scout.Node) []scout.Edge {
	keys := make([]Spot, 0, len(w.found))
	for key := range w.found {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, CompareSpots)
	var edges []scout.Edge
	for _, key := range keys {
		whole := w.found[key]
		word := tsToken(&w.g.Inquiry, whole.At)
		if whole.Role == scout.RoleTable {
			if w.complete(whole) {
				edges = append(edges, w.g.Edge(n, whole.At, whole.Outer, whole.Role, w.counted(n, len(whole.Members))))
			}
			continue
		}
		reason, fix := tsExhaustive(word)
		e := w.g.Edge(n, whole.At, whole.Outer, whole.Role, JoinReasons(w.counted(n, tsCases(word)), reason))
		if w.g.Change.Kind == scout.AddVariant {
			e.Fix = fix
		}
		edges = append(edges, e)
	}
	return edges
}

func (w *tsWholes) counted(n scout.Node, listed int) string {
	if w.members == 0 {
		return ""
	}
	return fmt.Sprintf("lists %d of %d members of %s", listed, w.members, n.Name)
}

// tsSwitch is the "switch" that a name is a case of, or that is over a property of that name; the zero Token if none is.
func tsSwitch(t lexer.Token) lexer.Token {
	head := tsHead(t)
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

// tsTable is the bracket of the object that a member is a key of, or of the list that it is an element of, if need be as
// the first of a pair; the zero Token if it is neither.
func tsTable(t lexer.Token) lexer.Token {
	outer := t.Outer()
	last := t
	for last.Next().Is(".") {
		last = last.Next().Next()
	}
	switch next := last.Next(); {
	case outer.Is("[") && next == outer.Match() && next.Next().Is(":", "(") && outer.Outer().Is("{"):
		return tsLiteral(outer.Outer())
	case next.Is(":") && outer.Is("{") && (t.Prev().Is("{", ",")):
		return tsLiteral(outer)
	case outer.Is("[") && next.Is(",", "]") && tsHead(t).Prev().Is("[", ","):
		for outer.Outer().Is("[") {
			outer = outer.Outer()
		}
		return tsLiteral(outer)
	}
	return lexer.Token{}
}

// tsLiteral is the bracket of an object or list that is written out; the zero Token for those of types and of elements.
func tsLiteral(open lexer.Token) lexer.Token {
	before := open.Prev()
	if tsBody(open) || tsObjectType(open) || before.Kind() == lexer.Name || before.Is("]", ")", "?.") && open.Is("[") {
		return lexer.Token{}
	}
	return open
}

// tsExhaustive says how a switch sees to all that it does not list, and what to do if that is not by refusing it.
func tsExhaustive(word lexer.Token) (reason, fix string) {
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

// tsCases counts the cases of a switch itself.
func tsCases(word lexer.Token) int {
	body := word.Next().Match().Next()
	count := 0
	for t, end := body.Next(), body.Match(); t.Kind() != 0 && t != end; t = t.Next() {
		if t.Is("case") && t.Outer() == body {
			count++
		}
	}
	return count
}
