package teach

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"tidepool/lsp"
	"tidepool/teach"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// maxNames bounds the distinct names in one declaration that are resolved.
const maxNames = 120

// maxTeachRequests bounds the requests of one call to language servers. Beyond it symbols lead no further.
const maxTeachRequests = 4000

// A codeSource answers a teach.Source about the code of a project, through its language servers. It belongs to one call.
type codeSource struct {
	*query.Query
	report      func(done int)
	maxRequests int // requests, after which nothing more is followed

	symbols  map[string]lsp.Symbol   // all that Links and symbol returned, by ID
	linked   map[string][]teach.Link // what Links returned, by ID
	origin   lsp.Symbol              // the first seed: names are written as its file would write them
	external map[string]bool         // paths with names in them: see resolution
	done     int                     // symbols whose links were asked for

	mu       sync.Mutex
	declared map[string][]lsp.Symbol // what files declare, by path; guarded by mu
}

// symbol returns a declaration as teach knows it, and remembers it under its ID.
func (c *codeSource) symbol(s lsp.Symbol) teach.Symbol {
	if c.symbols == nil {
		c.symbols, c.external, c.origin = make(map[string]lsp.Symbol), make(map[string]bool), s
	}
	start := s.Location.Range.Start
	id := fmt.Sprintf("%s:%d:%d", s.Location.Path, start.Line, start.Column)
	c.symbols[id] = s
	name := query.Dotted(s)
	if known := c.Languages(s.Language); known.Beside != nil {
		name = known.Beside(c.origin, s.Location, name)
	}
	return teach.Symbol{ID: id, Name: c.Shown(s, name), Kind: string(s.Kind), Line: c.lineAt(s.Location)}
}

func (c *codeSource) lineAt(at lsp.Location) string {
	f, err := c.Source(at.Path)
	if err != nil {
		return ""
	}
	return excerpt.Line(f.Line(at.Range.Start.Line))
}

// Links resolves the names in a declaration, and adds the type that it belongs to, its implementations and its methods.
func (c *codeSource) Links(ctx context.Context, s teach.Symbol) ([]teach.Link, error) {
	if links, ok := c.linked[s.ID]; ok {
		return links, nil
	}
	c.done++
	if c.report != nil {
		c.report(c.done)
	}
	if c.View.Requests() > c.maxRequests {
		c.Doubt(fmt.Sprintf("after %d requests nothing more was followed", c.maxRequests))
		return nil, nil
	}
	symbol := c.symbols[s.ID]
	d, ok, err := c.extent(ctx, symbol.Location)
	if err != nil {
		return nil, err
	}
	if !ok {
		c.Doubt("what " + s.Name + " uses is not known: its language server does not list it")
		return nil, nil
	}
	found := linkSet{source: c, self: s.ID}
	if err := c.follow(ctx, symbol, d, &found); err != nil {
		return nil, err
	}
	if owner, ok, err := c.owner(ctx, symbol); err != nil {
		return nil, err
	} else if ok {
		found.add(owner, teach.Signature, 1) // which Python and TypeScript do not write there
	}
	if err := c.relate(ctx, symbol, &found); err != nil {
		return nil, err
	}
	if c.linked == nil {
		c.linked = make(map[string][]teach.Link)
	}
	c.linked[s.ID] = found.sorted()
	return c.linked[s.ID], nil
}

// declaredInFile lists what a file declares, each file once in a call: several goroutines ask.
func (c *codeSource) declaredInFile(ctx context.Context, path string) ([]lsp.Symbol, error) {
	c.mu.Lock()
	known, ok := c.declared[path]
	c.mu.Unlock()
	if ok {
		return known, nil
	}
	all, err := c.Declarations(ctx, path)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.declared == nil {
		c.declared = make(map[string][]lsp.Symbol)
	}
	c.declared[path] = all
	return all, nil
}

// symbolAt returns what is declared at a place; false if nothing is.
func (c *codeSource) symbolAt(ctx context.Context, at lsp.Location) (lsp.Symbol, bool, error) {
	all, err := c.declaredInFile(ctx, at.Path)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	s, ok := query.DeclaredAt(all, at.Range.Start)
	return s, ok, nil
}

