package tools

import (
	"context"
	"fmt"
	"slices"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
)

// tsEdges lists the references to what n declares, each with its role; what implements it or what it implements; and for
// enums and unions the switches over them.
func tsEdges(ctx context.Context, g *graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	references, err := g.references(ctx, n.Name, l)
	if err != nil {
		return nil, err
	}
	if err := g.outlineAll(ctx, references); err != nil {
		return nil, err
	}
	t, isType := g.tsTypeAt(l)
	var edges []scout.Edge
	for _, at := range references {
		if !g.within(at.Path) {
			continue
		}
		e, ok, err := g.tsEdge(ctx, n, l, at, isType)
		if err != nil {
			return nil, err
		}
		if ok {
			edges = append(edges, e)
		}
	}
	bound, err := g.tsBound(ctx, n, l, t, isType)
	return append(edges, bound...), err
}

// tsEdge is the edge from n, declared at l, to a use of it.
func (g *graph) tsEdge(ctx context.Context, n scout.Node, l, at lsp.Location, isType bool) (scout.Edge, bool, error) {
	u, err := tsUse(ctx, &g.inquiry, at)
	if err != nil || u.kind == "" || u.kind == "closing" {
		return scout.Edge{}, false, err
	}
	if u.kind == "declaration" { // of a method that it overrides or implements, of one that does, or of a sibling
		above, err := g.tsAbove(ctx, lsp.Symbol{Location: l}, at)
		if err != nil || !above {
			return scout.Edge{}, false, err
		}
	}
	t, reason := g.tsToken(at), ""
	role := g.tsRole(n, t, u, isType)
	if role == scout.RoleSwitch {
		whole := tsSwitch(t)
		reason = fmt.Sprintf("at line %d%s", at.Range.Start.Line, tsExhaustive(whole))
		at = tsAt(at.Path, whole)
	}
	if u.passed != "" {
		reason = "passed to " + u.passed
	}
	outer, err := g.enclosing(ctx, at)
	return g.edge(n, at, outer, role, reason), true, err
}

// tsRole says what a use of a declaration means.
func (g *graph) tsRole(n scout.Node, t lexer.Token, u use, isType bool) scout.Role {
	switch u.kind {
	case "import":
		return scout.RoleImport
	case "re-export", "export":
		return scout.RoleReExport
	case "base":
		return inTests(u, scout.RoleMock, scout.RoleImplementation)
	case "new":
		return inTests(u, scout.RoleTest, scout.RoleLiteral)
	case "call", "element", "tag", "decorator":
		return inTests(u, scout.RoleTest, scout.RoleCall)
	case "declaration":
		return scout.RoleInterfaceMethod
	}
	switch {
	case tsSwitch(t).Kind() != 0:
		return scout.RoleSwitch
	case isType:
		return tsTypeRole(t, u)
	case slices.Contains([]string{"property", "field", "enum member"}, n.Kind):
		return scout.RoleFieldUse
	case u.kind == "value" && slices.Contains([]string{"function", "method"}, n.Kind):
		return scout.RoleMethodValue
	}
	return scout.RoleReference
}

// inTests is one role for uses by tests and another for all others.
func inTests(u use, test, other scout.Role) scout.Role {
	if u.test {
		return test
	}
	return other
}

