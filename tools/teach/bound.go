package teach

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp"
	"tidepool/teach"
	"tidepool/tools/internal/query"
)

// What is taken of the implementations of an interface, or of a method of one.
const (
	maxExamined = 40 // looked at, the nearest
	maxBound    = 8  // told of
)

// bind adds what is bound to a symbol from elsewhere: what implements it or what it implements, and the methods of a type.
func (l *lessons) bind(ctx context.Context, s lsp.Symbol, found *gathering) error {
	known := l.Languages(s.Language)
	abstract := s.Kind == lsp.KindMethod && known.Abstract != nil && known.Abstract(ctx, l.Query, s.Location) != ""
	if !query.IsType(s.Kind) && !abstract {
		return nil
	}
	if known.Abstract != nil {
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
	if s.Kind == lsp.KindInterface || abstract {
		return nil
	}
	methods, err := l.methodsOf(ctx, s)
	for _, m := range methods {
		found.add(m, teach.Method, 1)
	}
	return err
}

// methodsOf lists the methods that are declared for a type, which may stand in other files than the type.
func (l *lessons) methodsOf(ctx context.Context, s lsp.Symbol) ([]lsp.Symbol, error) {
	paths := []string{s.Location.Path}
	if known := l.Languages(s.Language); known.Package != nil {
		paths = known.Package(s.Location.Path)
	}
	var methods []lsp.Symbol
	for _, path := range paths {
		all, err := l.declaredInFile(ctx, path)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if m.Receiver != query.Dotted(s) || m.Kind != lsp.KindMethod {
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

// defined returns where a function is defined, if it is only declared at its place.
func (l *lessons) defined(ctx context.Context, s lsp.Symbol) (lsp.Symbol, error) {
	if !l.Languages(s.Language).Forward || !query.Callable(s.Kind) {
		return s, nil
	}
	text, err := l.open(s.Location.Path)
	if err != nil {
		return s, err
	}
	if d, ok, err := l.extent(ctx, s.Location); err != nil || ok && bodyOf(text, d).end > 0 {
		return s, err
	}
	places, err := l.View.Definition(ctx, s.Location)
	if err != nil {
		return s, err
	}
	found, _, err := l.declaredIn(ctx, places, lsp.Location{})
	if err != nil || found.Name != s.Name {
		return s, err
	}
	return found, nil
}

// implementations returns the declarations of the project that implement a symbol; for a type that implements interfaces,
// these. Those beside the symbol come first, and long ones before short ones, which often do nothing.
func (l *lessons) implementations(ctx context.Context, s lsp.Symbol) ([]lsp.Symbol, error) {
	places, err := l.View.Implementations(ctx, s.Location)
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", query.Dotted(s), err)
	}
	type found struct {
		lsp.Symbol
		beside bool
		lines  int
	}
	var all []found
	for _, at := range l.nearby(places, s) {
		symbol, ok, err := l.symbolAt(ctx, at)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		d, _, err := l.extent(ctx, symbol.Location)
		if err != nil {
			return nil, err
		}
		all = append(all, found{symbol, beside(at, s), d.Range.End.Line - d.Range.Start.Line})
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(soFirst(a.beside, b.beside), cmp.Compare(b.lines, a.lines))
	})
	var symbols []lsp.Symbol
	for _, f := range all[:min(len(all), maxBound)] {
		symbols = append(symbols, f.Symbol)
	}
	return symbols, nil
}

// nearby leaves of places those that may be taught, tests and what is made for them apart, those beside a symbol first.
func (l *lessons) nearby(places []lsp.Location, s lsp.Symbol) []lsp.Location {
	kept := slices.DeleteFunc(query.Distinct(places), func(at lsp.Location) bool {
		return query.SpotOf(at) == query.SpotOf(s.Location) || !l.Within(at.Path) || l.IsTest(at.Path) || forTests(at.Path)
	})
	slices.SortStableFunc(kept, func(a, b lsp.Location) int { return soFirst(beside(a, s), beside(b, s)) })
	return kept[:min(len(kept), maxExamined)]
}

func beside(at lsp.Location, s lsp.Symbol) bool {
	return filepath.Dir(at.Path) == filepath.Dir(s.Location.Path)
}

// soFirst puts what is so before what is not.
func soFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// forTests says of a file that what it declares is made for the tests of others, going by its directory.
func forTests(path string) bool {
	dir := strings.ToLower(filepath.Base(filepath.Dir(path)))
	return strings.HasSuffix(dir, "test") || strings.HasSuffix(dir, "tests") || strings.Contains(dir, "mock") || strings.Contains(dir, "fake")
}
