package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"tidepool/lsp"
)

// Concurrent bounds the requests that one call has at a server at the same time.
const Concurrent = 8

// A Site is a reference that calls a symbol, or takes it as a value.
type Site struct {
	At  lsp.Location
	Use Use
	Via string
}

// CallSites are the places that call a symbol, and what is known of its relatives.
type CallSites struct {
	Sites      []Site         // by file, line and column
	References int            // in all, the declaration not counted
	Abstract   bool           // the symbol is a method without a body
	Related    int            // abstract: its implementations
	Contracts  []string       // the interfaces' methods that it implements
	Unresolved []lsp.Location // mentions that may be calls, of which the server does not know
	Unknown    bool           // the server has not listed the references in time
	Unread     bool           // the server does know that Unresolved mean the symbol, but not how they use it
	Relatives  []lsp.Location // of a method: those that implement it or that it implements, as the server lists them
}

// CallSites finds what calls a symbol. A server's references to a method include those to the methods of interfaces
// and classes above it, or to the methods that implement it; which of them a place can run, the language tells.
func (q *Query) CallSites(ctx context.Context, symbol lsp.Symbol) (CallSites, error) {
	known, err := q.languageOf(symbol)
	if err != nil {
		return CallSites{}, err
	}
	method := symbol.Kind == lsp.KindMethod
	at, asked, err := q.Asked(ctx, symbol)
	if err != nil {
		return CallSites{}, err
	}
	if !asked {
		return CallSites{Unknown: true}, nil
	}
	unrelated := method && known.Unrelated != nil && known.Unrelated(symbol)
	read := q.ahead(ctx, symbol, known)
	references, related, err := q.referencesAndRelated(ctx, symbol, at, method && known.Abstract != nil && !unrelated)
	read()
	related.known = related.known || unrelated
	unknown := q.Late("references of "+q.DisplayName(symbol), err)
	if err != nil && !unknown {
		return CallSites{}, err
	}
	found := CallSites{References: len(references), Related: len(related.places), Unknown: unknown, Relatives: related.places}
	if found.Sites, err = q.classified(ctx, symbol, known, references); err != nil {
		return CallSites{}, err
	}
	if method && known.Abstract != nil {
		if found.Abstract = known.Abstract(ctx, q, symbol.Location) != ""; !found.Abstract {
			found.Contracts = q.contracts(ctx, symbol, known, related.places)
		}
	}
	var unsure []lsp.Location
	alone, err := q.alone(ctx, symbol, known, related)
	if err != nil && !q.Late("interfaces that declare "+symbol.Name, err) {
		return CallSites{}, err
	}
	if method && known.Runs != nil && !alone {
		if found.Sites, unsure, err = q.Dispatched(ctx, symbol, known.Runs, found.Sites); err != nil {
			return CallSites{}, err
		}
	}
	if known.Related != nil {
		asking, cancel := q.inTime(ctx)
		more, err := known.Related(asking, q, symbol, references, &found)
		cancel()
		if err != nil && !q.Late("methods related to "+q.DisplayName(symbol), err) {
			return CallSites{}, err
		}
		references = append(references, more...)
	}
	if known.Unresolved != nil {
		found.Unresolved, err = known.Unresolved(ctx, q, symbol, references)
		if q.Late("other mentions of "+symbol.Name, err) {
			err = nil
		}
	}
	found.Unresolved = append(found.Unresolved, unsure...)
	return found, err
}

// ahead begins to read what is needed of a method's text beside its references. read must be called: it waits for that.
func (q *Query) ahead(ctx context.Context, symbol lsp.Symbol, known Language) (read func()) {
	if known.Ahead == nil || symbol.Kind != lsp.KindMethod {
		return func() {}
	}
	asking, cancel := q.inTime(ctx)
	var reading sync.WaitGroup
	reading.Go(func() { known.Ahead(asking, q, symbol) })
	return func() {
		reading.Wait()
		cancel()
	}
}

