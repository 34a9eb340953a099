package tools

import (
	"context"
	"fmt"
	"slices"

	"tidepool/lsp"
	"tidepool/scout"
)

// edgesOf lists the references to the declaration at a place, each with the role of its use; what implements it or what
// it implements; and the members of an enum with the switches and tables over them. It is all that languages without a
// parser have in common.
func edgesOf(ctx context.Context, g *graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	return g.edgesWith(ctx, n, l, nil)
}

func (g *graph) edgesWith(ctx context.Context, n scout.Node, l lsp.Location, traits useTraits) ([]scout.Edge, error) {
	all, err := g.declarations(ctx, l.Path)
	if err != nil {
		return nil, err
	}
	decl, ok := declaredAt(all, l.Range.Start)
	if !ok {
		return nil, nil // a place that nothing can refer to
	}
	references, err := g.references(ctx, n.Name, l)
	if err != nil {
		return nil, err
	}
	edges, err := g.uses(ctx, n, decl.Kind, references, traits)
	if err != nil {
		return nil, err
	}
	bound, err := g.bound(ctx, n, decl.Kind, l)
	if err != nil {
		return nil, err
	}
	members, err := g.members(ctx, n, g.membersOf(decl, all))
	return append(append(edges, bound...), members...), err
}

// declaredAt returns what is declared at a place; false if a name is only used there.
func declaredAt(all []lsp.Symbol, p lsp.Position) (lsp.Symbol, bool) {
	i := slices.IndexFunc(all, func(s lsp.Symbol) bool { return s.Location.Range.Start == p })
	if i < 0 {
		i = slices.IndexFunc(all, func(s lsp.Symbol) bool { return covers(s.Location.Range, p) })
	}
	if i < 0 {
		return lsp.Symbol{}, false
	}
	return all[i], true
}

// membersOf returns where the members of an enum are declared, or the constructors of data.
func (g *graph) membersOf(of lsp.Symbol, all []lsp.Symbol) []lsp.Location {
	known := g.walked(of.Language)
	var places []lsp.Location
	for _, s := range all {
		member := s.Kind == lsp.KindEnumMember || known.member != nil && known.member(of, s)
		if member && s.Receiver == dotted(of) {
			places = append(places, s.Location)
		}
	}
	return places
}

// outer returns the declaration around a place, whatever the language.
func (g *graph) outer(ctx context.Context, l lsp.Location) (declaration, error) {
	if known := g.walked(lsp.LanguageOf(l.Path)); known.outer != nil {
		return known.outer(&g.inquiry, l)
	}
	return g.enclosing(ctx, l)
}

// uses makes an edge of each reference.
func (g *graph) uses(ctx context.Context, n scout.Node, kind lsp.Kind, references []lsp.Location, traits useTraits) ([]scout.Edge, error) {
	if err := g.outlineAll(ctx, references); err != nil {
		return nil, err
	}
	var edges []scout.Edge
	for _, r := range references {
		known := g.languages(lsp.LanguageOf(r.Path))
		if known.use == nil || !g.within(r.Path) {
			continue
		}
		u, err := known.use(ctx, &g.inquiry, r)
		if err != nil {
			return nil, fmt.Errorf("reading a reference of %s: %w", n.Name, err)
		}
		to, reason := landing(u, r)
		outer, err := g.outer(ctx, to)
		if err != nil {
			return nil, err
		}
		if u.kind != "" {
			role := roleOf(u, kind)
			edges = append(edges, having(g.edge(n, to, outer, role, reason), traits.of(u, r, role)...))
		}
	}
	return edges, nil
}

// landing is where a walk should look for a use, and why: at the switch or table for a case or key of it, so that the
// members of a type all lead to the same place.
func landing(u use, at lsp.Location) (lsp.Location, string) {
	switch {
	case u.whole != (lsp.Location{}) && (u.kind == "case" || u.kind == "key"):
		return u.whole, fmt.Sprintf("a %s of it at line %d", u.kind, at.Range.Start.Line)
	case u.passed != "":
		return at, "passed to " + u.passed
	}
	return at, ""
}

// roleOf says what a use of a declaration of a kind means, where both together decide.
func roleOf(u use, kind lsp.Kind) scout.Role {
	switch u.kind {
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
	}
	switch {
	case (u.kind == "initialiser" || u.kind == "argument") && (kind == lsp.KindField || kind == lsp.KindProperty):
		return scout.RoleLiteral
	case u.kind == "case" && isType(kind):
		return scout.RoleTypeSwitch
	case u.kind == "case":
		return scout.RoleSwitch
	case u.called && isType(kind):
		return scout.RoleLiteral
	case u.called && u.test:
		return scout.RoleTest
	case u.called:
		return scout.RoleCall
	case u.taken && callable(kind):
		return scout.RoleMethodValue
	case kind == lsp.KindField || kind == lsp.KindProperty:
		return scout.RoleFieldUse
	case u.kind == "type" || isType(kind) && u.kind != "value":
		return scout.RoleTypeUse
	}
	return scout.RoleReference
}

func isType(kind lsp.Kind) bool { return ofKind(typeKinds()...)(lsp.Symbol{Kind: kind}) }

// memberRole is the role of a switch or table that a member of a type is part of, "" for other uses.
func memberRole(u use) scout.Role {
	switch u.kind {
	case "case":
		return scout.RoleSwitch
	case "key", "value":
		return scout.RoleTable
	}
	return ""
}

// bound lists what implements a type or method, or which method of a contract it implements.
func (g *graph) bound(ctx context.Context, n scout.Node, kind lsp.Kind, l lsp.Location) ([]scout.Edge, error) {
	known := g.languages(lsp.LanguageOf(l.Path))
	if known.abstract == nil || kind != lsp.KindMethod && kind != lsp.KindInterface && kind != lsp.KindClass {
		return nil, nil
	}
	found, err := g.view.Implementations(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", n.Name, err)
	}
	var edges []scout.Edge
	for _, at := range distinct(found) {
		if spotOf(at) == spotOf(l) || !g.within(at.Path) {
			continue
		}
		outer, err := g.outer(ctx, at)
		if err != nil {
			return nil, err
		}
		edges = append(edges, g.edge(n, at, outer, g.boundRole(ctx, known, kind, at), ""))
	}
	return edges, nil
}

func (g *graph) boundRole(ctx context.Context, known language, kind lsp.Kind, at lsp.Location) scout.Role {
	switch {
	case kind == lsp.KindMethod && known.abstract(ctx, &g.inquiry, at) != "":
		return scout.RoleInterfaceMethod
	case g.isTest(at.Path):
		return scout.RoleMock
	}
	return scout.RoleImplementation
}

// members lists the members of an enum, and the switches and tables over them.
func (g *graph) members(ctx context.Context, n scout.Node, places []lsp.Location) ([]scout.Edge, error) {
	var edges []scout.Edge
	for _, at := range places {
		outer, err := g.outer(ctx, at)
		if err != nil {
			return nil, err
		}
		edges = append(edges, g.edge(n, at, outer, scout.RoleMember, ""))
	}
	wholes, err := g.wholes(ctx, n, places, "members", memberRole)
	return append(edges, wholes...), err
}
