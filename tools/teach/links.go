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

// maxNames bounds the distinct names in one declaration that are followed.
const maxNames = 120

// maxTeachRequests bounds the requests of one call to language servers. Beyond it symbols lead no further.
const maxTeachRequests = 4000

// lessons are the code of a project as it is taught: a teach.Source. They belong to one call.
type lessons struct {
	*query.Query
	report func(done int)
	most   int // requests, after which nothing more is followed

	symbols map[string]lsp.Symbol // what was handed out, by ID
	origin  lsp.Symbol            // the first one: names are written as its file would
	foreign map[string]bool       // files and names in them that mean nothing of the project
	done    int                   // symbols whose links were asked for

	mu       sync.Mutex
	declared map[string][]lsp.Symbol // what files declare, by path; guarded by mu
}

// symbol hands a symbol out.
func (l *lessons) symbol(s lsp.Symbol) teach.Symbol {
	if l.symbols == nil {
		l.symbols, l.foreign, l.origin = make(map[string]lsp.Symbol), make(map[string]bool), s
	}
	start := s.Location.Range.Start
	id := fmt.Sprintf("%s:%d:%d", s.Location.Path, start.Line, start.Column)
	l.symbols[id] = s
	name := query.Dotted(s)
	if known := l.Languages(s.Language); known.Beside != nil {
		name = known.Beside(l.origin, s.Location, name)
	}
	return teach.Symbol{ID: id, Name: l.Shown(s, name), Kind: string(s.Kind), Line: l.lineAt(s.Location)}
}

func (l *lessons) lineAt(at lsp.Location) string {
	f, err := l.Source(at.Path)
	if err != nil {
		return ""
	}
	return excerpt.Line(f.Line(at.Range.Start.Line))
}

// Links follows the names in a declaration, and asks what is bound to it.
func (l *lessons) Links(ctx context.Context, s teach.Symbol) ([]teach.Link, error) {
	l.done++
	if l.report != nil {
		l.report(l.done)
	}
	if l.View.Requests() > l.most {
		l.Doubt(fmt.Sprintf("after %d requests nothing more was followed", l.most))
		return nil, nil
	}
	symbol := l.symbols[s.ID]
	d, ok, err := l.extent(ctx, symbol.Location)
	if err != nil {
		return nil, err
	}
	if !ok {
		l.Doubt("what " + s.Name + " uses is not known: its language server does not list it")
		return nil, nil
	}
	found := gathering{lessons: l, self: s.ID}
	if err := l.follow(ctx, symbol, d, &found); err != nil {
		return nil, err
	}
	if owner, ok, err := l.owner(ctx, symbol); err != nil {
		return nil, err
	} else if ok {
		found.add(owner, teach.Signature, 1) // which Python and TypeScript do not write there
	}
	if err := l.bind(ctx, symbol, &found); err != nil {
		return nil, err
	}
	return found.sorted(), nil
}

// declaredInFile lists what a file declares, each file once in a call: several goroutines ask.
func (l *lessons) declaredInFile(ctx context.Context, path string) ([]lsp.Symbol, error) {
	l.mu.Lock()
	known, ok := l.declared[path]
	l.mu.Unlock()
	if ok {
		return known, nil
	}
	all, err := l.Declarations(ctx, path)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.declared == nil {
		l.declared = make(map[string][]lsp.Symbol)
	}
	l.declared[path] = all
	return all, nil
}

// symbolAt returns what is declared at a place; false if nothing is.
func (l *lessons) symbolAt(ctx context.Context, at lsp.Location) (lsp.Symbol, bool, error) {
	all, err := l.declaredInFile(ctx, at.Path)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	s, ok := query.DeclaredAt(all, at.Range.Start)
	return s, ok, nil
}

// extent returns the declaration whose name stands at a place.
func (l *lessons) extent(ctx context.Context, at lsp.Location) (lsp.DocumentSymbol, bool, error) {
	all, err := l.Outline(ctx, at.Path)
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

// follow asks what the names in a declaration mean.
func (l *lessons) follow(ctx context.Context, symbol lsp.Symbol, d lsp.DocumentSymbol, found *gathering) error {
	text, err := l.open(symbol.Location.Path)
	if err != nil {
		return err
	}
	all := slices.DeleteFunc(mentionsIn(text, d), func(m mention) bool { return l.foreign[text.Path+"\x00"+m.key] })
	if more := len(all) - maxNames; more > 0 {
		l.Doubt(fmt.Sprintf("of the names in %s %d were not followed", query.Dotted(symbol), more))
		all = all[:maxNames]
	}
	meant, err := l.meanings(ctx, symbol, d, all)
	if err != nil {
		return err
	}
	for i, m := range all {
		if meant[i].foreign {
			l.foreign[text.Path+"\x00"+m.key] = true
		}
		relation := teach.Body
		if m.signature {
			relation = teach.Signature
		}
		for _, s := range meant[i].needed {
			found.add(s, relation, m.times)
		}
	}
	for n := range maxBound { // one for each method first
		for i, m := range all {
			if n < len(meant[i].runs) {
				found.add(meant[i].runs[n], teach.Dispatch, m.times)
			}
		}
	}
	return nil
}

// meanings asks about all names at the same time. Those that the server fails on are a doubt, if it answers at all.
func (l *lessons) meanings(ctx context.Context, symbol lsp.Symbol, d lsp.DocumentSymbol, all []mention) ([]meaning, error) {
	meant, failed := make([]meaning, len(all)), make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(query.Concurrent)
	for i, m := range all {
		group.Go(func() error {
			meant[i], failed[i] = l.meaning(ctx, m.at, lsp.Location{Path: symbol.Location.Path, Range: d.Range})
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
		l.Doubt(fmt.Sprintf("names in %s were not followed (%d of %d): %v", query.Dotted(symbol), len(failed), len(all), failed[0]))
	}
	return meant, nil
}

// A gathering is the links of one symbol while they are found.
type gathering struct {
	lessons *lessons
	self    string
	links   []teach.Link
}

func (g *gathering) add(s lsp.Symbol, relation teach.Relation, times int) {
	to := g.lessons.symbol(s)
	if to.ID == g.self {
		return
	}
	i := slices.IndexFunc(g.links, func(l teach.Link) bool { return l.To.ID == to.ID })
	if i < 0 {
		g.links = append(g.links, teach.Link{To: to, Relation: relation, Times: times})
		return
	}
	known := &g.links[i]
	known.Times += times
	if standing(relation) < standing(known.Relation) {
		known.Relation = relation
	}
}

// standing orders relations: of two, the first says more.
func standing(r teach.Relation) int {
	return slices.Index([]teach.Relation{teach.Signature, teach.Body, teach.Contract, teach.Implementation, teach.Dispatch, teach.Method}, r)
}

// sorted has what stands in the signature first, then what is used most.
func (g *gathering) sorted() []teach.Link {
	slices.SortStableFunc(g.links, func(a, b teach.Link) int {
		return cmp.Or(cmp.Compare(standing(a.Relation), standing(b.Relation)), cmp.Compare(b.Times, a.Times))
	})
	return g.links
}
