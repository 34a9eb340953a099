package golang

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// typed are what types tell of the uses of one declaration. The zero value tells nothing.
type typed struct {
	about  map[fact.Place]analysis.About // which uses pass embedded fields, and what becomes of errors
	form   syntax.Form                   // of a type: what it is made as, below other names
	field  bool                          // it is a field
	errors bool                          // what becomes of errors is worth telling
}

// types asks what types tell of the uses of n at places, as far as there is something to tell.
func (g explorer) types(ctx context.Context, n scout.Node, decl syntax.Decl, places []fact.Place) (t typed, err error) {
	l := g.Located(n)
	f, err := g.Files.Open(l.Path)
	if err != nil {
		return t, err
	}
	t.field = decl.Sort == syntax.SortField
	if t.form, err = g.form(ctx, l); err != nil {
		return t, err
	}
	t.errors = g.AsksOpenly() && f.FailsAt(decl.At)
	wanted := t.errors
	if !wanted {
		wanted, err = g.promotes(ctx, decl)
	}
	if wanted && err == nil && len(places) > 0 && len(g.sources()) <= maxGoFiles {
		t.about, err = g.about(ctx, places)
	}
	return t, err
}

// about asks what types tell of the names at places.
func (g explorer) about(ctx context.Context, places []fact.Place) (map[fact.Place]analysis.About, error) {
	all, ok, err := askTypes(ctx, g, "what becomes of errors and promoted names where it is used", func(ctx context.Context, c *analysis.Client) ([]analysis.About, error) {
		return c.About(ctx, g.whole(), places)
	})
	if !ok || len(all) != len(places) {
		return nil, err
	}
	known := make(map[fact.Place]analysis.About, len(all))
	for i, at := range places {
		known[at] = all[i]
	}
	return known, nil
}

// form returns what the type that is declared at l is made as, below the names of other types; "" for what is none.
func (g explorer) form(ctx context.Context, l lsp.Location) (syntax.Form, error) {
	t, ok := g.typeAt(&g.Query, l)
	if !ok {
		return "", nil
	}
	t, _, err := g.follow(ctx, &g.Query, t)
	return t.decl.Form, err
}

// built returns the traits of a use that builds a struct, or one with the field.
func (t typed) built(use syntax.Use) []scout.Trait {
	switch {
	case t.field && use.Kind == syntax.Key:
		return elements(syntax.Keyed)
	case t.form == syntax.Struct:
		return elements(use.Elements)
	}
	return nil
}

// promotes reports whether a field or method may be promoted by a field that embeds its type.
func (g explorer) promotes(ctx context.Context, decl syntax.Decl) (bool, error) {
	switch decl.Sort {
	case syntax.SortField, syntax.SortMethod, syntax.SortInterfaceMethod:
	default:
		return false, nil
	}
	owner, _, _ := strings.Cut(decl.Name, ".")
	asking, cancel := g.View.Allow(ctx)
	defer cancel()
	may, err := g.typing.MayEmbed(asking, owner, g.View.TreeRevision(), func() ([]string, error) { return g.mention(ctx, owner) })
	if g.Late("whether a struct embeds "+owner, err) {
		return false, nil
	}
	return may, err
}

// of returns the traits of the use at a place.
func (t typed) of(at fact.Place) []scout.Trait {
	about := t.about[at]
	var traits []scout.Trait
	if len(about.Passes) > 0 {
		traits = append(traits, scout.Trait{Name: scout.TraitPromoted, Detail: strings.Join(about.Passes, ".")})
	}
	if t.errors {
		traits = append(traits, errorUse(about.ErrorUse)...)
	}
	return traits
}

func errorUse(use fact.ErrorUse) []scout.Trait {
	switch use {
	case fact.Passed:
		return graph.Only(scout.TraitPropagates)
	case fact.Handled:
		return graph.Only(scout.TraitHandles)
	case fact.Dropped:
		return graph.Only(scout.TraitDrops)
	}
	return nil
}

// inText marks the edges to places in those methods of the type of n that write it as text, or read it.
func (g explorer) inText(n scout.Node, edges []scout.Edge) []scout.Edge {
	owner, _, _ := strings.Cut(n.Name, ".")
	for i, e := range edges {
		in := graph.EdgeInto(e)
		typ, _, isMethod := strings.Cut(in.Name, ".")
		_, known := e.Trait(scout.TraitText)
		if known || !isMethod || typ != owner || path.Dir(in.Path) != path.Dir(n.Path) || e.Role == scout.RoleStringMethod || e.Role == scout.RoleDefinition {
			continue
		}
		if g.isText(fact.Place{Path: filepath.Join(g.Root, filepath.FromSlash(in.Path)), Line: in.Line, Column: in.Column}) {
			edges[i] = graph.Having(e, scout.Trait{Name: scout.TraitText, Detail: in.Name})
		}
	}
	return edges
}

// isText reports whether a String-like method is declared at a place.
func (g explorer) isText(at fact.Place) bool {
	f, err := g.Files.Open(at.Path)
	return err == nil && f.TextMethod(syntax.Position{Line: at.Line, Column: at.Column})
}

// embeddedEdges lists the uses of the field that a struct has by embedding a type at l: those that name it, and those of
// what it promotes.
func (g explorer) embeddedEdges(ctx context.Context, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	if len(g.sources()) > maxGoFiles {
		g.Doubt(fmt.Sprintf("what %s promotes was not looked for in more than %d Go files", n.Name, maxGoFiles))
		return nil, nil
	}
	selections, _, err := askTypes(ctx, g, "where what it promotes is used", func(ctx context.Context, c *analysis.Client) ([]fact.Selection, error) {
		return c.Selections(ctx, g.whole(), placeOf(l))
	})
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	for _, s := range selections {
		named := s.To == placeOf(l)
		if !named && g.Change.Kind == scout.Rename {
			continue
		}
		e := g.siteEdge(n, s.Site, scout.RolePromotion, "promotes "+s.Name)
		switch {
		case named && s.Key:
			e = graph.Having(e, graph.Only(scout.TraitKeyed)...)
			e.Role, e.Reason = scout.RoleLiteral, ""
		case named:
			e.Role, e.Reason = scout.RoleFieldUse, ""
		}
		edges = append(edges, e)
	}
	unkeyed, err := g.unkeyed(ctx, n, l)
	return append(edges, unkeyed...), err
}

// unkeyed lists the literals that give the field at l its value by position, which are no references to it.
func (g explorer) unkeyed(ctx context.Context, n scout.Node, l lsp.Location) ([]scout.Edge, error) {
	f, err := g.Files.Open(l.Path)
	if err != nil || g.Change.Kind == scout.Rename {
		return nil, err
	}
	outer, _ := f.Outer(place(l))
	t, ok := f.Type(outer.At)
	own := func(m syntax.Member) bool { return m.At == place(l) || m.Embedded && m.Target == place(l) }
	if !ok || t.Form != syntax.Struct || !slices.ContainsFunc(t.Members, own) {
		return nil, nil
	}
	references, err := g.References(ctx, outer.Name, at(f, outer.At))
	if err != nil {
		return nil, err
	}
	var edges []scout.Edge
	for _, r := range references {
		in, err := g.Files.Open(r.Path)
		if err != nil || !g.Within(r.Path) {
			continue
		}
		if use, _ := in.Use(place(r)); use.Elements == syntax.Unkeyed {
			edges = append(edges, graph.Having(g.edge(n, in, place(r), scout.RoleLiteral, "sets it by position"), elements(use.Elements)...))
		}
	}
	return edges, nil
}
