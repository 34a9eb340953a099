package goreach

import (
	"math"
	"slices"
)

// A run walks what one test after another may run. It belongs to one goroutine.
type run struct {
	*Calls
	target  int32
	seen    []bool
	order   []int32 // what was seen, in order
	waiting map[int32][]int32
	chance  []float64 // that the target is run from there
}

func (c *Calls) run(target int32) *run {
	return &run{
		Calls: c, target: target, seen: make([]bool, len(c.nodes)), chance: make([]float64, len(c.nodes)),
		waiting: make(map[int32][]int32),
	}
}

// from returns how likely a test runs the target, and how many steps are between them at least; 0 if it cannot.
func (r *run) from(test int32) (chance float64, steps int) {
	for _, n := range r.order {
		r.seen[n], r.chance[n] = false, 0
	}
	r.order = r.order[:0]
	clear(r.waiting)
	r.walk(test)
	if !r.seen[r.target] {
		return 0, 0
	}
	r.chance[r.target] = 1
	steps = r.spread(test)
	return r.chance[test], steps
}

// walk marks all that the test may run. A way whose gate is not open yet waits for it.
func (r *run) walk(test int32) {
	r.visit(test)
	for i := 0; i < len(r.order); i++ {
		n := r.order[i]
		for _, to := range r.waiting[n] {
			r.visit(to)
		}
		for _, w := range r.nodes[n].ways {
			if w.gate != open && !r.seen[w.gate] {
				r.waiting[w.gate] = append(r.waiting[w.gate], w.to)
			} else {
				r.visit(w.to)
			}
		}
	}
}

func (r *run) visit(n int32) {
	if !r.seen[n] {
		r.seen[n] = true
		r.order = append(r.order, n)
	}
}

const (
	maxRounds = 14   // of spreading; longer ways count for little
	growth    = 1.05 // by which a chance must grow to count
)

// spread follows the ways backwards from the target until little changes.
func (r *run) spread(test int32) (steps int) {
	dirty := make(map[int32]bool)
	changed := []int32{r.target}
	for round := 1; len(changed) > 0 && round <= maxRounds; round++ {
		clear(dirty)
		for _, n := range changed {
			for _, from := range r.nodes[n].from {
				if r.seen[from] && from != r.target {
					dirty[from] = true
				}
			}
		}
		changed = r.update(dirty)
		if steps == 0 && r.chance[test] > 0 {
			steps = round
		}
	}
	return steps
}

func (r *run) update(dirty map[int32]bool) (changed []int32) {
	for n := range dirty {
		if is := r.estimate(n); is > r.chance[n]*growth+1e-4 {
			changed = append(changed, n)
		}
	}
	slices.Sort(changed)
	for _, n := range changed {
		r.chance[n] = r.estimate(n)
	}
	return changed
}

// estimate is how likely a run of a node runs the target, if its ways do not depend on each other.
func (r *run) estimate(n int32) float64 {
	none, choices := 1.0, 0
	ways := r.nodes[n].ways
	for _, w := range ways {
		if w.one && r.seen[w.gate] {
			choices++
		}
	}
	for _, w := range ways {
		switch {
		case w.one && r.seen[w.gate]:
			none *= 1 - r.chance[w.to]/float64(choices)
		case w.gate == open || r.seen[w.gate]:
			none *= 1 - float64(w.chance)*r.chance[w.to]
		}
	}
	return 1 - none
}

// likeliest returns for each node the chance of the likeliest single way to the target.
func (c *Calls) likeliest(target int32) []float64 {
	best := make([]float64, len(c.nodes))
	best[target] = 1
	for queue := []int32{target}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for _, from := range c.nodes[n].from {
			if p := best[n] * c.direct(from, n); p > best[from]*1.001 {
				best[from] = p
				queue = append(queue, from)
			}
		}
	}
	return best
}

// direct is the chance of the likeliest way from one node to another.
func (c *Calls) direct(from, to int32) float64 {
	best, choices := 0.0, 0
	for _, w := range c.nodes[from].ways {
		if w.one {
			choices++
		}
	}
	for _, w := range c.nodes[from].ways {
		if w.to != to {
			continue
		}
		p := float64(w.chance)
		if w.one {
			p /= math.Sqrt(float64(choices))
		}
		best = max(best, p)
	}
	return best
}
