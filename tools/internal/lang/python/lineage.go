package python

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"tidepool/lsp"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// A lineage is a class and those it inherits from, in the order in which Python looks names up.
type lineage struct {
	classes []class
	unknown []string // bases that could not be followed
}

// lineageOf follows the bases of a class.
func lineageOf(ctx context.Context, q *query.Query, c class) (lineage, error) {
	w := bases{q: q, known: map[query.Spot]class{}, order: map[query.Spot][]query.Spot{}}
	order, err := w.linear(ctx, c, 0)
	line := lineage{unknown: w.unknown}
	for _, at := range order {
		line.classes = append(line.classes, w.known[at])
	}
	return line, err
}

// bases computes the method resolution order of classes.
type bases struct {
	q       *query.Query
	known   map[query.Spot]class
	order   map[query.Spot][]query.Spot
	unknown []string
}

func (w *bases) linear(ctx context.Context, c class, depth int) ([]query.Spot, error) {
	own := query.SpotOf(c.at)
	if order, ok := w.order[own]; ok || depth > query.MaxFollowed {
		return order, nil
	}
	w.known[own], w.order[own] = c, []query.Spot{own} // a circle ends here
	bases, err := w.direct(ctx, c)
	if err != nil {
		return nil, err
	}
	var lines [][]query.Spot
	var heads []query.Spot
	for _, base := range bases {
		line, err := w.linear(ctx, base, depth+1)
		if err != nil {
			return nil, err
		}
		lines, heads = append(lines, slices.Clone(line)), append(heads, query.SpotOf(base.at))
	}
	w.order[own] = append([]query.Spot{own}, merge(append(lines, heads))...)
	return w.order[own], nil
}

// merge takes the first class of a line that stands in the tail of no other (C3); the first there is, if none does.
func merge(lines [][]query.Spot) []query.Spot {
	var merged []query.Spot
	for {
		lines = slices.DeleteFunc(lines, func(line []query.Spot) bool { return len(line) == 0 })
		if len(lines) == 0 {
			return merged
		}
		next := lines[0][0]
		for _, line := range lines {
			inTail := func(other []query.Spot) bool { return slices.Contains(other[1:], line[0]) }
			if !slices.ContainsFunc(lines, inTail) {
				next = line[0]
				break
			}
		}
		merged = append(merged, next)
		for i, line := range lines {
			lines[i] = slices.DeleteFunc(line, func(s query.Spot) bool { return s == next })
		}
	}
}

// direct returns the classes that are named as bases, but for those that only say what kind of class it is.
func (w *bases) direct(ctx context.Context, c class) ([]class, error) {
	bases, _ := c.arguments()
	var all []class
	for _, base := range bases {
		name := callee(base)
		if name.Kind() == 0 || name.Is("object", "Generic", "Protocol", "ABC", "NamedTuple", "TypedDict", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag") {
			continue
		}
		found, err := w.q.View.Definition(ctx, placeOf(c.head.file, name))
		if err != nil {
			return nil, fmt.Errorf("following %s, which %s inherits from: %w", name.Text(), c.name, err)
		}
		class, ok, err := firstClass(ctx, w.q, found)
		switch {
		case err != nil:
			return nil, err
		case ok:
			all = append(all, class)
		case len(found) == 0 || w.q.Within(found[0].Path):
			w.unknown = append(w.unknown, name.Text())
		}
	}
	return all, nil
}

// firstClass returns the first class that is declared at one of the places.
func firstClass(ctx context.Context, q *query.Query, places []lsp.Location) (class, bool, error) {
	for _, l := range places {
		if c, ok, err := classAt(ctx, q, l); ok || err != nil {
			return c, ok, err
		}
	}
	return class{}, false, nil
}

// subclasses finds the classes that inherit from c, directly or not, nearest first, at most graph.MaxMembers.
func subclasses(ctx context.Context, q *query.Query, c class) ([]class, error) {
	seen := map[query.Spot]bool{query.SpotOf(c.at): true}
	var all []class
	for level := []class{c}; len(level) > 0 && len(all) < graph.MaxMembers; {
		found := make([][]class, len(level))
		group, asking := errgroup.WithContext(ctx)
		group.SetLimit(query.Concurrent)
		for i, parent := range level {
			group.Go(func() (err error) {
				found[i], err = inheriting(asking, q, parent)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
		level = nil
		for _, child := range slices.Concat(found...) {
			if at := query.SpotOf(child.at); !seen[at] {
				seen[at] = true
				level = append(level, child)
			}
		}
		all = append(all, level...)
	}
	return all[:min(len(all), graph.MaxMembers)], nil
}

// inheriting finds the classes that name c as a base.
func inheriting(ctx context.Context, q *query.Query, c class) ([]class, error) {
	references, err := q.View.References(ctx, c.at, false)
	if err != nil {
		return nil, fmt.Errorf("finding subclasses of %s: %w", c.name, err)
	}
	var all []class
	for _, at := range query.Distinct(references) {
		f, err := q.Lexed.Open(at.Path)
		if err != nil {
			return nil, err
		}
		t := f.At(at.Range.Start.Line, at.Range.Start.Column)
		if useOf(f, t).Kind != "base" {
			continue
		}
		child, ok, err := classAt(ctx, q, placeOf(f, statementAt(f, t).head().Next()))
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, child)
		}
	}
	return all, nil
}

// form returns what a class is, by itself or through one it inherits from.
func (l lineage) form() string {
	for _, kind := range []string{"enum", "named tuple", "typed dict", "model"} {
		if slices.ContainsFunc(l.classes, func(c class) bool { return c.is(kind) }) {
			return kind
		}
	}
	for _, kind := range []string{"dataclass", "protocol", "abstract class"} {
		if l.classes[0].is(kind) {
			return kind
		}
	}
	return "class"
}

// promoted finds the method that a class inherits.
func promoted(ctx context.Context, q *query.Query, typ lsp.Symbol, method string) (lsp.Symbol, bool, error) {
	c, ok, err := classAt(ctx, q, typ.Location)
	if err != nil || !ok {
		return lsp.Symbol{}, false, err
	}
	line, err := lineageOf(ctx, q, c)
	if err != nil {
		return lsp.Symbol{}, false, err
	}
	for _, from := range line.classes {
		if s, ok := from.method(method); ok {
			return lsp.Symbol{
				Name: method, Receiver: from.name, Package: typ.Package, Kind: lsp.KindMethod,
				Location: from.own(s), Language: typ.Language,
			}, true, nil
		}
	}
	return lsp.Symbol{}, false, nil
}
