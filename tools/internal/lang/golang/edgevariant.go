package golang

import (
	"cmp"
	"fmt"

	"tidepool/internal/golang/packages"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// A list is a place that lists members of an enum-like type.
type list struct {
	packages.Switch
	listed int // members' values
}

// variantEdges lists the switches and tables over the constants of an enum-like type, or of the type of a constant:
// those that have the most members first, since a default takes care of few; and the String-like methods of the type that
// have their names from elsewhere. ok is false for anything else.
func (g explorer) variantEdges(n scout.Node, index *packages.Index, at packages.Place) (edges []scout.Edge, ok bool) {
	typ := index.Enum(at)
	if typ == nil {
		return nil, false
	}
	values := make(map[string]bool)
	for _, m := range typ.Members {
		values[m.Value] = true
	}
	var all []list
	for _, s := range index.Switches {
		if list := listOf(s, values); s.Of == typ.At && list.misses(len(values)) {
			all = append(all, list)
		}
	}
	most := func(a, b list) int { return cmp.Compare(b.listed, a.listed) }
	methods := g.textMethods(index, typ)
	edges = ranked(all, most, func(l list) scout.Edge {
		return graph.Having(g.listEdge(n, typ, l, len(values)), methods.names(l.In)...)
	})
	for _, fn := range methods.apart(all) {
		e := g.functionEdge(n, fn.At, fn, scout.RoleStringMethod, "")
		e.Rank = len(edges)
		edges = append(edges, e)
	}
	return edges, true
}

func listOf(s packages.Switch, values map[string]bool) list {
	list := list{Switch: s}
	for _, value := range s.Values {
		if values[value] {
			list.listed++
		}
	}
	return list
}

// misses reports whether a member more would be missing from the list. Any switch or table by member is one that chooses
// between them. What compares with some of them or holds some does not, unless it has most of them, or all.
func (l list) misses(members int) bool {
	switch l.Form {
	case packages.ByCase, packages.ByKey, packages.ByIndex:
		return l.listed > 0
	case packages.ByChain:
		return l.listed > 2 && 2*l.listed > members
	case packages.ByValue:
		return l.listed > 2 && l.listed == members
	}
	return false
}

func (g explorer) listEdge(n scout.Node, typ *packages.Type, l list, members int) scout.Edge {
	role, reason := scout.RoleSwitch, fmt.Sprintf("lists %d of %d members of %s", l.listed, members, typ.Name)
	switch {
	case l.Form == packages.ByKey, l.Form == packages.ByValue, l.Form == packages.ByIndex:
		role = scout.RoleTable
	case l.Form == packages.ByCase && l.Default:
		reason += ", with a default"
	case l.Form == packages.ByChain:
		reason += ", in comparisons"
	}
	return g.siteEdge(n, l.Site, role, reason)
}
