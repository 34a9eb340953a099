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

// Bounds of the implementations of an interface, or of a method of one.
const (
	maxExamined        = 40 // resolved, the nearest first
	maxImplementations = 8  // returned
)

// relate adds the declarations elsewhere that belong to a symbol: what implements it, or what it implements, and its methods.
func (c *codeSource) relate(ctx context.Context, s lsp.Symbol, found *linkSet) error {
	known := c.Languages(s.Language)
	abstract := s.Kind == lsp.KindMethod && known.Abstract != nil && known.Abstract(ctx, c.Query, s.Location) != ""
	if !query.IsType(s.Kind) && !abstract {
		return nil
	}
	if known.Abstract != nil {
		bound, err := c.implementations(ctx, s)
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
	methods, err := c.methodsOf(ctx, s)
	for _, m := range methods {
		found.add(m, teach.Method, 1)
	}
	return err
}

// methodsOf lists the methods that are declared for a type, which may stand in other files than the type.
func (c *codeSource) methodsOf(ctx context.Context, s lsp.Symbol) ([]lsp.Symbol, error) {
	paths := []string{s.Location.Path}
	if known := c.Languages(s.Language); known.Package != nil {
		paths = known.Package(s.Location.Path)
	}
	var methods []lsp.Symbol
	for _, path := range paths {
		all, err := c.declaredInFile(ctx, path)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if m.Receiver != query.Dotted(s) || m.Kind != lsp.KindMethod {
				continue
			}
			if m, err = c.defined(ctx, m); err != nil {
				return nil, err
			}
			methods = append(methods, m)
		}
	}
	return methods, nil
}

// defined returns where a function is defined, if it is only declared at its place.
func (c *codeSource) defined(ctx context.Context, s lsp.Symbol) (lsp.Symbol, error) {
	if !c.Languages(s.Language).Forward || !query.Callable(s.Kind) {
		return s, nil
	}
	text, err := c.open(s.Location.Path)
	if err != nil {
		return s, err
	}
	if d, ok, err := c.extent(ctx, s.Location); err != nil || ok && bodyOf(text, d).end > 0 {
		return s, err
	}
	places, err := c.View.Definition(ctx, s.Location)
	if err != nil {
		return s, err
	}
	found, _, err := c.declaredIn(ctx, places, lsp.Location{})
	if err != nil || found.Name != s.Name {
		return s, err
	}
	return found, nil
}

// implementations returns the declarations of the project that implement a symbol; for a type that implements interfaces,
// these. Those in the same directory come first, and long ones before short ones, which often do nothing.
func (c *codeSource) implementations(ctx context.Context, s lsp.Symbol) ([]lsp.Symbol, error) {
	places, err := c.View.Implementations(ctx, s.Location)
	if err != nil {
		return nil, fmt.Errorf("finding implementations of %s: %w", query.Dotted(s), err)
	}
	type found struct {
		lsp.Symbol
		beside bool
		lines  int
	}
	var all []found
	for _, at := range c.nearest(places, s) {
		symbol, ok, err := c.symbolAt(ctx, at)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		d, _, err := c.extent(ctx, symbol.Location)
		if err != nil {
			return nil, err
		}
		all = append(all, found{symbol, sameDirectory(at, s), d.Range.End.Line - d.Range.Start.Line})
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(trueFirst(a.beside, b.beside), cmp.Compare(b.lines, a.lines))
	})
	var symbols []lsp.Symbol
	for _, f := range all[:min(len(all), maxImplementations)] {
		symbols = append(symbols, f.Symbol)
	}
	return symbols, nil
}

// nearest returns the places of a project that are neither the symbol nor for tests, those in its directory first.
func (c *codeSource) nearest(places []lsp.Location, s lsp.Symbol) []lsp.Location {
	kept := slices.DeleteFunc(query.Distinct(places), func(at lsp.Location) bool {
		return query.SpotOf(at) == query.SpotOf(s.Location) || !c.Within(at.Path) || c.IsTest(at.Path) || isTestSupport(at.Path)
	})
	slices.SortStableFunc(kept, func(a, b lsp.Location) int { return trueFirst(sameDirectory(a, s), sameDirectory(b, s)) })
	return kept[:min(len(kept), maxExamined)]
}

func sameDirectory(at lsp.Location, s lsp.Symbol) bool {
	return filepath.Dir(at.Path) == filepath.Dir(s.Location.Path)
}

// trueFirst compares for sorting: true comes before false.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// isTestSupport reports whether a file serves the tests of other packages, as the name of its directory says.
func isTestSupport(path string) bool {
	dir := strings.ToLower(filepath.Base(filepath.Dir(path)))
	return strings.HasSuffix(dir, "test") || strings.HasSuffix(dir, "tests") || strings.Contains(dir, "mock") || strings.Contains(dir, "fake")
}
