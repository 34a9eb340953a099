package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tidepool/internal/gopackage"
	"tidepool/scout"
)

// A goList is a place that lists members of an enum-like type.
type goList struct {
	gopackage.Switch
	listed int // members' values
}

// goVariantEdges lists the switches and tables over the constants of an enum-like type, or of the type of a constant:
// those that have the most members first, since a default takes care of few. ok is false for anything else.
func (g *graph) goVariantEdges(ctx context.Context, n scout.Node, at gopackage.Place) (edges []scout.Edge, ok bool, err error) {
	facts, err := g.goFacts(ctx, n.Name)
	if err != nil {
		return nil, false, err
	}
	typ := facts.enum(at)
	if typ == nil {
		return nil, false, nil
	}
	values := make(map[string]bool)
	for _, m := range typ.Members {
		values[m.Value] = true
	}
	var all []goList
	for _, s := range facts.switches {
		list := goList{Switch: s}
		for _, value := range s.Values {
			if values[value] {
				list.listed++
			}
		}
		if s.Of == typ.At && list.misses(len(values)) {
			all = append(all, list)
		}
	}
	compare := func(a, b goList) int {
		return cmp.Or(cmp.Compare(b.listed, a.listed), comparePlaces(a.At, b.At))
	}
	return ranked(all, compare, func(l goList) scout.Edge { return g.listEdge(n, l, len(values)) }), true, nil
}

// enum is the type declared at a place, or of which the constant at a place is a member; nil if it has no members.
func (f *goFacts) enum(at gopackage.Place) *gopackage.Type {
	if t := f.types[at]; t != nil {
		if len(t.Members) > 0 {
			return t
		}
		return nil
	}
	for _, t := range f.types {
		if slices.ContainsFunc(t.Members, func(m gopackage.Member) bool { return m.At == at }) {
			return t
		}
	}
	return nil
}

// misses reports whether a member more would be missing from the list. Any switch or table by member is one that chooses
// between them. What compares with some of them or holds some does not, unless it has most of them, or all.
func (l goList) misses(members int) bool {
	switch l.Form {
	case gopackage.ByCase, gopackage.ByKey:
		return l.listed > 0
	case gopackage.ByChain:
		return l.listed > 2 && 2*l.listed > members
	case gopackage.ByValue:
		return l.listed > 2 && l.listed == members
	}
	return false
}

func (g *graph) listEdge(n scout.Node, l goList, members int) scout.Edge {
	role, reason := scout.RoleSwitch, fmt.Sprintf("lists %d of %d members of %s", l.listed, members, n.Name)
	switch {
	case l.Form == gopackage.ByKey, l.Form == gopackage.ByValue:
		role = scout.RoleTable
	case l.Form == gopackage.ByCase && l.Default:
		reason += ", and has a default"
	case l.Form == gopackage.ByChain:
		reason += ", in comparisons"
	}
	return g.siteEdge(n, l.Site, role, reason)
}

// siteEdge makes the edge from n to a site.
func (g *graph) siteEdge(n scout.Node, s gopackage.Site, role scout.Role, reason string) scout.Edge {
	return g.factEdge(n, s.At, s.In, s.Enclosing, "", role, elsewhere(s.Elsewhere, reason))
}

// elsewhere says of what is found in a file that gopls does not look at that it is so.
func elsewhere(is bool, reason string) string {
	switch {
	case !is:
		return reason
	case reason == "":
		return "built on other systems"
	}
	return reason + ", built on other systems"
}
