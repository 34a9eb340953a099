package teach

import (
	"context"
	"slices"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A resolution is what a name at a place refers to in the project.
type resolution struct {
	needed   []lsp.Symbol // to understand the name
	runs     []lsp.Symbol // methods that may run where one of an interface is named
	external bool         // the project declares nothing that is needed, so that the name need not be resolved again in its file
}

// resolve resolves a name within a declaration. What the declaration itself declares, such as its parameters, is neither
// needed nor external.
func (c *codeSource) resolve(ctx context.Context, at, within lsp.Location) (resolution, error) {
	defined, err := c.View.Definition(ctx, at)
	if err != nil {
		return resolution{}, err
	}
	s, local, err := c.declaredIn(ctx, defined, within)
	if err != nil || local || s.Name == "" {
		return resolution{external: !local}, err
	}
	switch {
	case explainable(s) && s.Kind != lsp.KindConstructor:
		return c.resolveDeclaration(ctx, s)
	case s.Receiver == "" && (s.Kind == lsp.KindVariable || s.Kind == lsp.KindConstant):
		return c.resolveValue(ctx, s, at, within)
	}
	m, err := c.typeOf(ctx, at, within)
	if owner, ok, ownerErr := c.owner(ctx, s); ok && ownerErr == nil {
		m.needed = append(m.needed, owner)
	}
	m.external = len(m.needed) == 0
	return m, err
}

// declaredIn returns what is declared at the first place that belongs to the project; the zero symbol if nothing is.
// local reports that it is a part of the declaration within.
func (c *codeSource) declaredIn(ctx context.Context, places []lsp.Location, within lsp.Location) (s lsp.Symbol, local bool, err error) {
	for _, place := range places {
		if !c.Within(place.Path) || lsp.LanguageOf(place.Path) == "" || c.IsTest(place.Path) && !c.IsTest(within.Path) {
			continue
		}
		if place.Path == within.Path && query.Covers(within.Range, place.Range.Start) {
			return lsp.Symbol{}, true, nil
		}
		s, ok, err := c.symbolAt(ctx, place)
		if err != nil || ok {
			return s, false, err
		}
	}
	return lsp.Symbol{}, false, nil
}

// resolveDeclaration returns the resolution of a type or function. A method without a body is a part of its type, and stands
// for those that implement it.
func (c *codeSource) resolveDeclaration(ctx context.Context, s lsp.Symbol) (resolution, error) {
	known := c.Languages(s.Language)
	if s.Kind != lsp.KindMethod || known.Abstract == nil || known.Abstract(ctx, c.Query, s.Location) == "" {
		return resolution{needed: []lsp.Symbol{s}}, nil
	}
	var m resolution
	owner, ok, err := c.owner(ctx, s)
	if err != nil {
		return m, err
	}
	if ok {
		m.needed = []lsp.Symbol{owner}
	}
	m.runs, err = c.implementations(ctx, s)
	return m, err
}

// resolveValue returns the resolution of a variable or constant: its type, or, where functions are kept in variables, itself if
// the project does not declare its type.
func (c *codeSource) resolveValue(ctx context.Context, s lsp.Symbol, at, within lsp.Location) (resolution, error) {
	m, err := c.typeOf(ctx, at, within)
	if len(m.needed) == 0 && c.Languages(s.Language).Functional {
		m.needed = []lsp.Symbol{s} // a function may be kept in it
	}
	m.external = len(m.needed) == 0
	return m, err
}

// typeOf asks for the type of what is named at a place.
func (c *codeSource) typeOf(ctx context.Context, at, within lsp.Location) (resolution, error) {
	places, err := c.View.TypeDefinition(ctx, at)
	if err != nil {
		return resolution{}, context.Cause(ctx) // gopls answers with an error where the type has no name
	}
	s, local, err := c.declaredIn(ctx, places, within)
	if err != nil || local || !query.IsType(s.Kind) {
		return resolution{}, err
	}
	return resolution{needed: []lsp.Symbol{s}}, nil
}

// owner returns the type that a member belongs to.
func (c *codeSource) owner(ctx context.Context, s lsp.Symbol) (lsp.Symbol, bool, error) {
	all, err := c.declaredInFile(ctx, s.Location.Path)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	i := slices.IndexFunc(all, func(o lsp.Symbol) bool { return query.IsType(o.Kind) && query.Dotted(o) == s.Receiver })
	if i < 0 {
		return lsp.Symbol{}, false, nil
	}
	return all[i], true, nil
}
