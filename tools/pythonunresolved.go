package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// maxMentions bounds the mentions of one name that the server is asked about: one request each.
const maxMentions = 100

// pythonUnresolved finds the mentions of a name that are not among the references to what was asked for and of which
// pyright knows no definition: on values whose type it does not know, behind imports that it cannot follow, and in
// getattr(value, "name"). They may be uses.
func pythonUnresolved(ctx context.Context, q *inquiry, symbol lsp.Symbol, references []lsp.Location) ([]lsp.Location, error) {
	mentions, err := q.pyMentions(ctx, symbol, references)
	if err != nil {
		return nil, err
	}
	if len(mentions) > maxMentions {
		q.doubt(fmt.Sprintf("%s is mentioned at %d places that name something else or cannot be resolved; the first %d were looked at",
			symbol.Name, len(mentions), maxMentions))
		mentions = mentions[:maxMentions]
	}
	open := make([]bool, len(mentions))
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(concurrent)
	for i, at := range mentions {
		group.Go(func() (err error) {
			open[i], err = q.pyUndefined(asking, at)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("finding out what mentions of %s mean: %w", symbol.Name, err)
	}
	var unresolved []lsp.Location
	for i, at := range mentions {
		if open[i] {
			unresolved = append(unresolved, at)
		}
	}
	if len(unresolved) > 0 {
		q.doubt(fmt.Sprintf("%s of %s may mean it: pyright does not know what they name", plural(len(unresolved), "mention", "mentions"), symbol.Name))
	}
	return unresolved, nil
}

// pyUndefined says whether the server knows nothing of what a name means, or only the import that it cannot follow, or
// the method of a protocol, which any class may have.
func (q *inquiry) pyUndefined(ctx context.Context, at lsp.Location) (bool, error) {
	found, err := q.view.Definition(ctx, at)
	if err != nil || len(found) == 0 {
		return true, err
	}
	for _, l := range found {
		if owner, ok, err := q.pyOwner(ctx, l); err != nil || ok && owner.is("protocol") {
			return true, err
		}
		f, err := q.lexed.Open(l.Path)
		if err != nil {
			return false, err
		}
		start := l.Range.Start
		if t := f.At(start.Line, start.Column); l.Path != at.Path || !pyStatementAt(f, t).head().Is("import", "from") {
			return false, nil
		}
	}
	return true, nil
}

// pyMentions lists the places where the name of a symbol stands and which are not among the references to it.
func (q *inquiry) pyMentions(ctx context.Context, symbol lsp.Symbol, references []lsp.Location) ([]lsp.Location, error) {
	known := map[spot]bool{spotOf(symbol.Location): true}
	for _, at := range references {
		known[spotOf(at)] = true
	}
	paths, err := q.view.Mentions(ctx, "python", symbol.Name)
	if err != nil {
		return nil, fmt.Errorf("looking for mentions of %s: %w", symbol.Name, err)
	}
	var all []lsp.Location
	for _, path := range paths {
		f, err := q.lexed.Open(path)
		if err != nil {
			continue // gone since
		}
		for _, t := range f.Tokens() {
			if !pyMayMean(t, symbol) {
				continue
			}
			if at := pyAt(f, t); !known[spotOf(at)] {
				all = append(all, at)
			}
		}
	}
	return all, nil
}

// pyMayMean says whether a token may stand for a symbol, as far as syntax can tell.
func pyMayMean(t lexer.Token, symbol lsp.Symbol) bool {
	if t.Kind() == lexer.String {
		getter := t.Outer().Prev()
		return getter.Is("getattr", "hasattr", "methodcaller", "attrgetter") && strings.Trim(t.Text(), `"'`) == symbol.Name
	}
	member := slices.Contains([]lsp.Kind{lsp.KindMethod, lsp.KindProperty, lsp.KindField}, symbol.Kind)
	switch {
	case !t.Is(symbol.Name), t.Prev().Is("def", "class"), t.Next().Is("=") && t.Outer().Is("("):
		return false
	case member:
		return t.Prev().Is(".") && !pyOfSuper(t)
	}
	return true
}
