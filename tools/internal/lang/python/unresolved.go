package python

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/lexer"
	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// Bounds of what the mentions of one name may cost: one request each, which may take pyright a second in code without
// types.
const (
	maxMentions      = 100
	mentionsPatience = 4 * time.Second
)

// unresolved finds the mentions of a name that are not among the references to what was asked for and of which
// pyright knows no definition: on values whose type it does not know, behind imports that it cannot follow, and in
// getattr(value, "name"). They may be uses.
func unresolved(ctx context.Context, q *query.Query, symbol lsp.Symbol, references []lsp.Location) ([]lsp.Location, error) {
	mentions, err := mentions(ctx, q, symbol, references)
	if err != nil {
		return nil, err
	}
	asked := mentions[:min(len(mentions), maxMentions)]
	unresolved, known, err := resolve(ctx, q, asked)
	if err != nil {
		return nil, fmt.Errorf("finding out what mentions of %s mean: %w", symbol.Name, err)
	}
	if left := len(mentions) - known; left > 0 {
		q.Doubt(fmt.Sprintf("%s of %s may mean it and were not looked at", wording.Count(left, "mention"), symbol.Name))
	}
	if len(unresolved) > 0 {
		q.Doubt(fmt.Sprintf("%s of %s may mean it: pyright does not know what they name", wording.Count(len(unresolved), "mention"), symbol.Name))
	}
	return unresolved, nil
}

// resolve asks what mentions mean, for as long as there is patience: it returns those that pyright does not know, and
// of how many it has told anything.
func resolve(ctx context.Context, q *query.Query, mentions []lsp.Location) (unresolved []lsp.Location, known int, err error) {
	const told, open = 1, 2
	states := make([]int, len(mentions))
	patient, cancel := context.WithTimeout(ctx, mentionsPatience)
	defer cancel()
	group, asking := errgroup.WithContext(patient)
	group.SetLimit(query.Concurrent)
	for i, at := range mentions {
		group.Go(func() error {
			undefined, err := undefined(asking, q, at)
			switch {
			case err != nil && patient.Err() != nil:
				return ctx.Err() // nil, if only the patience has ended
			case undefined:
				states[i] = open
			default:
				states[i] = told
			}
			return err
		})
	}
	err = group.Wait()
	for i, at := range mentions {
		if states[i] != 0 {
			known++
		}
		if states[i] == open {
			unresolved = append(unresolved, at)
		}
	}
	return unresolved, known, err
}

// undefined reports whether the server knows nothing of what a name means, or only the import that it cannot follow, or
// the method of a protocol, which any class may have.
func undefined(ctx context.Context, q *query.Query, at lsp.Location) (bool, error) {
	found, err := q.View.Definition(ctx, at)
	if err != nil || len(found) == 0 {
		return true, err
	}
	for _, l := range found {
		if owner, ok, err := owner(ctx, q, l); err != nil || ok && owner.is("protocol") {
			return true, err
		}
		f, err := q.Lexed.Open(l.Path)
		if err != nil {
			return false, err
		}
		start := l.Range.Start
		if t := f.At(start.Line, start.Column); l.Path != at.Path || !statementAt(f, t).head().Is("import", "from") {
			return false, nil
		}
	}
	return true, nil
}

// mentions lists the places where the name of a symbol stands and which are not among the references to it.
func mentions(ctx context.Context, q *query.Query, symbol lsp.Symbol, references []lsp.Location) ([]lsp.Location, error) {
	known := map[query.Spot]bool{query.SpotOf(symbol.Location): true}
	for _, at := range references {
		known[query.SpotOf(at)] = true
	}
	paths, err := q.View.Mentions(ctx, "python", symbol.Name)
	if err != nil {
		return nil, fmt.Errorf("looking for mentions of %s: %w", symbol.Name, err)
	}
	var all []lsp.Location
	for _, path := range paths {
		f, err := q.Lexed.Open(path)
		if err != nil {
			continue // gone since
		}
		for t := range f.Mentions(symbol.Name) {
			if !mayMean(t, symbol) {
				continue
			}
			if at := placeOf(f, t); !known[query.SpotOf(at)] {
				all = append(all, at)
			}
		}
	}
	return all, nil
}

// mayMean reports whether a token may stand for a symbol, as far as syntax can tell.
func mayMean(t lexer.Token, symbol lsp.Symbol) bool {
	if t.Kind() == lexer.String {
		getter := t.Outer().Prev()
		return getter.Is("getattr", "hasattr", "methodcaller", "attrgetter") && strings.Trim(t.Text(), `"'`) == symbol.Name
	}
	if !t.Is(symbol.Name) || t.Prev().Is("def", "class") || t.Next().Is("=") && t.Outer().Is("(") {
		return false
	}
	switch symbol.Kind {
	case lsp.KindMethod, lsp.KindProperty, lsp.KindField:
		return t.Prev().Is(".") && !ofSuper(t)
	}
	return true
}
