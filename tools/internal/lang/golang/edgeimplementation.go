package golang

import (
	"cmp"
	"context"
	"fmt"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/scout"
)

// A choice is a switch over types, or a chain of assertions, that a new implementation can come to.
type choice struct {
	fact.TypeSwitch
	listed int // types that it lists
}

// implementationEdges lists the type switches that a value of a new type with the methods of an interface can come to
// and that do not name the interface: those over the interface, and over those that it satisfies. ok is false for
// anything but an interface.
func (g explorer) implementationEdges(ctx context.Context, n scout.Node, tree analysis.Tree, at fact.Place) (edges []scout.Edge, ok bool, err error) {
	found, known, err := g.interfaceAt(ctx, tree, at)
	if !known || !asksForMethods(found.Type) {
		return nil, !known, err
	}
	var all []choice
	for _, s := range found.Switches {
		choice := choice{TypeSwitch: s}
		if choice.takes(found.Type) {
			continue
		}
		choice.count()
		if choice.listed > 0 {
			all = append(all, choice)
		}
	}
	most := func(a, b choice) int { return cmp.Compare(b.weight(), a.weight()) }
	return ranked(all, most, func(c choice) scout.Edge { return g.choiceEdge(n, c) }), true, nil
}

func (g explorer) interfaceAt(ctx context.Context, tree analysis.Tree, at fact.Place) (found analysis.Interface, known bool, err error) {
	return askTypes(ctx, g, "which type switches choose between its implementations", func(ctx context.Context, c *analysis.Client) (analysis.Interface, error) {
		return c.Interface(ctx, tree, at)
	})
}

// asksForMethods reports whether a type, which may be none, is an interface with methods.
func asksForMethods(t *fact.Type) bool { return t != nil && t.Interface && len(t.Methods) > 0 }

// weight orders switches by how many types they list, before chains.
func (c choice) weight() int {
	if c.Chain {
		return -1
	}
	return c.listed
}

// takes reports whether a case is there for every type with the methods of the interface.
func (c choice) takes(wanted *fact.Type) bool {
	for _, one := range c.Cases {
		if one.Interface && fact.Satisfies(wanted.Methods, one.Methods) {
			return true
		}
	}
	return false
}

// count counts the types of the tree that are listed, each once.
func (c *choice) count() {
	seen := make(map[fact.Place]bool)
	for _, one := range c.Cases {
		if one.Type != (fact.Place{}) && !one.Interface && !seen[one.Type] {
			seen[one.Type] = true
			c.listed++
		}
	}
}

func (g explorer) choiceEdge(n scout.Node, c choice) scout.Edge {
	reason := fmt.Sprintf("lists %d types", c.listed)
	switch {
	case c.listed == 1:
		reason = "lists 1 type"
	case c.Chain:
		reason = fmt.Sprintf("asks for %d types in turn", c.listed)
	}
	if c.Default {
		reason += ", with a default"
	}
	return g.siteEdge(n, c.Site, scout.RoleTypeSwitch, reason)
}
