package teach

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Explore makes the plan for a topic. It fails if the source has the links of
// no symbol, or the selector never answers. Every other failure is counted in the
// plan. If ctx ends, the plan is partial.
func Explore(ctx context.Context, source Source, selector Selector, topic Topic) (*Plan, error) {
	if topic.Budget <= 0 {
		topic.Budget = DefaultBudget
	}
	e := &exploration{source: source, selector: selector, topic: topic, index: make(map[string]int), frontier: make(map[string]*candidate)}
	e.plan.Selector = selector.Name()
	e.seen = make(map[string]bool)
	for _, s := range topic.Seeds {
		e.consider(&candidate{link: Link{To: s}, from: -1, rank: len(e.frontier)})
	}
	for rank, l := range topic.Told {
		if !e.seen[l.To.ID] && len(topic.Seeds) > 0 {
			e.consider(&candidate{link: l, depth: 1, rank: rank, told: true}) // from the first seed, until that is known better
		}
	}
	for len(e.visited) < topic.Budget && len(e.frontier) > 0 && e.plan.Partial == "" {
		e.visit(ctx, e.best())
	}
	if err := e.failure(ctx); err != nil {
		return nil, err
	}
	e.plan.Open = len(e.frontier)
	e.plan.Declined = len(e.seen) - len(e.frontier) - len(e.visited)
	e.plan.Units = orderUnits(e.visited)
	return &e.plan, nil
}

// An exploration is one run of Explore. It belongs to the goroutine that runs it.
type exploration struct {
	source   Source
	selector Selector
	topic    Topic

	visited  []*visit
	index    map[string]int        // ID → index in visited
	frontier map[string]*candidate // by ID: selected, not visited yet
	seen     map[string]bool       // by ID: was ever a candidate or a seed
	asked    int                   // selections
	selected int                   // selections that were answered
	plan     Plan
}

// A visit is a symbol to learn, with its links.
type visit struct {
	symbol Symbol
	from   int // index in visited of the symbol whose link led here; -1: a seed
	how    Relation
	links  []Link
}

// A candidate is a symbol that was selected. Its depth and rank are those of the
// nearest selection.
type candidate struct {
	link  Link
	from  int // index in visited; -1: a seed
	depth int
	rank  int // in the selection, 0 is the best
	uses  int // visited symbols that need it; the first does not raise its priority
	told  bool
}

// priority returns the order of a candidate, least first: near ones come before
// far ones, and those that many visited symbols need before others.
func (c *candidate) priority() int {
	switch {
	case c.from < 0:
		return c.rank - 1<<20
	case c.told:
		return c.rank - 1<<10
	}
	return 2*c.depth + c.rank - min(max(c.uses-1, 0), 4)
}

func (e *exploration) consider(c *candidate) {
	id := c.link.To.ID
	e.seen[id] = true
	if known := e.frontier[id]; known == nil {
		e.frontier[id] = c
	} else if c.from >= 0 && c.priority() < known.priority() {
		c.uses = known.uses
		e.frontier[id] = c
	}
}

func (e *exploration) best() *candidate {
	var best *candidate
	for _, c := range e.frontier {
		if best == nil || cmp.Or(c.priority()-best.priority(), cmp.Compare(c.link.To.ID, best.link.To.ID)) < 0 {
			best = c
		}
	}
	return best
}

// visit moves a candidate from the frontier to the symbols to learn, and adds to
// the frontier what the selector chooses of its links.
func (e *exploration) visit(ctx context.Context, c *candidate) {
	s := c.link.To
	delete(e.frontier, s.ID)
	links, err := e.source.Links(ctx, s)
	if ctx.Err() != nil {
		e.plan.Partial = "stopped early: " + context.Cause(ctx).Error()
		return
	}
	if err != nil {
		e.plan.Unread.add(fmt.Errorf("reading %s: %w", s.Name, err))
	}
	if c.told {
		c.from = e.leading(s.ID)
	}
	at := len(e.visited)
	e.index[s.ID] = at
	e.visited = append(e.visited, &visit{symbol: s, from: c.from, how: c.link.Relation, links: links})
	unvisited := e.unvisited(links)
	for rank, i := range e.choose(ctx, e.visited[at], unvisited) {
		e.consider(&candidate{link: unvisited[i], from: at, depth: c.depth + 1, rank: rank, uses: e.uses(unvisited[i].To.ID)})
	}
	for _, l := range links {
		if known := e.frontier[l.To.ID]; known != nil {
			known.uses = e.uses(l.To.ID)
		}
	}
}

// leading returns the first visited symbol that has a link to a symbol; the first of all if none has.
func (e *exploration) leading(id string) int {
	i := slices.IndexFunc(e.visited, func(f *visit) bool {
		return slices.ContainsFunc(f.links, func(l Link) bool { return l.To.ID == id })
	})
	return max(i, 0)
}

// unvisited returns the links to symbols not visited yet, as many as the selector
// may be asked about.
func (e *exploration) unvisited(links []Link) []Link {
	var unvisited []Link
	for _, l := range links {
		if _, ok := e.index[l.To.ID]; !ok {
			unvisited = append(unvisited, l)
		}
	}
	if more := len(unvisited) - e.selector.Limit(); more > 0 {
		e.plan.Cut += more
		unvisited = unvisited[:e.selector.Limit()]
	}
	for _, l := range unvisited {
		e.seen[l.To.ID] = true
	}
	return unvisited
}

// uses counts the visited symbols that need a symbol.
func (e *exploration) uses(id string) int {
	n := 0
	for _, f := range e.visited {
		if slices.ContainsFunc(f.links, func(l Link) bool { return l.Relation.needed() && l.To.ID == id }) {
			n++
		}
	}
	return n
}

// choose asks the selector, and validates what it answers.
func (e *exploration) choose(ctx context.Context, of *visit, candidates []Link) []int {
	if len(candidates) == 0 {
		return nil
	}
	e.asked++
	chosen, err := e.selector.Select(ctx, Question{Topic: e.topic.Text, Of: of.symbol, Seed: of.from < 0, Candidates: candidates})
	if err == nil {
		err = validate(chosen, len(candidates))
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

func validate(chosen []int, n int) error {
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

// failure returns why there is no plan at all; nil: there is one.
func (e *exploration) failure(ctx context.Context) error {
	switch {
	case len(e.visited) == 0 && ctx.Err() != nil:
		return context.Cause(ctx)
	case len(e.visited) > 0 && e.plan.Unread.Count == len(e.visited):
		return e.plan.Unread.First
	case e.asked > 0 && e.selected == 0 && e.plan.Unselected.Count > 0:
		return e.plan.Unselected.First
	}
	return nil
}
