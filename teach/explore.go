package teach

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Explore makes the plan for a topic. It fails if the source tells nothing of
// any seed, or the selector answers nothing at all. Everything else that goes
// wrong is part of the plan: a ctx that ends makes it partial.
func Explore(ctx context.Context, source Source, selector Selector, topic Topic) (*Plan, error) {
	if topic.Budget <= 0 {
		topic.Budget = DefaultBudget
	}
	e := &exploration{source: source, selector: selector, topic: topic, taken: make(map[string]int), open: make(map[string]*candidate)}
	e.plan.Selector = selector.Name()
	e.seen = make(map[string]bool)
	for _, s := range topic.Seeds {
		e.offer(&candidate{link: Link{To: s}, from: -1, rank: len(e.open)})
	}
	for len(e.found) < topic.Budget && len(e.open) > 0 && e.plan.Partial == "" {
		e.take(ctx, e.best())
	}
	if err := e.failure(ctx); err != nil {
		return nil, err
	}
	e.plan.Open = len(e.open)
	e.plan.Declined = len(e.seen) - len(e.open) - len(e.found)
	e.plan.Units = arrange(e.found)
	return &e.plan, nil
}

// An exploration is one run of Explore. It belongs to the goroutine that runs it.
type exploration struct {
	source   Source
	selector Selector
	topic    Topic

	found    []*found
	taken    map[string]int        // ID → index in found
	open     map[string]*candidate // selected, not taken yet
	seen     map[string]bool       // ever a candidate, a seed or taken
	asked    int                   // selections
	selected int                   // selections that were answered
	plan     Plan
}

// A found symbol is one to learn, with all that it leads to.
type found struct {
	symbol Symbol
	from   int // index of the one that led to it; -1: a seed
	how    Relation
	links  []Link
}

// A candidate is a symbol that was selected. Its depth and rank are those of the
// nearest selection.
type candidate struct {
	link  Link
	from  int // index in found; -1: a seed
	depth int
	rank  int // in the selection, 0 is the best
	uses  int // found symbols that need it; one alone is no merit
}

// priority orders the candidates, least first: near ones before far ones, those
// that much of what is found needs before others.
func (c *candidate) priority() int {
	if c.from < 0 {
		return c.rank - 1<<20
	}
	return 2*c.depth + c.rank - min(max(c.uses-1, 0), 4)
}

func (e *exploration) offer(c *candidate) {
	id := c.link.To.ID
	e.seen[id] = true
	if known := e.open[id]; known == nil {
		e.open[id] = c
	} else if c.from >= 0 && c.priority() < known.priority() {
		c.uses = known.uses
		e.open[id] = c
	}
}

func (e *exploration) best() *candidate {
	var best *candidate
	for _, c := range e.open {
		if best == nil || cmp.Or(c.priority()-best.priority(), cmp.Compare(c.link.To.ID, best.link.To.ID)) < 0 {
			best = c
		}
	}
	return best
}

// take makes a candidate something to learn, and opens what it leads to.
func (e *exploration) take(ctx context.Context, c *candidate) {
	s := c.link.To
	delete(e.open, s.ID)
	links, err := e.source.Links(ctx, s)
	if ctx.Err() != nil {
		e.plan.Partial = "stopped early: " + context.Cause(ctx).Error()
		return
	}
	if err != nil {
		e.plan.Unread.add(fmt.Errorf("reading %s: %w", s.Name, err))
	}
	at := len(e.found)
	e.taken[s.ID] = at
	e.found = append(e.found, &found{symbol: s, from: c.from, how: c.link.Relation, links: links})
	fresh := e.fresh(links)
	for rank, i := range e.choose(ctx, e.found[at], fresh) {
		e.offer(&candidate{link: fresh[i], from: at, depth: c.depth + 1, rank: rank, uses: e.uses(fresh[i].To.ID)})
	}
	for _, l := range links {
		if known := e.open[l.To.ID]; known != nil {
			known.uses = e.uses(l.To.ID)
		}
	}
}

// fresh returns the links to what is not found yet.
func (e *exploration) fresh(links []Link) []Link {
	var fresh []Link
	for _, l := range links {
		if _, taken := e.taken[l.To.ID]; !taken {
			fresh = append(fresh, l)
		}
	}
	if more := len(fresh) - e.selector.Limit(); more > 0 {
		e.plan.Cut += more
		fresh = fresh[:e.selector.Limit()]
	}
	for _, l := range fresh {
		e.seen[l.To.ID] = true
	}
	return fresh
}

// uses counts what is found and needs a symbol.
func (e *exploration) uses(id string) int {
	n := 0
	for _, f := range e.found {
		if slices.ContainsFunc(f.links, func(l Link) bool { return l.Relation.needed() && l.To.ID == id }) {
			n++
		}
	}
	return n
}

// choose has the selector choose, and takes nothing for granted.
func (e *exploration) choose(ctx context.Context, of *found, candidates []Link) []int {
	if len(candidates) == 0 {
		return nil
	}
	e.asked++
	chosen, err := e.selector.Select(ctx, Question{Topic: e.topic.Text, Of: of.symbol, Seed: of.from < 0, Candidates: candidates})
	if err == nil {
		err = checked(chosen, len(candidates))
	}
	switch {
	case ctx.Err() != nil:
		e.plan.Partial = "stopped early: " + context.Cause(ctx).Error()
		return nil
	case err != nil:
		e.plan.Unselected.add(fmt.Errorf("selecting what belongs to %s: %w", of.symbol.Name, err))
		return nil
	}
	e.selected++
	return chosen[:min(len(chosen), maxSelected)]
}

func checked(chosen []int, n int) error {
	for i, c := range chosen {
		if c < 0 || c >= n {
			return fmt.Errorf("candidate %d was chosen of %d", c, n)
		}
		if slices.Contains(chosen[:i], c) {
			return fmt.Errorf("candidate %d was chosen twice", c)
		}
	}
	return nil
}

// failure is why there is no plan at all.
func (e *exploration) failure(ctx context.Context) error {
	switch {
	case len(e.found) == 0 && ctx.Err() != nil:
		return context.Cause(ctx)
	case len(e.found) > 0 && e.plan.Unread.Count == len(e.found):
		return e.plan.Unread.First
	case e.asked > 0 && e.selected == 0 && e.plan.Unselected.Count > 0:
		return e.plan.Unselected.First
	}
	return nil
}
