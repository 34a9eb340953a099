package golang

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
	return askTypes(ctx, g, "which switches and tables list its members", func(ctx context.Context, c *analysis.Client) (analysis.Enum, error) {
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

// textMethods are the methods by which a type is written as text, or read, and what they read the names from.
type textMethods struct {
	all   []*fact.Function
	reads map[fact.Place]*fact.Function // by the place of a method, or of a variable that it reads
}

// textMethods picks them from the methods of a type.
func (g explorer) textMethods(methods []fact.Function) textMethods {
	found := textMethods{reads: make(map[fact.Place]*fact.Function)}
	for i := range methods {
		fn := &methods[i]
		if !g.isText(fn.At) {
			continue
		}
		found.all = append(found.all, fn)
		found.reads[fn.At] = fn
		for _, use := range fn.Uses {
			if use.Kind == fact.Read && found.reads[use.To] == nil {
				found.reads[use.To] = fn
			}
		}
	}
	return found
}

// named marks the edges to tables from which the String-like methods of an enum-like type read.
func (g explorer) named(ctx context.Context, n scout.Node, edges []scout.Edge) ([]scout.Edge, error) {
	listed := slices.ContainsFunc(edges, func(e scout.Edge) bool { return e.Role == scout.RoleTable })
	if !g.AsksOpenly() || !listed || len(g.sources()) > maxGoFiles {
		return edges, nil
	}
	at := placeOf(g.Located(n))
	found, _, err := g.enum(ctx, g.whole(), at)
	if err != nil || found.Type == nil {
		return edges, err
	}
	methods := g.textMethods(found.Methods)
	for i, e := range edges {
		if _, known := e.Trait(scout.TraitText); e.Role == scout.RoleTable && !known {
			edges[i] = graph.Having(e, methods.names(placeOf(g.Located(graph.EdgeInto(e))))...)
		}
	}
	return edges, nil
}

// names returns the trait of a list in a declaration from which the type's names are read.
func (m textMethods) names(in fact.Place) []scout.Trait {
	if fn := m.reads[in]; fn != nil {
		return []scout.Trait{{Name: scout.TraitText, Detail: fn.Name}}
	}
	return nil
}

// apart returns the methods that have their names neither from one of lists nor from what they call.
func (m textMethods) apart(lists []list) []*fact.Function {
	var apart []*fact.Function
	for _, fn := range m.all {
		listed := slices.ContainsFunc(lists, func(l list) bool {
			return l.In == fn.At || slices.ContainsFunc(fn.Uses, func(u fact.Use) bool { return u.To == l.In })
		})
		delegates := slices.ContainsFunc(fn.Uses, func(u fact.Use) bool { return u.Kind == fact.Called })
		if !listed && !delegates {
			apart = append(apart, fn)
		}
	}
	return apart
}
