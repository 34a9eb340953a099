package golang

import (
	"context"
	"slices"

	"tidepool/internal/golang/fact"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

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
