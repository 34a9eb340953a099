package teach

import (
	"context"
	"slices"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// A meaning is what of the project has to be known to understand a name at a place.
type meaning struct {
	needed  []lsp.Symbol
	runs    []lsp.Symbol // methods that may run where one of an interface is named
	foreign bool         // the name means nothing that the project declares
}

// meaning asks what a name within a declaration means. What the declaration itself declares, such as its parameters,
// has no meaning outside of it.
func (l *lessons) meaning(ctx context.Context, at, within lsp.Location) (meaning, error) {
	defined, err := l.View.Definition(ctx, at)
	if err != nil {
		return meaning{}, err
	}
	s, local, err := l.declaredIn(ctx, defined, within)
	if err != nil || local || s.Name == "" {
		return meaning{foreign: !local}, err
	}
	switch {
	case taught(s) && s.Kind != lsp.KindConstructor:
		return l.contract(ctx, s)
	case s.Receiver == "" && (s.Kind == lsp.KindVariable || s.Kind == lsp.KindConstant):
		return l.value(ctx, s, at, within)
	}
	m, err := l.typeOf(ctx, at, within)
	if owner, ok, ownerErr := l.owner(ctx, s); ok && ownerErr == nil {
		m.needed = append(m.needed, owner)
	}
	m.foreign = len(m.needed) == 0
	return m, err
}

// declaredIn returns what is declared at the first place that belongs to the project; the zero symbol if nothing is.
// local says that it is a part of the declaration within.
func (l *lessons) declaredIn(ctx context.Context, places []lsp.Location, within lsp.Location) (s lsp.Symbol, local bool, err error) {
	for _, place := range places {
		if !l.Within(place.Path) || lsp.LanguageOf(place.Path) == "" || l.IsTest(place.Path) && !l.IsTest(within.Path) {
			continue
		}
		if place.Path == within.Path && query.Covers(within.Range, place.Range.Start) {
			return lsp.Symbol{}, true, nil
		}
		s, ok, err := l.symbolAt(ctx, place)
		if err != nil || ok {
			return s, false, err
		}
	}
	return lsp.Symbol{}, false, nil
}

// contract returns the meaning of a type or function. A method without a body is a part of its type, and stands for those
// that implement it.
func (l *lessons) contract(ctx context.Context, s lsp.Symbol) (meaning, error) {
	known := l.Languages(s.Language)
	if s.Kind != lsp.KindMethod || known.Abstract == nil || known.Abstract(ctx, l.Query, s.Location) == "" {
		return meaning{needed: []lsp.Symbol{s}}, nil
	}
	var m meaning
	owner, ok, err := l.owner(ctx, s)
	if err != nil {
		return m, err
	}
	if ok {
		m.needed = []lsp.Symbol{owner}
	}
	m.runs, err = l.implementations(ctx, s)
	return m, err
}

// value returns the meaning of a variable or constant: its type, or itself where that says nothing.
func (l *lessons) value(ctx context.Context, s lsp.Symbol, at, within lsp.Location) (meaning, error) {
	m, err := l.typeOf(ctx, at, within)
	if len(m.needed) == 0 && l.Languages(s.Language).Functional {
		m.needed = []lsp.Symbol{s} // a function may be kept in it
	}
	m.foreign = len(m.needed) == 0
	return m, err
}

// typeOf asks for the type of what is named at a place.
func (l *lessons) typeOf(ctx context.Context, at, within lsp.Location) (meaning, error) {
	places, err := l.View.TypeDefinition(ctx, at)
	if err != nil {
		return meaning{}, context.Cause(ctx) // gopls answers with an error where the type has no name
	}
	s, local, err := l.declaredIn(ctx, places, within)
	if err != nil || local || !query.IsType(s.Kind) {
		return meaning{}, err
	}
	return meaning{needed: []lsp.Symbol{s}}, nil
}

// owner returns the type that a member belongs to.
func (l *lessons) owner(ctx context.Context, s lsp.Symbol) (lsp.Symbol, bool, error) {
	all, err := l.declaredInFile(ctx, s.Location.Path)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	i := slices.IndexFunc(all, func(o lsp.Symbol) bool { return query.IsType(o.Kind) && query.Dotted(o) == s.Receiver })
	if i < 0 {
		return lsp.Symbol{}, false, nil
	}
	return all[i], true, nil
}
