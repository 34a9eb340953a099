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
	sites      []site         // by file, line and column
	references int            // in all, the declaration not counted
	abstract   bool           // the symbol is a method without a body
	related    int            // abstract: its implementations
	contracts  []string       // the interfaces' methods that it implements
	unresolved []lsp.Location // mentions that may be calls, of which the server does not know
}

// callSites finds what calls a symbol. A server's references to a method include those to the methods of interfaces
// and classes above it, or to the methods that implement it; which of them a place can run, the language tells.
func (q *inquiry) callSites(ctx context.Context, symbol lsp.Symbol) (callSites, error) {
	known, err := q.languageOf(symbol)
	if err != nil {
		return callSites{}, err
	}
	method := symbol.Kind == lsp.KindMethod
	references, related, err := q.referencesAndRelated(ctx, symbol, method && known.abstract != nil)
	if err != nil {
		return callSites{}, err
	}
	found := callSites{references: len(references), related: len(related)}
	if found.sites, err = q.classified(ctx, symbol, known, references); err != nil {
		return callSites{}, err
	}
	if method && known.abstract != nil {
		if found.abstract = known.abstract(ctx, q, symbol.Location) != ""; !found.abstract {
			found.contracts = q.contracts(ctx, symbol, known, related)
		}
	}
	if method && known.runs != nil {
		if found.sites, err = q.dispatched(ctx, symbol, known, found.sites); err != nil {
			return callSites{}, err
		}
	}
	if known.kin != nil {
		more, err := known.kin(ctx, q, symbol, references, &found)
		if err != nil {
			return callSites{}, err
		}
		references = append(references, more...)
	}
	if known.unresolved != nil {
		found.unresolved, err = known.unresolved(ctx, q, symbol, references)
	}
	return found, err
}

// classified keeps the references that call a symbol, or take it as a value if it is a function.
func (q *inquiry) classified(ctx context.Context, symbol lsp.Symbol, known language, references []lsp.Location) ([]site, error) {
	if known.declares != nil {
		asked := slices.DeleteFunc(slices.Clone(references), func(at lsp.Location) bool { return !q.within(at.Path) || !known.declares(q, at) })
		if err := q.outlineAll(ctx, asked); err != nil {
			return nil, err
		}
	}
	sites := make([]site, 0, len(references))
	for _, at := range references {
		u, err := known.use(ctx, q, at)
		if err != nil {
			return nil, fmt.Errorf("classifying a reference: %w", err)
		}
		if u.called || u.taken && callable(symbol.Kind) {
			sites = append(sites, site{at: at, use: u, via: u.passed})
		}
	}
	return sites, nil
}

// contracts names the interfaces' methods among those related to a method with a body.
func (q *inquiry) contracts(ctx context.Context, symbol lsp.Symbol, known language, related []lsp.Location) []string {
	var names []string
	for _, at := range related {
		if name := known.abstract(ctx, q, at); name != "" {
			if known.beside != nil {
				name = known.beside(symbol, at, name)
			}
			names = append(names, name+known.dot()+symbol.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// callable says that a symbol of a kind is a function, so that taking its value may mean a call elsewhere.
func callable(kind lsp.Kind) bool {
	switch kind {
	case lsp.KindFunction, lsp.KindMethod, lsp.KindConstructor, lsp.KindOperator:
		return true
	}
	return false
}

// referencesAndRelated returns the references to a symbol, sorted, each once, and, if asked for, the methods that
// implement it or that it implements.
func (q *inquiry) referencesAndRelated(ctx context.Context, symbol lsp.Symbol, implementing bool) (references, related []lsp.Location, err error) {
	group, ctx := errgroup.WithContext(ctx)
	if implementing {
		group.Go(func() (err error) {
			related, err = q.view.Implementations(ctx, symbol.Location)
			return err
		})
	}
	references, err = q.view.References(ctx, symbol.Location, false)
	if err := errors.Join(err, group.Wait()); err != nil {
		return nil, nil, fmt.Errorf("finding references of %s: %w", q.displayName(symbol), err)
	}
	return distinct(references), distinct(related), nil
}

func distinct(all []lsp.Location) []lsp.Location {
	slices.SortFunc(all, func(a, b lsp.Location) int { return compareSpots(spotOf(a), spotOf(b)) })
	return slices.CompactFunc(all, func(a, b lsp.Location) bool { return spotOf(a) == spotOf(b) })
}

// dispatched keeps the sites that can run a method, and notes through which contract.
func (q *inquiry) dispatched(ctx context.Context, method lsp.Symbol, known language, sites []site) ([]site, error) {
	runs := make([]bool, len(sites))
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(concurrent)
	for i := range sites {
		group.Go(func() error {
			contract, ok, err := known.runs(asking, q, method, sites[i].at)
			runs[i] = ok
			if contract != "" {
				sites[i].use.kind, sites[i].via = "interface "+sites[i].use.kind, contract
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("finding out which method a call names: %w", err)
	}
	var kept []site
	for i, s := range sites {
		if runs[i] {
			kept = append(kept, s)
		}
	}
	return kept, nil
}
