package graph

import (
	"context"
	"fmt"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

// EdgesOf lists the references to the declaration at a place, each with the role of its use; what implements it or what
// it implements; and the members of an enum with the switches and tables over them. It is all that languages without a
// parser have in common.
func EdgesOf(ctx context.Context, g *Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	return g.EdgesWith(ctx, n, l, nil)
}

// EdgesWith is EdgesOf with traits of each use; nil: with none.
func (g *Graph) EdgesWith(ctx context.Context, n scout.Node, l lsp.Location, traits Traits) ([]scout.Edge, error) {
	all, err := g.Declarations(ctx, l.Path)
	if err != nil {
		return nil, err
	}
	decl, ok := query.DeclaredAt(all, l.Range.Start)
	if !ok || decl.Name != query.BaseOf(query.PlainName(n.Name)) {
		if decl, ok, err = g.listed(ctx, n, l, decl); err != nil || !ok {
			return nil, err // a place that nothing can refer to
		}
	}
	references, err := g.referencesOf(ctx, decl)
	if err != nil {
		return nil, err
	}
	edges, err := g.Uses(ctx, n, decl.Kind, references, traits)
	if err != nil {
		return nil, err
	}
	bound, err := g.bound(ctx, n, decl.Kind, l)
	if err != nil {
		return nil, err
	}
	members, err := g.Members(ctx, n, g.membersOf(decl, all))
	return append(append(edges, bound...), members...), err
}

// listed returns the symbol that the server lists at the place of a node, though its file does not declare one of that name there:
// a macro makes it. In languages without such it is what is declared there.
func (g *Graph) listed(ctx context.Context, n scout.Node, l lsp.Location, declared lsp.Symbol) (lsp.Symbol, bool, error) {
	name := query.BaseOf(query.PlainName(n.Name))
	if g.known(lsp.LanguageOf(l.Path)).Asked == nil {
		return declared, declared.Name != "", nil
	}
	symbols, err := g.View.Symbols(ctx, name)
	if err != nil {
		return lsp.Symbol{}, false, fmt.Errorf("looking up %s: %w", name, err)
	}
	for _, s := range symbols {
		if s.Name == name && query.SpotOf(s.Location) == query.SpotOf(l) {
			return s, true, nil
		}
	}
	return declared, declared.Name != "", nil
}

// referencesOf asks for the references of a symbol, within the bound.
func (g *Graph) referencesOf(ctx context.Context, s lsp.Symbol) ([]lsp.Location, error) {
	at, known, err := g.Asked(ctx, s)
	if err != nil || !known {
		return nil, err
	}
	return g.References(ctx, g.DisplayName(s), at)
}

// membersOf returns where the members of an enum are declared, or the constructors of data.
func (g *Graph) membersOf(of lsp.Symbol, all []lsp.Symbol) []lsp.Symbol {
	known := g.known(of.Language)
	var places []lsp.Symbol
	for _, s := range all {
		member := s.Kind == lsp.KindEnumMember || known.Member != nil && known.Member(of, s)
		if member && s.Receiver == query.Dotted(of) {
			places = append(places, s)
		}
	}
	return places
}

// Outer returns the declaration around a place, whatever the language.
func (g *Graph) Outer(ctx context.Context, l lsp.Location) (query.Declaration, error) {
	if known := g.known(lsp.LanguageOf(l.Path)); known.Outer != nil {
		return known.Outer(&g.Query, l)
	}
	return g.Enclosing(ctx, l)
}

// Uses makes an edge of each reference.
func (g *Graph) Uses(ctx context.Context, n scout.Node, kind lsp.Kind, references []lsp.Location, traits Traits) ([]scout.Edge, error) {
	if err := g.OutlineAll(ctx, references); err != nil {
		return nil, err
	}
	var edges []scout.Edge
	for _, r := range references {
		known := g.Languages(lsp.LanguageOf(r.Path))
		if known.Use == nil || !g.Within(r.Path) {
			continue
		}
		u, err := known.Use(ctx, &g.Query, r)
		if err != nil {
			return nil, fmt.Errorf("reading a reference of %s: %w", n.Name, err)
		}
		to, reason := landing(u, r)
		outer, err := g.Outer(ctx, to)
		if err != nil {
			return nil, err
		}
		if u.Kind != "" {
			role := roleOf(u, kind)
			edges = append(edges, Having(g.Edge(n, to, outer, role, reason), traits.of(u, r, role)...))
		}
	}
	return edges, nil
}

// landing returns where a walk should look for a use, and why: at the switch or table for a case or key of it, so that the
// members of a type all lead to the same place.
func landing(u query.Use, at lsp.Location) (lsp.Location, string) {
	switch {
	case u.Whole != (lsp.Location{}) && (u.Kind == "case" || u.Kind == "key"):
		return u.Whole, fmt.Sprintf("a %s of it at line %d", u.Kind, at.Range.Start.Line)
	case u.Passed != "":
		return at, "passed to " + u.Passed
	}
	return at, ""
}

// roleOf returns what a use of a declaration of a kind means, where both together decide.
func roleOf(u query.Use, kind lsp.Kind) scout.Role {
	switch u.Kind {
	case "import":
		return scout.RoleImport
	case "export":
		return scout.RoleReExport
	case "declaration":
		return scout.RoleDefinition
	case "implements":
		return scout.RoleImplementation
	case "base":
		return scout.RoleEmbedding
	case "new":
		return scout.RoleLiteral
	case "cast":
		return scout.RoleConversion
	case "assertion":
		return scout.RoleAssertion
	case "key":
		return scout.RoleTable
	case query.Unknown:
		return scout.RoleReference
	}
	switch {
	case (u.Kind == "initialiser" || u.Kind == "argument") && (kind == lsp.KindField || kind == lsp.KindProperty):
		return scout.RoleLiteral
	case u.Kind == "case" && query.IsType(kind):
		return scout.RoleTypeSwitch
	case u.Kind == "case":
		return scout.RoleSwitch
	case u.Called && query.IsType(kind):
		return scout.RoleLiteral
	case u.Called && u.Test:
		return scout.RoleTest
	case u.Called:
		return scout.RoleCall
	case u.Taken && query.Callable(kind):
		return scout.RoleMethodValue
	case kind == lsp.KindField || kind == lsp.KindProperty:
		return scout.RoleFieldUse
	case u.Kind == "type" || query.IsType(kind) && u.Kind != "value":
		return scout.RoleTypeUse
	}
	return scout.RoleReference
}

// MemberRole returns the role of a switch or table that a member of a type is part of, "" for other uses.
func MemberRole(u query.Use) scout.Role {
	switch u.Kind {
	case "case":
		return scout.RoleSwitch
	case "key", "value":
		return scout.RoleTable
	}
	return ""
}

// bound lists what implements a type or method, or which method of a contract it implements.
func (g *Graph) bound(ctx context.Context, n scout.Node, kind lsp.Kind, l lsp.Location) ([]scout.Edge, error) {
	known := g.Languages(lsp.LanguageOf(l.Path))
	if known.Abstract == nil || kind != lsp.KindMethod && kind != lsp.KindInterface && kind != lsp.KindClass {
		return nil, nil
	}
	found, err := g.View.Implementations(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", n.Name, err)
	}
	var edges []scout.Edge
	for _, at := range query.Distinct(found) {
		if query.SpotOf(at) == query.SpotOf(l) || !g.Within(at.Path) {
			continue
		}
		outer, err := g.Outer(ctx, at)
		if err != nil {
			return nil, err
		}
		edges = append(edges, g.Edge(n, at, outer, g.boundRole(ctx, known, kind, at), ""))
	}
	return edges, nil
}

func (g *Graph) boundRole(ctx context.Context, known query.Language, kind lsp.Kind, at lsp.Location) scout.Role {
	switch {
	case kind == lsp.KindMethod && known.Abstract(ctx, &g.Query, at) != "":
		return scout.RoleInterfaceMethod
	case g.IsTest(at.Path):
		return scout.RoleMock
	}
	return scout.RoleImplementation
}

// Members lists the members of an enum, and the switches and tables over them.
func (g *Graph) Members(ctx context.Context, n scout.Node, members []lsp.Symbol) ([]scout.Edge, error) {
	var edges []scout.Edge
	var places []lsp.Location
	for _, member := range members {
		outer, err := g.Outer(ctx, member.Location)
		if err != nil {
			return nil, err
		}
		edges = append(edges, g.Edge(n, member.Location, outer, scout.RoleMember, ""))
		at, known, err := g.Asked(ctx, member)
		if err != nil {
			return nil, err
		}
		if !known {
			at = lsp.Location{}
		}
		places = append(places, at)
	}
	wholes, err := g.Wholes(ctx, n, places, "members", MemberRole)
	return append(edges, wholes...), err
}