// Asked returns where the server is asked for the references of a symbol; false if that is not known, which is a doubt about the
// answer.
func (q *Query) Asked(ctx context.Context, symbol lsp.Symbol) (at lsp.Location, known bool, err error) {
	language := q.Languages(symbol.Language)
	if language.Asked == nil {
		return symbol.Location, true, nil
	}
	at, known, err = language.Asked(ctx, q, symbol)
	if q.Late("references of "+q.DisplayName(symbol), err) {
		return at, false, nil
	}
	if err != nil {
		return at, false, fmt.Errorf("looking for a place that names %s: %w", q.DisplayName(symbol), err)
	}
	return at, known, nil
}

// classified keeps the references that call a symbol, or take it as a value if it is a function.
func (q *Query) classified(ctx context.Context, symbol lsp.Symbol, known Language, references []lsp.Location) ([]Site, error) {
	if known.Declares != nil {
		asked := slices.DeleteFunc(slices.Clone(references), func(at lsp.Location) bool { return !q.Within(at.Path) || !known.Declares(q, at) })
		if err := q.OutlineAll(ctx, asked); err != nil {
			return nil, err
		}
	}
	used := known.Use
	if known.Called != nil && Callable(symbol.Kind) {
		called := known.Called(q, symbol)
		used = func(ctx context.Context, q *Query, at lsp.Location) (Use, error) {
			u, err := known.Use(ctx, q, at)
			if err != nil {
				return u, err
			}
			return called(ctx, at, u)
		}
	}
	sites := make([]Site, 0, len(references))
	for _, at := range references {
		u, err := used(ctx, q, at)
		if q.Late("uses of "+q.DisplayName(symbol), err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("classifying a reference: %w", err)
		}
		if u.Called || u.Taken && Callable(symbol.Kind) {
			sites = append(sites, Site{At: at, Use: u, Via: u.Passed})
		}
	}
	return sites, nil
}

// relatives are the methods that implement a method or that it implements.
type relatives struct {
	places []lsp.Location
	known  bool // the server has listed them
}

// alone reports whether all references to a method name that method.
func (q *Query) alone(ctx context.Context, method lsp.Symbol, known Language, related relatives) (bool, error) {
	if known.Alone == nil || !related.known || len(related.places) > 0 {
		return false, nil
	}
	asking, cancel := q.inTime(ctx)
	defer cancel()
	return known.Alone(asking, q, method)
}

