package tools

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// maxOutlines bounds the files whose declarations are kept; with more, all are dropped.
const maxOutlines = 1000

// outlines keep what files declare, for as long as the files stay. The zero value is empty and ready.
type outlines struct {
	mu   sync.Mutex
	kept map[string]outline
}

type outline struct {
	of      *lexer.File // the text it is of: another one means that the file has changed
	symbols []lsp.DocumentSymbol
}

func (o *outlines) recall(path string, of *lexer.File) ([]lsp.DocumentSymbol, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	kept, ok := o.kept[path]
	return kept.symbols, ok && kept.of == of
}

func (o *outlines) keep(path string, made outline) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == nil || len(o.kept) >= maxOutlines {
		o.kept = make(map[string]outline)
	}
	o.kept[path] = made
}

// outline returns the declarations of a file, in its order; none if they were late.
func (q *inquiry) outline(ctx context.Context, path string) ([]lsp.DocumentSymbol, error) {
	if slices.Contains(q.late, path) {
		return nil, nil
	}
	text, err := q.lexed.Open(path)
	if err != nil {
		return nil, err
	}
	if symbols, ok := q.outlines.recall(path, text); ok {
		return symbols, q.view.Await(ctx, path)
	}
	symbols, err := q.view.DocumentSymbols(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("listing the declarations of %s: %w", q.relative(path), err)
	}
	if len(symbols) > 0 { // or else the server may not have read the file yet
		q.outlines.keep(path, outline{of: text, symbols: symbols})
	}
	return symbols, nil
}

// outlineWait bounds the wait for the declarations of several files if no more is left of the call's own: clangd
// compiles each that is not open, which takes seconds with large ones of C++, and longer while it indexes.
const outlineWait = 4 * time.Second

var errListing = errors.New("the time for listing declarations is over")

// outlineAll asks for the declarations of the files of places at the same time, for who needs them one by one. Those
// that take too long leave a doubt; the server goes on with them, so that the next call has them.
func (q *inquiry) outlineAll(ctx context.Context, places []lsp.Location) error {
	if len(places) == 0 {
		return nil
	}
	paths := make(map[string]bool)
	for _, at := range places {
		paths[at.Path] = true
	}
	ctx, cancel := context.WithTimeoutCause(ctx, max(outlineWait, time.Until(q.view.Deadline())), errListing)
	defer cancel()
	late := make(chan string, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(concurrent)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		group.Go(func() error {
			_, err := q.outline(ctx, path)
			if errors.Is(err, errListing) {
				late <- path
				return nil
			}
			return err
		})
	}
	err := group.Wait()
	close(late)
	for path := range late {
		q.late = append(q.late, path)
	}
	if len(q.late) > 0 {
		q.doubt(fmt.Sprintf("declarations were not listed in time (files: %d): ask again", len(q.late)))
	}
	return err
}

// enclose fills in which declarations sites stand in.
func (q *inquiry) enclose(ctx context.Context, sites []site) error {
	var places []lsp.Location
	for i, s := range sites {
		if s.use.enclosing != "" || !q.languages(lsp.LanguageOf(s.at.Path)).outlined {
			continue
		}
		if sites[i].use.enclosing = q.inside(s.at); sites[i].use.enclosing == "" {
			places = append(places, s.at)
		}
	}
	if err := q.outlineAll(ctx, places); err != nil || len(places) == 0 {
		return err
	}
	for i, s := range sites {
		if s.use.enclosing != "" {
			continue
		}
		outer, err := q.enclosing(ctx, s.at)
		if err != nil {
			return err
		}
		sites[i].use.enclosing = outer.name
	}
	return nil
}

// A declaration is where a name is declared; the zero one is none.
type declaration struct {
	name string // "F", "T.M"
	kind string
	at   lsp.Location // of the identifier
}

// enclosing returns the declaration around a place, or at it: a function of the file or of a type, or else the type,
// with the types around it before its name: "Outer.method". The zero declaration at the level of the file.
func (q *inquiry) enclosing(ctx context.Context, at lsp.Location) (declaration, error) {
	symbols, err := q.outline(ctx, at.Path)
	if err != nil {
		return declaration{}, err
	}
	known := q.languages(lsp.LanguageOf(at.Path))
	outer := around(symbols, at, known.naming, declaration{})
	outer.name = strings.ReplaceAll(outer.name, ".", known.dot())
	return outer, nil
}

// around descends to the innermost declaration that counts.
func around(symbols []lsp.DocumentSymbol, at lsp.Location, n naming, outer declaration) declaration {
	for _, s := range symbols {
		if !covers(s.Range, at.Range.Start) {
			continue
		}
		name, container := n.of(s)
		found := outer
		if name != "" {
			found = declaration{name: name, kind: string(s.Kind), at: lsp.Location{Path: at.Path, Range: s.NameRange}}
			if outer.name != "" {
				found.name = outer.name + "." + name
			}
		}
		if !container {
			return found
		}
		return around(s.Children, at, n, found)
	}
	return outer
}

// of is n.named, or ownName.
func (n naming) of(s lsp.DocumentSymbol) (name string, container bool) {
	if n.named != nil {
		return n.named(s)
	}
	return ownName(s)
}

// ownName is the name of a declaration, and whether those within it are known by their own: types and modules hold
// such; modules leave no trace in names.
func ownName(s lsp.DocumentSymbol) (name string, container bool) {
	switch s.Kind {
	case lsp.KindFile, lsp.KindModule, lsp.KindNamespace, lsp.KindPackage:
		return "", true
	case lsp.KindClass, lsp.KindInterface, lsp.KindStruct, lsp.KindEnum, lsp.KindType:
		return plainName(s.Name), true
	}
	return plainName(s.Name), false
}

// covers reports whether a range holds a position; its end counts, where a cursor behind a name stands.
func covers(r lsp.Range, p lsp.Position) bool {
	return !before(p, r.Start) && !before(r.End, p)
}

func before(a, b lsp.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
}
