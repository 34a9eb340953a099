package golang

import (
	"cmp"
	"context"
	"fmt"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// A list is a place that lists members of an enum-like type.
type list struct {
	fact.Switch
	listed int // members' values
}

// variantEdges lists the switches and tables over the constants of an enum-like type, or of the type of a constant:
// those that have the most members first, since a default takes care of few; and the String-like methods of the type that
// have their names from elsewhere. ok is false for anything else.
func (g explorer) variantEdges(ctx context.Context, n scout.Node, tree analysis.Tree, at fact.Place) (edges []scout.Edge, ok bool, err error) {
	found, known, err := g.enum(ctx, tree, at)
	if !known || found.Type == nil {
		return nil, !known, err
	}
	typ := found.Type
	values := make(map[string]bool)
	for _, m := range typ.Members {
		values[m.Value] = true
	}
	var all []list
	for _, s := range found.Switches {
		if list := listOf(s, values); list.misses(len(values)) {
			all = append(all, list)
		}
	}
	most := func(a, b list) int { return cmp.Compare(b.listed, a.listed) }
	methods := g.textMethods(found.Methods)
	edges = ranked(all, most, func(l list) scout.Edge {
		return graph.Having(g.listEdge(n, typ, l, len(values)), methods.names(l.In)...)
	})
	for _, fn := range methods.apart(all) {
		e := g.functionEdge(n, fn.At, fn, scout.RoleStringMethod, "")
		e.Rank = len(edges)
		edges = append(edges, e)
	}
	return edges, true, nil
}

func (g explorer) enum(ctx context.Context, tree analysis.Tree, at fact.Place) (found analysis.Enum, known bool, err error) {
	return askTypes(g, "which switches and tables list its members", func(c *analysis.Client) (analysis.Enum, error) {
		return c.Enum(ctx, tree, at)
	})
}

func listOf(s fact.Switch, values map[string]bool) list {
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
	case fact.ByCase, fact.ByKey, fact.ByIndex:
		return l.listed > 0
	case fact.ByChain:
		return l.listed > 2 && 2*l.listed > members
	case fact.ByValue:
		return l.listed > 2 && l.listed == members
	}
	return false
}

func (g explorer) listEdge(n scout.Node, typ *fact.Type, l list, members int) scout.Edge {
	role, reason := scout.RoleSwitch, fmt.Sprintf("lists %d of %d members of %s", l.listed, members, typ.Name)
	switch {
	case l.Form == fact.ByKey, l.Form == fact.ByValue, l.Form == fact.ByIndex:
		role = scout.RoleTable
	case l.Form == fact.ByCase && l.Default:
		reason += ", with a default"
	case l.Form == fact.ByChain:
		reason += ", in comparisons"
	}
	return g.siteEdge(n, l.Site, role, reason)
}
