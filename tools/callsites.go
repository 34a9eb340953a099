package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"tidepool/lsp"
)

// concurrent bounds the requests that one call has at a server at the same time.
const concurrent = 8

// A site is a reference that calls a symbol, or takes it as a value.
type site struct {
	at  lsp.Location
	use use
	via string
}

type callSites struct {
	sites      []site   // by file, line and column
	references int      // in all, the declaration not counted
	abstract   bool     // the symbol is a method without a body
	related    int      // abstract: its implementations
	contracts  []string // the interfaces' methods that it implements
}

// callSites finds what calls a symbol. A server's references to a method include those to the interfaces' methods
// that it implements, or to the methods that implement it; which of them a place names, its definition tells.
func (q *inquiry) callSites(ctx context.Context, symbol lsp.Symbol) (callSites, error) {
	known, err := languageOf(symbol)
	if err != nil {
		return callSites{}, err
	}
	references, related, err := q.referencesAndRelated(ctx, symbol)
	if err != nil {
		return callSites{}, err
	}
	found := callSites{
		references: len(references), related: len(related),
		abstract: q.abstract(ctx, known, symbol.Location) != "",
	}
	for _, at := range references {
		u, err := known.use(ctx, q, at)
		if err != nil {
			return callSites{}, fmt.Errorf("classifying a reference: %w", err)
		}
		if u.called || u.taken && callable(symbol.Kind) {
			found.sites = append(found.sites, site{at: at, use: u, via: u.passed})
		}
	}
	if symbol.Kind != lsp.KindMethod {
		return found, nil
	}
	if !found.abstract {
		found.contracts = q.contracts(ctx, symbol, known, related)
	}
	found.sites, err = q.dispatched(ctx, symbol, known, found)
	return found, err
}

// contracts names the interfaces' methods among those related to a method with a body.
func (q *inquiry) contracts(ctx context.Context, symbol lsp.Symbol, known language, related []lsp.Location) []string {
	var names []string
	for _, at := range related {
		if name := q.abstract(ctx, known, at); name != "" {
			names = append(names, known.written(symbol, at, name)+"."+symbol.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func callable(kind lsp.Kind) bool { return kind == lsp.KindFunction || kind == lsp.KindMethod }

// referencesAndRelated returns the references to a symbol, sorted, each once, and for a method those that implement
// it or that it implements.
func (q *inquiry) referencesAndRelated(ctx context.Context, symbol lsp.Symbol) (references, related []lsp.Location, err error) {
	group, ctx := errgroup.WithContext(ctx)
	if symbol.Kind == lsp.KindMethod {
		group.Go(func() (err error) {
			related, err = q.view.Implementations(ctx, symbol.Location)
			return err
		})
	}
	references, err = q.view.References(ctx, symbol.Location, false)
	if err := errors.Join(err, group.Wait()); err != nil {
		return nil, nil, fmt.Errorf("finding references of %s: %w", displayName(symbol), err)
	}
	return distinct(references), distinct(related), nil
}

func distinct(all []lsp.Location) []lsp.Location {
	slices.SortFunc(all, func(a, b lsp.Location) int { return compareSpots(spotOf(a), spotOf(b)) })
	return slices.CompactFunc(all, func(a, b lsp.Location) bool { return spotOf(a) == spotOf(b) })
}

// dispatched keeps the sites that can run the method: those that name it, and for one with a body those that name an
// interface's method. The server has already left out the interfaces that its type does not implement.
func (q *inquiry) dispatched(ctx context.Context, symbol lsp.Symbol, known language, found callSites) ([]site, error) {
	named, err := q.definitions(ctx, found.sites)
	if err != nil {
		return nil, err
	}
	var kept []site
	for i, s := range found.sites {
		contract := q.abstract(ctx, known, named[i])
		switch {
		case spotOf(named[i]) == spotOf(symbol.Location):
			kept = append(kept, s)
		case contract != "" && !found.abstract:
			s.use.kind, s.via = "interface "+s.use.kind, known.written(symbol, named[i], contract)+"."+symbol.Name
			kept = append(kept, s)
		}
	}
	return kept, nil
}

// definitions returns what each site names, the zero location if the server does not know.
func (q *inquiry) definitions(ctx context.Context, sites []site) ([]lsp.Location, error) {
	named := make([]lsp.Location, len(sites))
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(concurrent)
	for i, s := range sites {
		group.Go(func() error {
			definitions, err := q.view.Definition(asking, s.at)
			if len(definitions) > 0 {
				named[i] = definitions[0]
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("finding out which method a call names: %w", err)
	}
	return named, nil
}

// written is the name of a type declared at a place, as the file of symbol would write it.
func (l language) written(symbol lsp.Symbol, at lsp.Location, name string) string {
	if l.beside == nil {
		return name
	}
	return l.beside(symbol, at, name)
}
