package golang

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// edgesFrom lists the references to what n declares, each with its role; what implements it or what it implements; and
// for enum-like types and interfaces the switches and tables over their members.
func edgesFrom(ctx context.Context, g explorer, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return nil, err
	}
	decl, ok := f.Declares(place(l))
	if _, embedded := f.Embeds(place(l)); embedded {
		return g.embeddedEdges(ctx, n, l)
	}
	if !ok {
		return nil, nil // a place that nothing can refer to
	}
	if edges, ok, err := g.edgesOf(ctx, n, l); ok || err != nil {
		return edges, err
	}
	leftOut, err := g.otherPlatformUses(ctx, n)
	if err != nil {
		return nil, err
	}
	if g.isLeftOut(l.Path) { // asked about it, gopls loads the project once more, as that system builds it
		return g.references(ctx, n, decl, leftOut)
	}
	references, err := g.References(ctx, n.Name, l)
	if err != nil && !g.Late("references of "+n.Name, err) {
		return nil, err
	}
	edges, err := g.references(ctx, n, decl, query.Distinct(append(leftOut, references...)))
	if err != nil {
		return nil, err
	}
	bound, err := g.bound(ctx, n, decl, l, references)
	if err != nil && !g.Late("what is bound to "+n.Name, err) {
		return nil, err
	}
	return g.named(ctx, n, g.inText(n, append(edges, bound...)))
}

// edgesOf lists what a change of a kind that no compiler looks through touches. ok is false for other kinds, and if the
// change makes no sense of what n is.
func (g explorer) edgesOf(ctx context.Context, n scout.Node, l lsp.Location) (edges []scout.Edge, ok bool, err error) {
	var list func(context.Context, scout.Node, analysis.Tree, fact.Place) ([]scout.Edge, bool, error)
	switch g.Change.Kind {
	case scout.AddVariant:
		list = g.variantEdges
	case scout.AddImplementation:
		list = g.implementationEdges
	case scout.ReturnError:
		list = g.errorEdges
	case scout.ChangeBehavior:
		list = g.testEdges
	default:
		return nil, false, nil
	}
	at := placeOf(l)
	tree, ok, err := askTypes(ctx, g, "what depends on it", func(ctx context.Context, _ *analysis.Client) (analysis.Tree, error) { return g.treeFor(ctx, n, at) })
	if !ok {
		return nil, err == nil, err
	}
	return list(ctx, n, tree, at)
}

func (g explorer) references(ctx context.Context, n scout.Node, decl syntax.Decl, references []lsp.Location) ([]scout.Edge, error) {
	places := make([]fact.Place, len(references))
	for i, r := range references {
		places[i] = placeOf(r)
	}
	types, err := g.types(ctx, n, decl, places)
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	for _, r := range references {
		f, err := g.Files.Open(r.Path)
		if err != nil {
			return nil, fmt.Errorf("reading a reference of %s: %w", n.Name, err)
		}
		use, ok := f.Use(place(r))
		if !ok || !g.Within(r.Path) || g.Change.Terms.Direction == scout.Writers && !writes(use) {
			continue
		}
		outer, _ := f.Outer(place(r))
		to, reason := landing(use, decl.Sort, place(r))
		role := roleOf(use, decl.Sort, outer, f.Test())
		if use.Handed && handsOn(outer, n, g.Relative(r.Path)) {
			role = scout.RoleReExport
		}
		if use.Kind == syntax.Receiver && f.TextMethod(outer.At) {
			role = scout.RoleStringMethod
		}
		e := graph.Having(g.edge(n, f, to, role, reason), types.of(placeOf(r))...)
		edges = append(edges, graph.Having(e, types.built(use)...))
	}
	return edges, nil
}

// writes reports whether a use gives what is used a value, or lets somebody else do so.
func writes(use syntax.Use) bool {
	switch use.Kind {
	case syntax.Write, syntax.Address, syntax.Key, syntax.Literal, syntax.New:
		return true
	}
	return false
}

// handsOn reports whether a variable or constant gives n to those who import its package, which is not n's own.
func handsOn(outer syntax.Decl, n scout.Node, path string) bool {
	return isExported(outer.Name) && filepath.ToSlash(filepath.Dir(path)) != filepath.ToSlash(filepath.Dir(n.Path))
}

// edge makes the edge from n to a place in f.
func (g explorer) edge(n scout.Node, f *syntax.File, p syntax.Position, role scout.Role, reason string) scout.Edge {
	return g.Edge(n, at(f, p), outerIn(f, p), role, reason)
}

// outerIn returns the top-level declaration around a place.
func outerIn(f *syntax.File, p syntax.Position) query.Declaration {
	outer, ok := f.Outer(p)
	if !ok {
		return query.Declaration{}
	}
	return query.Declaration{Name: outer.Name, Kind: string(outer.Sort), At: at(f, outer.At)}
}

// landing returns where a walk should look for a use, and why: at the switch or table for a case or key of it, so that the
// members of a type all lead to the same place.
func landing(use syntax.Use, sort syntax.Sort, at syntax.Position) (syntax.Position, string) {
	switch {
	case use.Kind == syntax.Case, use.Kind == syntax.TypeCase:
		return use.Whole, fmt.Sprintf("a case of it at line %d", at.Line)
	case use.Kind == syntax.Key && sort == syntax.SortConstant && use.Whole != (syntax.Position{}):
		return use.Whole, fmt.Sprintf("a key of it at line %d", at.Line)
	case use.Passed != "":
		return at, "passed to " + use.Passed
	}
	return at, ""
}