// tsTypeRole says what a use of a type means that is neither made nor inherited from there.
func tsTypeRole(t lexer.Token, u use) scout.Role {
	head := tsHead(t)
	switch {
	case head.Prev().Is(":") && tsShapes(t, head):
		return scout.RoleLiteral
	case head.Prev().Is("as", "is", "satisfies", "instanceof"):
		return scout.RoleAssertion
	case u.kind == "type":
		return scout.RoleTypeUse
	}
	return scout.RoleReference
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

// tsExhaustive says how a switch sees to it that it has all cases: by giving what is left to never.
func tsExhaustive(word lexer.Token) string {
	body := word.Next().Match().Next()
	for t, end := body.Next(), body.Match(); t.Kind() != 0 && t != end; t = t.Next() {
		if t.Is("never", "assertNever") {
			return ", what is left must be never"
		}
	}
	return ""
}

// tsBound lists what the language binds to a declaration beyond references.
func (g *graph) tsBound(ctx context.Context, n scout.Node, l lsp.Location, t tsType, isType bool) ([]scout.Edge, error) {
	switch {
	case isType && t.word == "enum":
		var places []lsp.Location
		for _, m := range tsMembers(t.file, t.body) {
			places = append(places, tsAt(t.path, m.name))
		}
		return g.tsWholes(ctx, n, places, scout.RoleMember, "members")
	case isType && t.kind() == "union":
		return g.tsUnionEdges(ctx, n, t)
	case isType:
		return nil, nil // what extends it is among the references
	case n.Kind == "method":
		return g.tsImplementing(ctx, n, l)
	}
	return nil, nil
}

// tsUnionEdges lists the alternatives of a union and the switches over what tells them apart.
func (g *graph) tsUnionEdges(ctx context.Context, n scout.Node, t tsType) ([]scout.Edge, error) {
	all, err := g.tsAlternatives(ctx, t, maxFollowed)
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	var places []lsp.Location
	property := tsDiscriminant(all)
	for _, a := range all {
		at := tsAt(a.of.path, a.at)
		if g.within(at.Path) {
			edges = append(edges, g.edge(n, at, declaration{name: n.Name, at: at}, scout.RoleMember, "an alternative"))
		}
		for _, m := range a.fields {
			if m.label == property && property != "" {
				places = append(places, tsAt(a.of.path, m.name))
			}
		}
	}
	switches, err := g.tsWholes(ctx, n, places, "", "alternatives")
	return append(edges, switches...), err
}

// tsImplementing lists the methods that implement the one at l, or that it is there for.
func (g *graph) tsImplementing(ctx context.Context, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	found, err := g.view.Implementations(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", n.Name, err)
	}
	var edges []scout.Edge
	for _, at := range distinct(found) {
		if !g.within(at.Path) || spotOf(at) == spotOf(l) {
			continue
		}
		outer, err := g.enclosing(ctx, at)
		if err != nil {
			return nil, err
		}
		role := scout.RoleImplementation
		if tsTest(at.Path) {
			role = scout.RoleMock
		}
		edges = append(edges, g.edge(n, at, outer, role, ""))
	}
	return edges, nil
}

// tsWholes lists the members at places, if they have a role, and the switches in which they are used.
func (g *graph) tsWholes(ctx context.Context, n scout.Node, places []lsp.Location, role scout.Role, what string) ([]scout.Edge, error) {
	asked := places[:min(len(places), maxMembers)]
	if len(asked) < len(places) {
		g.limits = append(g.limits, fmt.Sprintf("%s has %d %s; the uses of the first %d were looked at", n.Name, len(places), what, len(asked)))
	}
	var edges []scout.Edge
	var switches []lsp.Location
	for _, member := range asked {
		if role != "" {
			edges = append(edges, g.edge(n, member, declaration{name: n.Name, at: member}, role, ""))
		}
		uses, err := g.references(ctx, n.Name, member)
		if err != nil {
			return nil, err
		}
		for _, at := range uses {
			if word := tsSwitch(g.tsToken(at)); word.Kind() != 0 && g.within(at.Path) {
				switches = append(switches, tsAt(at.Path, word))
			}
		}
	}
	for _, whole := range distinct(switches) {
		outer, err := g.enclosing(ctx, whole)
		if err != nil {
			return nil, err
		}
		word := g.tsToken(whole)
		reason := fmt.Sprintf("%s over %d %s of %s%s", plural(tsCases(word), "case", "cases"), len(places), what, n.Name, tsExhaustive(word))
		edges = append(edges, g.edge(n, whole, outer, scout.RoleSwitch, reason))
	}
	return edges, nil
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
