package python

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// edgesFrom lists the references to what n declares, each with the role of its use; what overrides a method or is
// overridden by it; and the members of an Enum with the matches and tables over them.
func edgesFrom(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	symbols, err := g.Outline(ctx, l.Path)
	if err != nil {
		return nil, err
	}
	declared, name := declared(symbols, l.Range.Start, "")
	if name == "" {
		return nil, nil // a place that nothing can refer to
	}
	kind := declared.Kind
	if holder, ok := holder(symbols, l.Range.Start); ok && holder.Kind == lsp.KindClass && kind == lsp.KindVariable {
		kind = lsp.KindField
	}
	references, err := g.References(ctx, n.Name, l)
	if err != nil {
		return nil, err
	}
	record, err := record(ctx, g, kind, l)
	if err != nil {
		return nil, err
	}
	edges, err := g.Uses(ctx, n, kind, references, traits(g, record))
	if err != nil {
		return nil, err
	}
	open, err := openMentions(ctx, g, n, lsp.Symbol{Name: declared.Name, Kind: kind, Location: l}, references)
	if err != nil {
		return nil, err
	}
	var bound []scout.Edge
	switch kind {
	case lsp.KindMethod:
		bound, err = overrides(ctx, g, n, l)
	case lsp.KindClass:
		bound, err = enum(ctx, g, n, l)
	}
	all := slices.Concat(edges, open, bound)
	graph.InText(n, texts(), all)
	return all, err
}

// record reports whether the fields of the class at a place are the parameters of its constructor.
func record(ctx context.Context, g *graph.Graph, kind lsp.Kind, l lsp.Location) (bool, error) {
	if kind != lsp.KindClass {
		return false, nil
	}
	c, ok, err := classAt(ctx, &g.Query, l)
	if err != nil || !ok {
		return false, err
	}
	line, err := lineageOf(ctx, &g.Query, c)
	return err == nil && slices.Contains([]string{"dataclass", "named tuple", "model"}, line.form()), err
}

// openMentions lists the places that may use a function, a class or what a class has. Names of variables are too
// common to ask about each.
func openMentions(ctx context.Context, g *graph.Graph, n scout.Node, symbol lsp.Symbol, references []lsp.Location) ([]scout.Edge, error) {
	if symbol.Kind == lsp.KindVariable || symbol.Kind == lsp.KindConstant {
		return nil, nil
	}
	found, err := unresolved(ctx, &g.Query, symbol, references)
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	for _, at := range found {
		outer, err := g.Outer(ctx, at)
		if err != nil {
			return nil, err
		}
		edges = append(edges, g.Edge(n, at, outer, scout.RoleReference, "may use it: pyright does not know what it names"))
	}
	return edges, nil
}

// overrides lists the methods that override the one at a place, and those that it overrides.
func overrides(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	c, ok, err := owner(ctx, &g.Query, l)
	if err != nil || !ok {
		return nil, err
	}
	line, err := lineageOf(ctx, &g.Query, c)
	if err != nil {
		return nil, err
	}
	derived, err := subclasses(ctx, &g.Query, c)
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	add := func(of class, role scout.Role) {
		if s, ok := of.method(query.BaseOf(n.Name)); ok && g.Within(of.at.Path) {
			at := of.own(s)
			edges = append(edges, g.Edge(n, at, query.Declaration{Name: of.name + "." + s.Name, Kind: string(s.Kind), At: at}, role, ""))
		}
	}
	g.Doubt(unfollowed(line))
	for _, base := range line.classes[1:] {
		add(base, scout.RoleInterfaceMethod)
	}
	for _, child := range derived {
		role := scout.RoleImplementation
		if test(child.at.Path) {
			role = scout.RoleMock
		}
		add(child, role)
	}
	return edges, nil
}

// enum lists the members of an Enum and what goes over several of them; of other classes, if another subclass is asked
// about, what tells the subclasses apart.
func enum(ctx context.Context, g *graph.Graph, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	c, ok, err := classAt(ctx, &g.Query, l)
	if err != nil || !ok {
		return nil, err
	}
	line, err := lineageOf(ctx, &g.Query, c)
	switch {
	case err != nil:
		return nil, err
	case line.form() != "enum" && g.Change.Kind == scout.AddImplementation:
		return typeSwitches(ctx, g, n, c)
	case line.form() != "enum":
		return nil, nil
	}
	var edges []scout.Edge
	var places []lsp.Location
	for _, m := range c.enumerated() {
		outer := query.Declaration{Name: c.name + "." + m.name, Kind: string(lsp.KindEnumMember), At: m.at}
		edges = append(edges, g.Edge(n, m.at, outer, scout.RoleMember, ""))
		places = append(places, m.at)
	}
	wholes, err := g.Wholes(ctx, n, places, "members", graph.MemberRole)
	for i, e := range wholes {
		if e.Role == scout.RoleSwitch && isOpen(g, e.To) {
			wholes[i].Reason += ", without a default"
		}
	}
	return append(edges, wholes...), err
}

// typeSwitches lists what tells the subclasses of a class apart by isinstance, or by the patterns of a match.
func typeSwitches(ctx context.Context, g *graph.Graph, n scout.Node, c class) ([]scout.Edge, error) {
	derived, err := subclasses(ctx, &g.Query, c)
	if err != nil {
		return nil, err
	}
	var places []lsp.Location
	for _, child := range derived {
		places = append(places, child.at)
	}
	return g.TypeSwitches(ctx, n, places, func(at lsp.Location) bool {
		u, err := use(ctx, &g.Query, at)
		return err == nil && (u.Kind == "assertion" || u.Kind == "case")
	})
}

// isOpen reports whether a match has no case for all else.
func isOpen(g *graph.Graph, match scout.Node) bool {
	f, err := g.Lexed.Open(filepath.Join(g.Root, filepath.FromSlash(match.Path)))
	if err != nil {
		return false
	}
	s := statementAt(f, f.At(match.Line, match.Column))
	for s := range block(s) {
		if s.first().Is("case") && s.first().Next().Is("_") && s.first().Next().Next().Is(":") {
			return false
		}
	}
	return s.first().Is("match")
}

// whole returns where the match or table begins that a name in a case or among other values is a part of; false if it is
// part of neither.
func whole(f *lexer.File, t lexer.Token, kind string) (lsp.Location, bool) {
	switch outer := t.Outer(); {
	case kind == "case":
		match := matchOf(statementAt(f, t))
		return placeOf(f, match), match.Kind() != 0
	case kind != "value" && kind != "key":
	case outer.Is("{"), outer.Is("[") && outer.Prev().Is("=", "(", ",", "in", "return", ":"):
		return placeOf(f, outer), true
	}
	return lsp.Location{}, false
}

// matchOf returns the first token of the match that a case belongs to.
func matchOf(s statement) lexer.Token {
	indent := indentOf(s)
	for before := s.first().Prev(); before.Kind() != 0; before = s.first().Prev() {
		if s = statementAt(s.file, before); indentOf(s) < indent {
			if s.head().Is("match") {
				return s.first()
			}
			break
		}
	}
	return lexer.Token{}
}

// indentOf returns the column at which the line of a statement begins.
func indentOf(s statement) int {
	line := s.file.Line(s.first().Line())
	return len(line) - len(strings.TrimLeft(line, " \t")) + 1
}
