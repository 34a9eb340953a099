package query

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

// Outline returns the declarations of a file, in its order; none if they were late.
func (q *Query) Outline(ctx context.Context, path string) ([]lsp.DocumentSymbol, error) {
	if slices.Contains(q.late, path) {
		return nil, nil
	}
	text, err := q.Lexed.Open(path)
	if err != nil {
		return nil, err
	}
	if symbols, ok := q.outlines.recall(path, text); ok {
		return symbols, q.View.Await(ctx, path)
	}
	symbols, err := q.View.DocumentSymbols(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("listing the declarations of %s: %w", q.Relative(path), err)
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

// OutlineAll asks for the declarations of the files of places at the same time, for who needs them one by one. Those
// that take too long leave a doubt; the server goes on with them, so that the next call has them.
func (q *Query) OutlineAll(ctx context.Context, places []lsp.Location) error {
	if len(places) == 0 {
		return nil
	}
	paths := make(map[string]bool)
	for _, at := range places {
		paths[at.Path] = true
	}
	ctx, cancel := context.WithTimeoutCause(ctx, max(outlineWait, time.Until(q.View.Deadline())), errListing)
	defer cancel()
	late := make(chan string, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(Concurrent)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		group.Go(func() error {
			_, err := q.Outline(ctx, path)
			if errors.Is(err, errListing) || lsp.Unanswered(err) {
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
		q.Doubt(fmt.Sprintf("declarations were not listed in time (files: %d): ask again", len(q.late)))
	}
	return err
}

// Enclose fills in which declarations sites stand in.
func (q *Query) Enclose(ctx context.Context, sites []Site) error {
	var places []lsp.Location
	for i, s := range sites {
		if s.Use.Enclosing != "" || !q.Languages(lsp.LanguageOf(s.At.Path)).Outlined {
			continue
		}
		if sites[i].Use.Enclosing = q.Inside(s.At); sites[i].Use.Enclosing == "" {
			places = append(places, s.At)
		}
	}
	if err := q.OutlineAll(ctx, places); err != nil || len(places) == 0 {
		return err
	}
	for i, s := range sites {
		if s.Use.Enclosing != "" {
			continue
		}
		outer, err := q.Enclosing(ctx, s.At)
		if err != nil {
			return err
		}
		sites[i].Use.Enclosing = outer.Name
	}
	return nil
}

// A Declaration is where a name is declared; the zero one is none.
type Declaration struct {
	Name string       // "F", "T.M"
	Kind string       // as an lsp.Kind, or in the words of a parser
	At   lsp.Location // of the identifier
}

// Enclosing returns the declaration around a place, or at it: a function of the file or of a type, or else the type,
// with the types around it before its name: "Outer.method". The zero declaration at the level of the file.
func (q *Query) Enclosing(ctx context.Context, at lsp.Location) (Declaration, error) {
	symbols, err := q.Outline(ctx, at.Path)
	if err != nil {
		return Declaration{}, err
	}
	known := q.Languages(lsp.LanguageOf(at.Path))
	outer := around(symbols, at, known.Naming, Declaration{})
	outer.Name = strings.ReplaceAll(outer.Name, ".", known.dot())
	return outer, nil
}

// around descends to the innermost declaration that counts.
func around(symbols []lsp.DocumentSymbol, at lsp.Location, n Naming, outer Declaration) Declaration {
	for _, s := range symbols {
		if !Covers(s.Range, at.Range.Start) {
			continue
		}
		name, container := n.of(s)
		found := outer
		if name != "" {
			found = Declaration{Name: name, Kind: string(s.Kind), At: lsp.Location{Path: at.Path, Range: s.NameRange}}
			if outer.Name != "" {
				found.Name = outer.Name + "." + name
			}
		}
		if !container {
			return found
		}
		return around(s.Children, at, n, found)
	}
	return outer
}

// of is n.named, or OwnName.
func (n Naming) of(s lsp.DocumentSymbol) (name string, container bool) {
	if n.Named != nil {
		return n.Named(s)
	}
	return OwnName(s)
}

// OwnName returns the name of a declaration, and whether those within it are known by their own: types and modules hold
// such; modules leave no trace in names.
func OwnName(s lsp.DocumentSymbol) (name string, container bool) {
	switch s.Kind {
	case lsp.KindFile, lsp.KindModule, lsp.KindNamespace, lsp.KindPackage:
		return "", true
	case lsp.KindClass, lsp.KindInterface, lsp.KindStruct, lsp.KindEnum, lsp.KindType:
		return PlainName(s.Name), true
	}
	return PlainName(s.Name), false
}

// Covers reports whether a range holds a position; its end counts, where a cursor behind a name stands.
func Covers(r lsp.Range, p lsp.Position) bool {
	return !Before(p, r.Start) && !Before(r.End, p)
}

// Before reports whether a comes before b in a file.
func Before(a, b lsp.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
}
