package graph

import (
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

// Traits says what else is so of a use at a place that has a role; nil: nothing is told.
type Traits func(u query.Use, at lsp.Location, role scout.Role) []scout.Trait

// of is nothing for nil.
func (t Traits) of(u query.Use, at lsp.Location, role scout.Role) []scout.Trait {
	if t == nil {
		return nil
	}
	return t(u, at, role)
}

// Only returns one trait without details.
func Only(name scout.TraitName) []scout.Trait { return []scout.Trait{{Name: name}} }

// Thrown returns what becomes of what a call throws, as far as the change asks: it goes up unless something is said, so that
// an open question is told only where it does not. fate finds it out, if it is asked for.
func (g *Graph) Thrown(fate func() (name scout.TraitName, but string)) []scout.Trait {
	if g.Change.Kind != scout.ReturnError && !g.AsksOpenly() {
		return nil
	}
	name, but := fate()
	if g.Change.Kind != scout.ReturnError && name == scout.TraitPropagates && but == "" {
		return nil
	}
	return []scout.Trait{{Name: name, Detail: but}}
}

// InText marks the edges to places in those methods of the type that n is, or is a member of, that write it as text.
func InText(n scout.Node, methods []string, edges []scout.Edge) {
	for i, e := range edges {
		in := EdgeInto(e)
		dot := strings.LastIndexByte(in.Name, '.')
		if dot < 0 || in.Path != n.Path {
			continue
		}
		own := in.Name[:dot] == n.Name || strings.HasPrefix(n.Name, in.Name[:dot]+".")
		for _, method := range methods {
			if own && in.Name[dot+1:] == method && in.Name != n.Name {
				edges[i] = Having(e, scout.Trait{Name: scout.TraitText, Detail: in.Name})
			}
		}
	}
}

// ElementsOf says whether what stands in a bracket is written with keys, as isKey tells of the first token of an element;
// nothing of an empty one.
func ElementsOf(open lexer.Token, isKey func(lexer.Token) bool) []scout.Trait {
	end := open.Match()
	first := open.Next()
	if end.Kind() == 0 || first == end {
		return nil
	}
	for t := first; t != end && t.Kind() != 0; t = t.Next() {
		if (t == first || t.Prev().Is(",") && t.Outer() == open) && !isKey(t) {
			return Only(scout.TraitUnkeyed)
		}
	}
	return Only(scout.TraitKeyed)
}

// AsksOpenly reports whether no kind of change is asked about.
func (g *Graph) AsksOpenly() bool { return g.Change.Kind == scout.Other || g.Change.Kind == "" }

// EdgeInto returns the declaration that an edge leads to.
func EdgeInto(e scout.Edge) scout.Node {
	if e.Into.Path == "" {
		return e.To
	}
	return e.Into
}

// Having adds a trait to an edge.
func Having(e scout.Edge, more ...scout.Trait) scout.Edge {
	e.Traits = append(more, e.Traits...)
	return e
}

// JoinReasons puts one reason behind another; "" is none.
func JoinReasons(reason, more string) string {
	if reason == "" {
		return more
	}
	return reason + ", " + more
}
