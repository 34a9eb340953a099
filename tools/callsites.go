package tools

import (
	"context"
	"fmt"
	"maps"
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
		abstract: known.abstract(q.files, symbol.Location) != "",
	}
	for _, at := range references {
		u, err := known.use(q.files, at)
		if err != nil {
			return callSites{}, fmt.Errorf("classifying a reference: %w", err)
		}
		if u.called || u.taken && callable(symbol.Kind) {
			found.sites = append(found.sites, site{at: at, use: u, via: u.passed})
		}
	}
	if len(related) == 0 {
		return found, nil
	}
	contracts := make(map[spot]string)
	for _, at := range related {
		if name := known.abstract(q.files, at); name != "" && !found.abstract {
			contracts[spotOf(at)] = q.beside(symbol, at, name) + "." + symbol.Name
		}
	}
	found.contracts = slices.Sorted(maps.Values(contracts))
	found.sites, err = q.dispatched(ctx, symbol, found.sites, contracts)
	return found, err
}

func callable(kind lsp.Kind) bool { return kind == lsp.KindFunction || kind == lsp.KindMethod }

// referencesAndRelated returns the references to a symbol, sorted, each once, and for a method those that implement
// it or that it implements.
func (q *inquiry) referencesAndRelated(ctx context.Context, symbol lsp.Symbol) (references, related []lsp.Location, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		references, err = q.view.References(ctx, symbol.Location, false)
		return err
	})
	group.Go(func() (err error) {
		if symbol.Kind == lsp.KindMethod {
			related, err = q.view.Implementations(ctx, symbol.Location)
		}
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, nil, fmt.Errorf("finding references of %s: %w", displayName(symbol), err)
	}
	return distinct(references), distinct(related), nil
}

func distinct(all []lsp.Location) []lsp.Location {
	slices.SortFunc(all, func(a, b lsp.Location) int { return compareSpots(spotOf(a), spotOf(b)) })
	return slices.CompactFunc(all, func(a, b lsp.Location) bool { return spotOf(a) == spotOf(b) })
}

// dispatched keeps the sites that can run the symbol: those that name it, or one of the contracts that it fulfils.
func (q *inquiry) dispatched(ctx context.Context, symbol lsp.Symbol, sites []site, contracts map[spot]string) ([]site, error) {
	named := make([]spot, len(sites))
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(concurrent)
	for i, s := range sites {
		group.Go(func() error {
			definitions, err := q.view.Definition(asking, s.at)
			if len(definitions) > 0 {
				named[i] = spotOf(definitions[0])
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("finding out which method a call names: %w", err)
	}
	var kept []site
	for i, s := range sites {
		contract, dynamic := contracts[named[i]]
		switch {
		case named[i] == spotOf(symbol.Location):
			kept = append(kept, s)
		case dynamic:
			s.use.kind, s.via = "interface "+s.use.kind, contract
			kept = append(kept, s)
		}
	}
	return kept, nil
}

// beside qualifies the name of a type declared at a place as the symbol's package would write it.
func (q *inquiry) beside(symbol lsp.Symbol, at lsp.Location, name string) string {
	if packageName(at.Path) == packageName(symbol.Location.Path) {
		return name
	}
	return packageName(at.Path) + "." + name
}