// extent returns the declaration whose name stands at a place.
func (c *codeSource) extent(ctx context.Context, at lsp.Location) (lsp.DocumentSymbol, bool, error) {
	all, err := c.Outline(ctx, at.Path)
	if err != nil {
		return lsp.DocumentSymbol{}, false, err
	}
	d, ok := namedAt(all, at.Range.Start)
	return d, ok, nil
}

func namedAt(all []lsp.DocumentSymbol, p lsp.Position) (lsp.DocumentSymbol, bool) {
	for _, d := range all {
		if d.NameRange.Start == p {
			return d, true
		}
		if inner, ok := namedAt(d.Children, p); ok {
			return inner, true
		}
	}
	return lsp.DocumentSymbol{}, false
}

// follow adds what the names in a declaration resolve to.
func (c *codeSource) follow(ctx context.Context, symbol lsp.Symbol, d lsp.DocumentSymbol, found *linkSet) error {
	text, err := c.open(symbol.Location.Path)
	if err != nil {
		return err
	}
	all := slices.DeleteFunc(referencesIn(text, d), func(m reference) bool { return c.external[text.Path+"\x00"+m.key] })
	if more := len(all) - maxNames; more > 0 {
		c.Doubt(fmt.Sprintf("of the names in %s %d were not followed", query.Dotted(symbol), more))
		all = all[:maxNames]
	}
	resolved, err := c.resolveAll(ctx, symbol, d, all)
	if err != nil {
		return err
	}
	for i, m := range all {
		if resolved[i].external {
			c.external[text.Path+"\x00"+m.key] = true
		}
		relation := teach.Body
		if m.signature {
			relation = teach.Signature
		}
		for _, s := range resolved[i].needed {
			found.add(s, relation, m.times)
		}
	}
	for n := range maxImplementations { // one for each method first
		for i, m := range all {
			if n < len(resolved[i].runs) {
				found.add(resolved[i].runs[n], teach.Dispatch, m.times)
			}
		}
	}
	return nil
}

// resolveAll resolves all names at the same time. If the server fails on some of them, that is a doubt; on all, an error.
func (c *codeSource) resolveAll(ctx context.Context, symbol lsp.Symbol, d lsp.DocumentSymbol, all []reference) ([]resolution, error) {
	resolved, failed := make([]resolution, len(all)), make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(query.Concurrent)
	for i, m := range all {
		group.Go(func() error {
			resolved[i], failed[i] = c.resolve(ctx, m.at, lsp.Location{Path: symbol.Location.Path, Range: d.Range})
			return nil
		})
	}
	group.Wait() // its functions return nil
	failed = slices.DeleteFunc(failed, func(err error) bool { return err == nil })
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case len(failed) > 0 && len(failed) == len(all):
		return nil, fmt.Errorf("following the names in %s: %w", query.Dotted(symbol), failed[0])
	case len(failed) > 0:
		c.Doubt(fmt.Sprintf("names in %s were not followed (%d of %d): %v", query.Dotted(symbol), len(failed), len(all), failed[0]))
	}
	return resolved, nil
}

// A linkSet collects the links of one symbol, each symbol once.
type linkSet struct {
	source *codeSource
	self   string // ID of the symbol, which does not link to itself
	links  []teach.Link
}

// add adds a link, or counts it to one that is there.
func (set *linkSet) add(s lsp.Symbol, relation teach.Relation, times int) {
	to := set.source.symbol(s)
	if to.ID == set.self {
		return
	}
	i := slices.IndexFunc(set.links, func(l teach.Link) bool { return l.To.ID == to.ID })
	if i < 0 {
		set.links = append(set.links, teach.Link{To: to, Relation: relation, Times: times})
		return
	}
	known := &set.links[i]
	known.Times += times
	if precedence(relation) < precedence(known.Relation) {
		known.Relation = relation
	}
}

// precedence returns the rank of a relation: of two between the same symbols, the link has the one of the lower rank.
func precedence(r teach.Relation) int {
	return slices.Index([]teach.Relation{teach.Signature, teach.Body, teach.Contract, teach.Implementation, teach.Dispatch, teach.Method}, r)
}

// sorted returns the links by the precedence of their relations, and of one relation those first that are used most.
func (set *linkSet) sorted() []teach.Link {
	slices.SortStableFunc(set.links, func(a, b teach.Link) int {
		return cmp.Or(cmp.Compare(precedence(a.Relation), precedence(b.Relation)), cmp.Compare(b.Times, a.Times))
	})
	return set.links
}
