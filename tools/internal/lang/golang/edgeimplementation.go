package golang

import (
	"cmp"
	"fmt"

	"tidepool/internal/golang/packages"
	"tidepool/scout"
)

// A choice is a switch over types, or a chain of assertions, that a new implementation can come to.
type choice struct {
	packages.TypeSwitch
	listed int // types that it lists
}

// implementationEdges lists the type switches that a value of a new type with the methods of an interface can come to
// and that do not name the interface: those over the interface, and over those that it satisfies. ok is false for
// anything but an interface.
func (g explorer) implementationEdges(n scout.Node, index *packages.Index, at packages.Place) (edges []scout.Edge, ok bool) {
	wanted := index.Type(at)
	if wanted == nil || !wanted.Interface || len(wanted.Methods) == 0 {
		return nil, false
	}
	var all []choice
	for _, s := range index.TypeSwitches {
		choice := choice{TypeSwitch: s}
		if len(s.Subject) == 0 || !packages.Satisfies(wanted.Methods, s.Subject) || choice.takes(wanted) {
			continue
		}
		choice.count()
		if choice.listed > 0 {
			all = append(all, choice)
		}
	}
	most := func(a, b choice) int { return cmp.Compare(b.weight(), a.weight()) }
	return ranked(all, most, func(c choice) scout.Edge { return g.choiceEdge(n, c) }), true
}

// weight orders switches by how many types they list, before chains.
func (c choice) weight() int {
	if c.Chain {
		return -1
	}
	return c.listed
}

// takes reports whether a case is there for every type with the methods of the interface.
func (c choice) takes(wanted *packages.Type) bool {
	for _, one := range c.Cases {
		if one.Interface && packages.Satisfies(wanted.Methods, one.Methods) {
			return true
		}
	}
	return false
}

// count counts the types of the tree that are listed, each once.
func (c *choice) count() {
	seen := make(map[packages.Place]bool)
	for _, one := range c.Cases {
		if one.Type != (packages.Place{}) && !one.Interface && !seen[one.Type] {
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
