package python

import (
	"context"
	"fmt"
	"slices"
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
	r := resolution{q: q, left: maxMentions, end: time.Now().Add(mentionsPatience)}
	imports, others := importing(mentions)
	err = r.resolve(ctx, imports)
	if err == nil {
		others = r.notImported(imports, others)
		err = r.resolve(ctx, others)
	}
	if err != nil {
		return nil, fmt.Errorf("finding out what mentions of %s mean: %w", symbol.Name, err)
	}
	if left := len(mentions) - r.known; left > 0 {
		q.Doubt(fmt.Sprintf("%s of %s may mean it and were not looked at", wording.Count(left, "mention"), symbol.Name))
	}
	if len(r.unresolved) > 0 {
		q.Doubt(fmt.Sprintf("%s of %s may mean it: pyright does not know what they name", wording.Count(len(r.unresolved), "mention"), symbol.Name))
	}
	return query.Distinct(r.unresolved), nil
}

// A resolution asks what mentions mean, as long as there is patience and not too many were asked about.
type resolution struct {
	q          *query.Query
	left       int       // how many more are asked about
	end        time.Time // of the patience
	unresolved []lsp.Location
	known      int // of how many it is known what they mean, or that pyright does not know
}

// resolve asks about some mentions.
func (r *resolution) resolve(ctx context.Context, mentions []mention) error {
	const told, open = 1, 2
	mentions = mentions[:min(len(mentions), r.left)]
	r.left -= len(mentions)
	states := make([]int, len(mentions))
	patient, cancel := context.WithDeadline(ctx, r.end)
	defer cancel()
	group, asking := errgroup.WithContext(patient)
	group.SetLimit(query.Concurrent)
	for i, m := range mentions {
		group.Go(func() error {
			undefined, err := undefined(asking, r.q, m.at)
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
	err := group.Wait()
	for i, m := range mentions {
		if states[i] != 0 {
			r.known++
		}
		if states[i] == open {
			r.unresolved = append(r.unresolved, m.at)
		}
	}
	return err
}

// notImported leaves out the plain names in files where all of imports are known: they mean what is imported there, or something
// nearer. Each of imports was asked about if any mention is left to ask about.
func (r *resolution) notImported(imports, others []mention) []mention {
	if r.left == 0 || r.known < len(imports) { // there were too many, or the patience has ended
		return others
	}
	settled := map[string]bool{}
	for _, m := range imports {
		settled[m.at.Path] = true
	}
	for _, at := range r.unresolved {
		delete(settled, at.Path)
	}
	left := slices.DeleteFunc(slices.Clone(others), func(m mention) bool { return m.plain && settled[m.at.Path] })
	r.known += len(others) - len(left)
	return left
}

// importing divides mentions into those to which an import at the level of a file gives a meaning in all of it, and the others.
func importing(mentions []mention) (imports, others []mention) {
	for _, m := range mentions {
		if m.imported {
			imports = append(imports, m)
		} else {
			others = append(others, m)
		}
	}
	return imports, others
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

// A mention is a place where a name stands.
type mention struct {
	at       lsp.Location
	imported bool // an import at the level of the file binds the name there
	plain    bool // it stands by itself, not as that of an attribute or in a text
}

// mentions lists the places where the name of a symbol stands and which are not among the references to it.
func mentions(ctx context.Context, q *query.Query, symbol lsp.Symbol, references []lsp.Location) ([]mention, error) {
	known := map[query.Spot]bool{query.SpotOf(symbol.Location): true}
	for _, at := range references {
		known[query.SpotOf(at)] = true
	}
	paths, err := q.View.Mentions(ctx, "python", symbol.Name)
	if err != nil {
		return nil, fmt.Errorf("looking for mentions of %s: %w", symbol.Name, err)
	}
	var all []mention
	for _, path := range paths {
		f, err := q.Lexed.Open(path)
		if err != nil {
			continue // gone since
		}
		for t := range f.Mentions(symbol.Name) {
			at := placeOf(f, t)
			if mayMean(t, symbol) && !known[query.SpotOf(at)] {
				plain := t.Kind() == lexer.Name && !t.Prev().Is(".")
				all = append(all, mention{at, plain && imported(f, t), plain})
			}
		}
	}
	return all, nil
}

// imported reports whether a name that stands by itself is what an import binds at the level of its file.
func imported(f *lexer.File, t lexer.Token) bool {
	s := statementAt(f, t)
	return s.indent == 1 && !t.Next().Is("as", ".") && (s.head().Is("import") || s.head().Is("from") && !t.Prev().Is("from"))
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
