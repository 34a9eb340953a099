package teach

import (
	"cmp"
	"slices"
)

// orderUnits returns the visited symbols in the order to learn them.
func orderUnits(all []*visit) []Unit {
	g := newGraph(all)
	units := make([]Unit, 0, len(all))
	place := make([]int, len(all)) // of each in units
	groups := 0
	for _, component := range g.order() {
		group := 0
		if len(component) > 1 {
			groups++
			group = groups
		}
		for _, i := range component {
			place[i] = len(units)
			units = append(units, Unit{Symbol: all[i].symbol, Depth: g.depth[i], Group: group, How: all[i].how})
		}
	}
	for i, f := range all {
		u := &units[place[i]]
		u.From = place[i]
		if f.from >= 0 {
			u.From = place[f.from]
		}
		for _, n := range g.needs[i] {
			u.Needs = append(u.Needs, place[n])
			units[place[n]].Needed = append(units[place[n]].Needed, place[i])
		}
	}
	for i := range units {
		slices.Sort(units[i].Needs)
		slices.Sort(units[i].Needed)
	}
	return units
}

// A graph has the visited symbols as its nodes, by their indices.
type graph struct {
	names []string
	seeds []int
	needs [][]int // each once, without itself
	depth []int   // steps from the nearest seed over links in their direction
	uses  []int   // how many need it
}

func newGraph(all []*visit) *graph {
	n := len(all)
	g := &graph{names: make([]string, n), needs: make([][]int, n), uses: make([]int, n)}
	at := make(map[string]int, n)
	for i, f := range all {
		at[f.symbol.ID], g.names[i] = i, f.symbol.Name
		if f.from < 0 {
			g.seeds = append(g.seeds, i)
		}
	}
	links := make([][]int, n)
	better := make([][2]int, 0, n) // the one is better learned after the other
	for i, f := range all {
		if f.from >= 0 { // no link may say so: see Topic.Told
			links[f.from] = append(links[f.from], i)
		}
		for _, l := range f.links {
			j, ok := at[l.To.ID]
			if !ok || j == i {
				continue
			}
			links[i] = append(links[i], j)
			switch l.Relation {
			case Signature, Body:
				g.need(i, j)
			case Contract:
				better = append(better, [2]int{i, j})
			case Implementation, Method:
				better = append(better, [2]int{j, i})
			}
		}
	}
	for _, b := range better {
		if !reaches(g.needs, b[1], b[0]) {
			g.need(b[0], b[1])
		}
	}
	g.depth = distances(links, g.seeds)
	return g
}

func (g *graph) need(i, j int) {
	if !slices.Contains(g.needs[i], j) {
		g.needs[i] = append(g.needs[i], j)
		g.uses[j]++
	}
}

// reaches reports whether i leads to j, if only by way of others.
func reaches(next [][]int, i, j int) bool {
	seen := make([]bool, len(next))
	todo := []int{i}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, n := range next[at] {
			if n == j {
				return true
			}
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	return false
}

func distances(links [][]int, from []int) []int {
	depth := make([]int, len(links))
	for i := range depth {
		depth[i] = -1
	}
	queue := slices.Clone(from)
	for _, i := range from {
		depth[i] = 0
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, j := range links[i] {
			if depth[j] < 0 {
				depth[j] = depth[i] + 1
				queue = append(queue, j)
			}
		}
	}
	return depth
}

// order returns the strongly connected components of the graph, each after all
// that it needs: Tarjan's algorithm finds them in this order. It starts at the
// seeds, then at what nothing led to yet, and among what one symbol needs it goes
// to the nearest first, then to the most used. So each comes just before the
// first that needs it.
func (g *graph) order() [][]int {
	t := &tarjan{graph: g, index: make([]int, len(g.needs)), low: make([]int, len(g.needs)), stacked: make([]bool, len(g.needs))}
	rest := make([]int, len(g.needs))
	for i := range rest {
		rest[i] = i
	}
	slices.SortStableFunc(rest, g.compare)
	for _, i := range append(slices.Clone(g.seeds), rest...) {
		if t.index[i] == 0 {
			t.visit(i)
		}
	}
	return t.components
}

func (g *graph) compare(i, j int) int {
	return cmp.Or(
		cmp.Compare(g.depth[i], g.depth[j]),
		cmp.Compare(g.uses[j], g.uses[i]),
		cmp.Compare(g.names[i], g.names[j]),
		cmp.Compare(i, j),
	)
}

// tarjan finds strongly connected components. Its depth of recursion is at most
// the budget of a topic.
type tarjan struct {
	*graph
	next       int
	index      []int // when a node was first seen, from 1; 0: not yet
	low        []int
	stack      []int
	stacked    []bool
	components [][]int
}

func (t *tarjan) visit(i int) {
	t.next++
	t.index[i], t.low[i] = t.next, t.next
	t.stack = append(t.stack, i)
	t.stacked[i] = true
	needs := slices.Clone(t.needs[i])
	slices.SortFunc(needs, t.compare)
	for _, j := range needs {
		if t.index[j] == 0 {
			t.visit(j)
			t.low[i] = min(t.low[i], t.low[j])
		} else if t.stacked[j] {
			t.low[i] = min(t.low[i], t.index[j])
		}
	}
	if t.low[i] == t.index[i] {
		t.popComponent(i)
	}
}

// popComponent pops the component with a root off the stack. Within a component
// what is used most comes first, for there is no better order.
func (t *tarjan) popComponent(root int) {
	at := slices.Index(t.stack, root)
	component := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, i := range component {
		t.stacked[i] = false
	}
	slices.SortFunc(component, func(i, j int) int {
		return cmp.Or(cmp.Compare(t.uses[j], t.uses[i]), t.compare(i, j))
	})
	t.components = append(t.components, component)
}