// contracts names the interfaces' methods among those related to a method with a body.
func (q *Query) contracts(ctx context.Context, symbol lsp.Symbol, known Language, related []lsp.Location) []string {
	var names []string
	for _, at := range related {
		if name := known.Abstract(ctx, q, at); name != "" {
			if known.Beside != nil {
				name = known.Beside(symbol, at, name)
			}
			names = append(names, name+known.dot()+symbol.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Callable says that a symbol of a kind is a function, so that taking its value may mean a call elsewhere.
func Callable(kind lsp.Kind) bool {
	switch kind {
	case lsp.KindFunction, lsp.KindMethod, lsp.KindConstructor, lsp.KindOperator:
		return true
	}
	return false
}

// referencesAndRelated returns the references to a symbol, for which the server is asked at a place, sorted, each once, and, if asked for, the methods that
// implement it or that it implements. Those that were not known in time the answer lacks.
func (q *Query) referencesAndRelated(ctx context.Context, symbol lsp.Symbol, at lsp.Location, implementing bool) (references []lsp.Location, related relatives, err error) {
	var late error // of the methods
	group, ctx := errgroup.WithContext(ctx)
	if implementing {
		group.Go(func() (err error) {
			related.places, err = q.View.Implementations(ctx, symbol.Location)
			if lsp.Unanswered(err) {
				late, err = err, nil
			}
			return err
		})
	}
	references, err = q.View.References(ctx, at, false)
	if err := errors.Join(err, group.Wait()); err != nil {
		return nil, relatives{}, fmt.Errorf("finding references of %s: %w", q.DisplayName(symbol), err)
	}
	related.known = implementing && !q.Late("implementations of "+q.DisplayName(symbol), late)
	related.places = Distinct(related.places)
	return Distinct(references), related, nil
}

// Distinct sorts places by file, line and column, and keeps each once. It changes all.
func Distinct(all []lsp.Location) []lsp.Location {
	slices.SortFunc(all, func(a, b lsp.Location) int { return CompareSpots(SpotOf(a), SpotOf(b)) })
	return slices.CompactFunc(all, func(a, b lsp.Location) bool { return SpotOf(a) == SpotOf(b) })
}

// For how long a call asks for more than the references: which method each of its sites names, and what is related to it.
const (
	furtherTime = 5 * time.Second        // since the call began, if its budget for waiting is no longer
	leastTime   = 200 * time.Millisecond // for one such question when that is over; twice as long for all of them, from the first on
)

// allowed returns for how long a call may ask for more than the references.
func (q *Query) allowed() time.Duration {
	end := q.began.Add(furtherTime)
	if deadline := q.View.Deadline(); deadline.After(end) {
		end = deadline
	}
	left := time.Until(end)
	if left >= leastTime {
		return left
	}
	return max(left, min(leastTime, time.Until(q.further.end())), 0)
}

// further is when a call has asked enough whose time was over before it began to ask for more than the references: a server that took
// long for those, as pyright does for the first, may know the rest at once. The zero value is ready, and shared by copies of a query.
type further struct {
	once sync.Once
	last time.Time
}

// end returns that time, which the first call fixes.
func (f *further) end() time.Time {
	f.once.Do(func() { f.last = time.Now().Add(2 * leastTime) })
	return f.last
}

// inTime returns a context that ends with the time allowed.
func (q *Query) inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	allowed := q.allowed()
	return context.WithTimeoutCause(ctx, allowed, &lsp.SlowError{After: allowed})
}

// A Runs says whether a call at a place can run a method, and through which contract if it does so for some values only, as
// [Language.Runs] does.
type Runs func(ctx context.Context, q *Query, method lsp.Symbol, at lsp.Location) (contract string, ok bool, err error)

// Dispatched keeps the sites that can run a method, and notes through which contract. Of those in unsure that was not known
// in time: a server answers some hundred such requests a second, and a method may have tens of thousands of sites.
func (q *Query) Dispatched(ctx context.Context, method lsp.Symbol, runs Runs, sites []Site) (kept []Site, unsure []lsp.Location, err error) {
	return q.dispatched(ctx, method, runs, sites, q.allowed())
}

// dispatched is Dispatched in the time allowed. What run knows without the server it tells a little later, too: the sites about which
// the server was asked keep the others waiting.
func (q *Query) dispatched(ctx context.Context, method lsp.Symbol, run Runs, sites []Site, allowed time.Duration) (kept []Site, unsure []lsp.Location, err error) {
	runs, late := make([]bool, len(sites)), make([]error, len(sites))
	group, asking := errgroup.WithContext(ctx)
	asking, cancel := context.WithTimeoutCause(asking, allowed, &lsp.SlowError{After: allowed})
	defer cancel()
	group.SetLimit(cmp.Or(q.Languages(method.Language).Together, Concurrent))
	end := time.Now().Add(allowed + leastTime)
	for i := range sites {
		group.Go(func() error {
			if time.Now().After(end) {
				late[i] = context.Cause(asking)
				return nil
			}
			contract, ok, err := run(asking, q, method, sites[i].At)
			runs[i] = ok
			if contract != "" {
				sites[i].Use.Kind, sites[i].Via = "interface "+sites[i].Use.Kind, contract
			}
			if lsp.Unanswered(err) {
				late[i], err = err, nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, fmt.Errorf("finding out which method a call names: %w", err)
	}
	for i, s := range sites {
		switch {
		case q.Late("which calls run "+q.DisplayName(method), late[i]):
			unsure = append(unsure, s.At)
		case runs[i]:
			kept = append(kept, s)
		}
	}
	return kept, unsure, nil
}
