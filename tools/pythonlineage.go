package tools

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"tidepool/lsp"
)

// A pyLineage is a class and those it inherits from, in the order in which Python looks names up.
type pyLineage struct {
	classes []pyClass
	unknown []string // bases that could not be followed
}

// pyLineageOf follows the bases of a class.
func pyLineageOf(ctx context.Context, q *Inquiry, c pyClass) (pyLineage, error) {
	w := pyBases{q: q, known: map[Spot]pyClass{}, order: map[Spot][]Spot{}}
	order, err := w.linear(ctx, c, 0)
	line := pyLineage{unknown: w.unknown}
	for _, at := range order {
		line.classes = append(line.classes, w.known[at])
	}
	return line, err
}

// pyBases computes the method resolution order of classes.
type pyBases struct {
	q       *Inquiry
	known   map[Spot]pyClass
	order   map[Spot][]Spot
	unknown []string
}

func (w *pyBases) linear(ctx context.Context, c pyClass, depth int) ([]Spot, error) {
	own := SpotOf(c.at)
	if order, ok := w.order[own]; ok || depth > MaxFollowed {
		return order, nil
	}
	w.known[own], w.order[own] = c, []Spot{own} // a circle ends here
	bases, err := w.direct(ctx, c)
	if err != nil {
		return nil, err
	}
	var lines [][]Spot
	var heads []Spot
	for _, base := range bases {
		line, err := w.linear(ctx, base, depth+1)
		if err != nil {
			return nil, err
		}
		lines, heads = append(lines, slices.Clone(line)), append(heads, SpotOf(base.at))
	}
	w.order[own] = append([]Spot{own}, pyMerge(append(lines, heads))...)
	return w.order[own], nil
}

// pyMerge takes the first class of a line that stands in the tail of no other (C3); the first there is, if none does.
func pyMerge(lines [][]Spot) []Spot {
	var merged []Spot
	for {
		lines = slices.DeleteFunc(lines, func(line []Spot) bool { return len(line) == 0 })
		if len(lines) == 0 {
			return merged
		}
		next := lines[0][0]
		for _, line := range lines {
			inTail := func(other []Spot) bool { return slices.Contains(other[1:], line[0]) }
			if !slices.ContainsFunc(lines, inTail) {
				next = line[0]
				break
			}
		}
		merged = append(merged, next)
		for i, line := range lines {
			lines[i] = slices.DeleteFunc(line, func(s Spot) bool { return s == next })
		}
	}
}

// direct returns the classes that are named as bases, but for those that only say what kind of class it is.
func (w *pyBases) direct(ctx context.Context, c pyClass) ([]pyClass, error) {
	bases, _ := c.arguments()
	var all []pyClass
	for _, base := range bases {
		name := pyCallee(base)
		if name.Kind() == 0 || name.Is("object", "Generic", "Protocol", "ABC", "NamedTuple", "TypedDict", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag") {
			continue
		}
		found, err := w.q.View.Definition(ctx, pyAt(c.head.file, name))
		if err != nil {
			return nil, fmt.Errorf("following %s, which %s inherits from: %w", name.Text(), c.name, err)
		}
		class, ok, err := pyFirstClass(ctx, w.q, found)
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

// pyFirstClass returns the first class that is declared at one of the places.
func pyFirstClass(ctx context.Context, q *Inquiry, places []lsp.Location) (pyClass, bool, error) {
	for _, l := range places {
		if c, ok, err := pyClassAt(ctx, q, l); ok || err != nil {
			return c, ok, err
		}
	}
	return pyClass{}, false, nil
}

// pySubclasses finds the classes that inherit from c, directly or not, nearest first, at most MaxMembers.
func pySubclasses(ctx context.Context, q *Inquiry, c pyClass) ([]pyClass, error) {
	seen := map[Spot]bool{SpotOf(c.at): true}
	var all []pyClass
	for level := []pyClass{c}; len(level) > 0 && len(all) < MaxMembers; {
		found := make([][]pyClass, len(level))
		group, asking := errgroup.WithContext(ctx)
		group.SetLimit(Concurrent)
		for i, parent := range level {
			group.Go(func() (err error) {
				found[i], err = pyInheriting(asking, q, parent)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return nil, err
		}
		level = nil
		for _, child := range slices.Concat(found...) {
			if at := SpotOf(child.at); !seen[at] {
				seen[at] = true
				level = append(level, child)
			}
		}
		all = append(all, level...)
	}
	return all[:min(len(all), MaxMembers)], nil
}

// pyInheriting finds the classes that name c as a base.
func pyInheriting(ctx context.Context, q *Inquiry, c pyClass) ([]pyClass, error) {
	references, err := q.View.References(ctx, c.at, false)
	if err != nil {
		return nil, fmt.Errorf("finding subclasses of %s: %w", c.name, err)
	}
	var all []pyClass
	for _, at := range Distinct(references) {
		f, err := q.Lexed.Open(at.Path)
		if err != nil {
			return nil, err
		}
		t := f.At(at.Range.Start.Line, at.Range.Start.Column)
		if pyUse(f, t).Kind != "base" {
			continue
		}
		child, ok, err := pyClassAt(ctx, q, pyAt(f, pyStatementAt(f, t).head().Next()))
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, child)
		}
	}
	return all, nil
}

// form says what a class is, by itself or through one it inherits from.
func (l pyLineage) form() string {
	for _, kind := range []string{"enum", "named tuple", "typed dict", "model"} {
		if slices.ContainsFunc(l.classes, func(c pyClass) bool { return c.is(kind) }) {
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

// pythonPromoted finds the method that a class inherits.
func pythonPromoted(ctx context.Context, q *Inquiry, typ lsp.Symbol, method string) (lsp.Symbol, bool, error) {
	c, ok, err := pyClassAt(ctx, q, typ.Location)
	if err != nil || !ok {
		return lsp.Symbol{}, false, err
	}
	line, err := pyLineageOf(ctx, q, c)
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
