package scout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// resolve finds where the walk begins. Of names that were only taken from the words, those that mean nothing are no names; if
// all of them mean nothing, the next ones may.
func (w *walk) resolve(ctx context.Context) error {
	q := &w.query
	var first error
	for i := 0; ; i++ {
		symbols, roots, err := resolve(ctx, w.graph, q.Symbols, q.Change.Kind, w.options.Candidates)
		if err == nil && len(q.tiers) > 0 && len(roots) > 0 {
			symbols = slices.DeleteFunc(symbols, func(s Symbol) bool { return len(s.Found) == 0 })
			q.Symbols = nil
			for _, s := range symbols {
				q.Symbols = append(q.Symbols, s.Name)
			}
		}
		if err == nil {
			w.symbols, w.roots, w.understood.Symbols = symbols, roots, q.Symbols
			return nil
		}
		if first == nil {
			first = err
		}
		var missing *NotFoundError
		if i+1 >= len(q.tiers) || !errors.As(err, &missing) {
			return first
		}
		q.Symbols = q.tiers[i+1]
	}
}

// resolve finds where a walk begins. Of the declarations that a name may mean,
// those that fit the kind of change are taken; none fitting, all. A name that
// means nothing, or more than limit declarations, is that symbol's problem as
// long as another one is found, or may be in a moment.
func resolve(ctx context.Context, g Graph, names []string, kind ChangeKind, limit int) ([]Symbol, []Node, error) {
	var symbols []Symbol
	var roots []Node
	var problems []error
	pending := false
	for _, name := range names {
		nodes, err := g.Resolve(ctx, name)
		fitting := arrange(nodes, func(n Node) bool { return kind.fits(n.Kind) })
		walked := cmp.Or(fitting, len(nodes))
		var missing *NotFoundError
		switch {
		case err != nil && !errors.As(err, &missing):
			return nil, nil, fmt.Errorf("looking up %s: %w", name, err)
		case err == nil && len(nodes) == 0:
			err = &NotFoundError{Name: name}
		case walked > limit:
			err = &AmbiguousError{Name: name, Candidates: candidates(nodes[:walked])}
		}
		symbol := Symbol{Name: name, Found: candidates(nodes)}
		if err != nil {
			symbol.Problem = err.Error()
			pending = pending || missing != nil && missing.Pending
			problems = append(problems, err)
		} else {
			symbol.Walked = walked
			roots = append(roots, nodes[:walked]...)
		}
		symbols = append(symbols, symbol)
	}
	if len(roots) == 0 && !pending {
		return nil, nil, errors.Join(problems...)
	}
	return symbols, roots, nil
}

func candidates(nodes []Node) []Candidate {
	found := make([]Candidate, len(nodes))
	for i, n := range nodes {
		found[i] = Candidate{Name: n.Name, Kind: n.Kind, Location: n.Location()}
	}
	return found
}

// An AmbiguousError means that a name means too many declarations to walk them
// all.
type AmbiguousError struct {
	Name       string
	Candidates []Candidate
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s is ambiguous: it may mean %d declarations", e.Name, len(e.Candidates))
}

// Hint lists some of the candidates.
func (e *AmbiguousError) Hint() string {
	const shown = 10
	var list []string
	for _, c := range e.Candidates[:min(shown, len(e.Candidates))] {
		list = append(list, c.Name+" ("+c.Location+")")
	}
	if more := len(e.Candidates) - shown; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return "name one with its package or type: " + strings.Join(list, ", ")
}
