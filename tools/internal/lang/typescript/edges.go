package typescript

import (
	"context"
	"fmt"
	"slices"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// edgesFrom lists the references to what n declares, each with its role; what implements it or what it implements; and for
// enums and unions the switches and tables over their members.
func edgesFrom(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	references, err := g.References(ctx, n.Name, l)
	if err != nil {
		return nil, err
	}
	if err := g.OutlineAll(ctx, references); err != nil {
		return nil, err
	}
	t, isType := typeAt(&g.Query, l)
	over := wholes{g: g, found: make(map[query.Spot]*graph.Whole)}
	var edges []scout.Edge
	for _, at := range references {
		if !g.Within(at.Path) {
			continue
		}
		part, err := over.take(ctx, at, isType && t.word == "enum" || n.Kind == string(lsp.KindEnumMember))
		if err != nil {
			return nil, err
		}
		if part {
			continue
		}
		e, ok, err := edge(ctx, g, n, l, at, isType)
		if err != nil {
			return nil, err
		}
		if ok {
			edges = append(edges, e)
		}
	}
	bound, err := bound(ctx, g, n, l, t, isType, &over)
	if err == nil && g.Change.Kind == scout.AddImplementation && isType {
		chains, err := g.TypeSwitches(ctx, n, subclasses(g, references), func(at lsp.Location) bool { return tested(g, at) })
		return slices.Concat(edges, bound, over.edges(n), chains), err
	}
	all := slices.Concat(edges, bound, over.edges(n))
	graph.InText(n, textMethods(), all)
	return all, err
}

// subclasses returns the names of the classes that references extend or implement a type in.
func subclasses(g *graph.Graph, references []lsp.Location) []lsp.Location {
	var names []lsp.Location
	for _, at := range references {
		t := token(&g.Query, at)
		if !inherits(chainHead(t).Prev()) {
			continue
		}
		for t.Kind() != 0 && !t.Is("class", "interface", "{", "}", ";") {
			t = t.Prev()
		}
		if t.Is("class") && t.Next().Kind() == lexer.Name {
			names = append(names, placeOf(at.Path, t.Next()))
		}
	}
	return names
}

// tested reports whether a value is tested for being of the class named at a place.
func tested(g *graph.Graph, at lsp.Location) bool {
	return chainHead(token(&g.Query, at)).Prev().Is("instanceof")
}

// edge returns the edge from n, declared at l, to a use of it.
func edge(ctx context.Context, g *graph.Graph, n scout.Node, l, at lsp.Location, isType bool) (scout.Edge, bool, error) {
	u, err := use(ctx, &g.Query, at)
	if err != nil || u.Kind == "" || u.Kind == "closing" {
		return scout.Edge{}, false, err
	}
	if u.Kind == "declaration" { // of a method that it overrides or implements, of one that does, or of a sibling
		above, err := declaredAbove(ctx, &g.Query, lsp.Symbol{Location: l}, at)
		if err != nil || !above {
			return scout.Edge{}, false, err
		}
	}
	t, reason := token(&g.Query, at), ""
	role := roleOf(g, n, t, u, isType)
	if u.Passed != "" {
		reason = "passed to " + u.Passed
	}
	outer, err := g.Enclosing(ctx, at)
	return graph.Having(g.Edge(n, at, outer, role, reason), traits(g, u, at, role)...), true, err
}

// roleOf returns what a use of a declaration means.
func roleOf(g *graph.Graph, n scout.Node, t lexer.Token, u query.Use, isType bool) scout.Role {
	switch u.Kind {
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
	case "case":
		return scout.RoleSwitch
	}
	switch {
	case isType:
		return typeRole(t, u)
	case slices.Contains([]string{"property", "field"}, n.Kind) && fills(t):
		return scout.RoleLiteral
	case slices.Contains([]string{"property", "field", "enum member"}, n.Kind):
		return scout.RoleFieldUse
	case u.Kind == "value" && slices.Contains([]string{"function", "method"}, n.Kind):
		return scout.RoleMethodValue
	}
	return scout.RoleReference
}

// inTests returns one role for uses by tests and another for all others.
func inTests(u query.Use, test, other scout.Role) scout.Role {
	if u.Test {
		return test
	}
	return other
}

// typeRole returns what a use of a type means that is neither made nor inherited from there.
func typeRole(t lexer.Token, u query.Use) scout.Role {
	head := chainHead(t)
	switch {
	case head.Prev().Is(":") && shapes(t, head):
		return scout.RoleLiteral
	case head.Prev().Is("as", "is", "satisfies", "instanceof"):
		return scout.RoleAssertion
	case u.Kind == "type":
		return scout.RoleTypeUse
	}
	return scout.RoleReference
}

// bound lists what the language binds to a declaration beyond references, and has over take the members of unions.
func bound(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location, t typeDecl, isType bool, over *wholes) ([]scout.Edge, error) {
	switch {
	case isType && t.word == "enum":
		var edges []scout.Edge
		for _, m := range membersIn(t.file, t.body) {
			over.members++
			at := placeOf(t.path, m.name)
			edges = append(edges, g.Edge(n, at, query.Declaration{Name: n.Name, At: at}, scout.RoleMember, ""))
		}
		return edges, nil
	case isType && t.kind() == "union":
		return unionEdges(ctx, g, n, t, over)
	case isType:
		return nil, nil // what extends it is among the references
	case n.Kind == "method":
		return implementing(ctx, g, n, l)
	}
	return nil, nil
}

// unionEdges lists the alternatives of a union.
func unionEdges(ctx context.Context, g *graph.Graph, n scout.Node, t typeDecl, over *wholes) ([]scout.Edge, error) {
	all, err := alternatives(ctx, &g.Query, t, query.MaxFollowed)
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	var places []lsp.Location
	property := discriminant(all)
	for _, a := range all {
		at := placeOf(a.of.path, a.at)
		if g.Within(at.Path) {
			edges = append(edges, g.Edge(n, at, query.Declaration{Name: n.Name, At: at}, scout.RoleMember, "an alternative"))
		}
		for _, m := range a.fields {
			if m.label == property && property != "" {
				places = append(places, placeOf(a.of.path, m.name))
			}
		}
		if a.at.Kind() == lexer.String {
			places = append(places, at)
		}
	}
	over.members = len(all)
	return edges, over.takeUses(ctx, n, places)
}

// implementing lists the methods that implement the one at l, or that it is there for.
func implementing(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	found, err := g.View.Implementations(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", n.Name, err)
	}
	var edges []scout.Edge
	for _, at := range g.Bounded(n.Name, "implementations", query.Distinct(found)) {
		if !g.Within(at.Path) || query.SpotOf(at) == query.SpotOf(l) {
			continue
		}
		outer, err := g.Enclosing(ctx, at)
		if err != nil {
			return nil, err
		}
		role := scout.RoleImplementation
		if test(at.Path) {
			role = scout.RoleMock
		}
		edges = append(edges, g.Edge(n, at, outer, role, ""))
	}
	return edges, nil
}
