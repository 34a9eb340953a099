package tools

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/teach"
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
	defined, err := l.view.Definition(ctx, at)
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
		if !l.within(place.Path) || languageOfPath(place.Path) == "" || isTest(place.Path) && !isTest(within.Path) {
			continue
		}
		if place.Path == within.Path && covers(within.Range, place.Range.Start) {
			return lsp.Symbol{}, true, nil
		}
		all, err := l.declarations(ctx, place.Path)
		if err != nil {
			return lsp.Symbol{}, false, err
		}
		if s, ok := declaredAt(all, place.Range.Start); ok {
			return s, false, nil
		}
	}
	return lsp.Symbol{}, false, nil
}

// contract is the meaning of a type or function. A method without a body is a part of its type, and stands for those
// that implement it.
func (l *lessons) contract(ctx context.Context, s lsp.Symbol) (meaning, error) {
	known := languageWith(s.Language)
	if s.Kind != lsp.KindMethod || known.abstract == nil || known.abstract(ctx, &l.inquiry, s.Location) == "" {
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

// implementations are the declarations of the project that implement a symbol; for a type that implements interfaces,
// these. Tests and what is made for them apart, those beside the symbol come first, and long ones before short ones, which
// often do nothing.
func (l *lessons) implementations(ctx context.Context, s lsp.Symbol) ([]lsp.Symbol, error) {
	places, err := l.view.Implementations(ctx, s.Location)
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", dotted(s), err)
	}
	type found struct {
		lsp.Symbol
		beside int
		lines  int
	}
	var all []found
	for _, at := range distinct(places) {
		if spotOf(at) == spotOf(s.Location) || !l.within(at.Path) || isTest(at.Path) || forTests(at.Path) {
			continue
		}
		declared, err := l.declarations(ctx, at.Path)
		if err != nil {
			return nil, err
		}
		symbol, ok := declaredAt(declared, at.Range.Start)
		if !ok {
			continue
		}
		d, _, err := l.extent(ctx, symbol.Location)
		if err != nil {
			return nil, err
		}
		f := found{Symbol: symbol, lines: d.Range.End.Line - d.Range.Start.Line}
		if filepath.Dir(at.Path) == filepath.Dir(s.Location.Path) {
			f.beside = 1
		}
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Or(b.beside-a.beside, b.lines-a.lines) })
	var symbols []lsp.Symbol
	for _, f := range all[:min(len(all), maxBound)] {
		symbols = append(symbols, f.Symbol)
	}
	return symbols, nil
}

// forTests says of a file that what it declares is made for the tests of others, going by its directory.
func forTests(path string) bool {
	dir := strings.ToLower(filepath.Base(filepath.Dir(path)))
	return strings.HasSuffix(dir, "test") || strings.HasSuffix(dir, "tests") || strings.Contains(dir, "mock") || strings.Contains(dir, "fake")
}

// value is the meaning of a variable or constant: its type, or itself where that says nothing.
func (l *lessons) value(ctx context.Context, s lsp.Symbol, at, within lsp.Location) (meaning, error) {
	m, err := l.typeOf(ctx, at, within)
	if len(m.needed) == 0 && s.Language != "go" && s.Language != "c" {
		m.needed = []lsp.Symbol{s} // a function may be kept in it
	}
	m.foreign = len(m.needed) == 0
	return m, err
}

// typeOf asks for the type of what is named at a place.
func (l *lessons) typeOf(ctx context.Context, at, within lsp.Location) (meaning, error) {
	places, err := l.view.TypeDefinition(ctx, at)
	if err != nil {
		return meaning{}, context.Cause(ctx) // gopls answers with an error where the type has no name
	}
	s, local, err := l.declaredIn(ctx, places, within)
	if err != nil || local || !isType(s.Kind) {
		return meaning{}, err
	}
	return meaning{needed: []lsp.Symbol{s}}, nil
}

// owner returns the type that a member belongs to.
func (l *lessons) owner(ctx context.Context, s lsp.Symbol) (lsp.Symbol, bool, error) {
	all, err := l.declarations(ctx, s.Location.Path)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	i := slices.IndexFunc(all, func(o lsp.Symbol) bool { return isType(o.Kind) && dotted(o) == s.Receiver })
	if i < 0 {
		return lsp.Symbol{}, false, nil
	}
	return all[i], true, nil
}

// bind adds what is bound to a type from elsewhere: what implements it or what it implements, and its methods.
func (l *lessons) bind(ctx context.Context, s lsp.Symbol, found *gathering) error {
	if !isType(s.Kind) {
		return nil
	}
	if known := languageWith(s.Language); known.abstract != nil {
		bound, err := l.implementations(ctx, s)
		if err != nil {
			return err
		}
		for _, b := range bound {
			relation := teach.Implementation
			if b.Kind == lsp.KindInterface && s.Kind != lsp.KindInterface {
				relation = teach.Contract
			}
			found.add(b, relation, 1)
		}
	}
	if s.Kind == lsp.KindInterface {
		return nil
	}
	methods, err := l.methodsOf(ctx, s)
	for _, m := range methods {
		found.add(m, teach.Method, 1)
	}
	return err
}

// methodsOf lists the methods that are declared for a type, which in Go may stand in any file of its package.
func (l *lessons) methodsOf(ctx context.Context, s lsp.Symbol) ([]lsp.Symbol, error) {
	paths := []string{s.Location.Path}
	if s.Language == "go" {
		paths = nil
		for _, f := range l.files.Package(s.Location.Path) {
			paths = append(paths, f.Path)
		}
	}
	var methods []lsp.Symbol
	for _, path := range paths {
		all, err := l.declarations(ctx, path)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if m.Receiver != dotted(s) || m.Kind != lsp.KindMethod {
				continue
			}
			if m, err = l.defined(ctx, m); err != nil {
				return nil, err
			}
			methods = append(methods, m)
		}
	}
	return methods, nil
}

// defined returns where a function of C or C++ is defined, if it was only declared at its place.
func (l *lessons) defined(ctx context.Context, s lsp.Symbol) (lsp.Symbol, error) {
	if s.Language != "c" || !callable(s.Kind) {
		return s, nil
	}
	text, err := l.lexed.Open(s.Location.Path)
	if err != nil {
		return s, err
	}
	if d, ok, err := l.extent(ctx, s.Location); err != nil || ok && bodyOf(text, d).end > 0 {
		return s, err
	}
	places, err := l.view.Definition(ctx, s.Location)
	if err != nil {
		return s, err
	}
	found, _, err := l.declaredIn(ctx, places, lsp.Location{})
	if err != nil || found.Name != s.Name {
		return s, err
	}
	return found, nil
}