// roleOf returns what a use of a declaration means, where both together decide.
func roleOf(use syntax.Use, sort syntax.Sort, outer syntax.Decl, test bool) scout.Role {
	switch {
	case sort == syntax.SortType:
		return typeRole(use, outer)
	case sort == syntax.SortField:
		switch use.Kind {
		case syntax.Embedded:
			return scout.RoleEmbedding
		case syntax.Key:
			return scout.RoleLiteral
		}
		return scout.RoleFieldUse
	case use.Called() && test && outer.Tests():
		return testRoleOf(outer.Name)
	case use.Called():
		return scout.RoleCall
	}
	switch use.Kind {
	case syntax.Import:
		return scout.RoleImport
	case syntax.Case:
		return scout.RoleSwitch
	case syntax.Key:
		return scout.RoleTable
	case syntax.Value:
		if sort != syntax.SortConstant && sort != syntax.SortVariable {
			return scout.RoleMethodValue
		}
	}
	return scout.RoleReference
}

func typeRole(use syntax.Use, outer syntax.Decl) scout.Role {
	if outer.Name == "_" { // var _ I = T{}
		return scout.RoleAssertion
	}
	if use.Keys {
		return scout.RoleTable
	}
	switch use.Kind {
	case syntax.Call, syntax.Go, syntax.Defer:
		return scout.RoleConversion
	case syntax.Literal, syntax.New:
		return scout.RoleLiteral
	case syntax.Embedded:
		return scout.RoleEmbedding
	case syntax.TypeCase:
		return scout.RoleTypeSwitch
	case syntax.Assertion:
		return scout.RoleAssertion
	case syntax.Definition:
		return scout.RoleReExport
	case syntax.Import:
		return scout.RoleImport
	case syntax.Qualifier:
		return scout.RoleReference
	}
	return scout.RoleTypeUse
}

// bound lists what the language binds to a declaration beyond references.
func (g explorer) bound(ctx context.Context, n scout.Node, decl syntax.Decl, l lsp.Location, references []lsp.Location) ([]scout.Edge, error) {
	switch decl.Sort {
	case syntax.SortField:
		return g.unkeyed(ctx, n, l)
	case syntax.SortMethod:
		return g.contractEdges(ctx, n, l)
	case syntax.SortInterfaceMethod:
		edges, _, err := g.implementing(ctx, n, l, scout.RoleImplementation, scout.RoleMock)
		return edges, err
	case syntax.SortType:
		t, ok := g.typeAt(&g.Query, l)
		if ok && t.decl.Form == syntax.Interface {
			return g.variants(ctx, n, l)
		}
		return g.members(ctx, n, references)
	}
	return nil, nil
}

// contractEdges lists the methods of interfaces that the method at l implements, in its own type or in one that embeds it.
func (g explorer) contractEdges(ctx context.Context, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	found, err := g.View.Implementations(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("finding what %s implements: %w", n.Name, err)
	}
	method := lsp.Symbol{Name: query.BaseOf(n.Name), Kind: lsp.KindMethod, Language: "go", Location: l}
	contracts, err := g.contracts(ctx, &g.Query, method, query.Distinct(found))
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	for _, c := range contracts {
		if f, err := g.Files.Open(c.at.Path); err == nil && g.Within(c.at.Path) {
			edges = append(edges, g.edge(n, f, place(c.at), scout.RoleInterfaceMethod, ""))
		}
	}
	return edges, nil
}

// implementing lists what implements the interface or its method at l, as much of it as an answer looks at, in test files with another
// role; and where all of it is.
func (g explorer) implementing(ctx context.Context, n scout.Node, l lsp.Location, role, inTests scout.Role) ([]scout.Edge, []lsp.Location, error) {
	found, err := g.implementations(ctx, n, l)
	if err != nil {
		return nil, nil, err
	}
	return g.followers(n, g.Bounded(n.Name, "implementations", found), role, inTests), found, nil
}

// implementations lists where the interface or its method at l is implemented in the project.
func (g explorer) implementations(ctx context.Context, n scout.Node, l lsp.Location) ([]lsp.Location, error) {
	found, err := g.View.Implementations(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", n.Name, err)
	}
	return slices.DeleteFunc(query.Distinct(found), func(at lsp.Location) bool { return !g.Within(at.Path) }), nil
}

// followers makes edges of places that implement n.
func (g explorer) followers(n scout.Node, places []lsp.Location, role, inTests scout.Role) []scout.Edge {
	var edges []scout.Edge
	for _, at := range places {
		f, err := g.Files.Open(at.Path)
		if err != nil {
			continue
		}
		as := role
		if f.Test() {
			as = inTests
		}
		edges = append(edges, g.edge(n, f, place(at), as, ""))
	}
	return edges
}

// variants lists the implementations of an interface and the type switches over them.
func (g explorer) variants(ctx context.Context, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	edges, places, err := g.implementing(ctx, n, l, scout.RoleImplementation, scout.RoleMock)
	if err != nil {
		return nil, err
	}
	switches, err := g.Wholes(ctx, n, places, "implementations", func(u query.Use) scout.Role {
		if u.Kind == string(syntax.TypeCase) {
			return scout.RoleTypeSwitch
		}
		return ""
	})
	return append(edges, switches...), err
}

// members lists the constants of an enum-like type, and the switches, tables and lists over them; nothing for other
// types.
func (g explorer) members(ctx context.Context, n scout.Node, references []lsp.Location) ([]scout.Edge, error) {
	constants, err := g.constantsAmong(&g.Query, references)
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	var places []lsp.Location
	for _, c := range constants {
		edges = append(edges, g.edge(n, c.file, c.At, scout.RoleMember, ""))
		places = append(places, at(c.file, c.At))
	}
	wholes, err := g.Wholes(ctx, n, places, "members", graph.MemberRole)
	return append(edges, wholes...), err
}
