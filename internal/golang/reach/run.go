package reach

import "tidepool/internal/golang/fact"

// A run walks what one test after another may run. It belongs to one goroutine.
type run struct {
	*Calls
	seen    []bool
	order   []int32           // what was seen, in order
	steps   []int             // of what was seen
	waiting map[int32][]int32 // what is behind a gate that is still closed
}

func (c *Calls) run() *run {
	return &run{Calls: c, seen: make([]bool, len(c.nodes)), steps: make([]int, len(c.nodes)), waiting: make(map[int32][]int32)}
}

// reaches reports whether a run of a node may run the target, and in how many steps.
func (r *run) reaches(from, target int32) (steps int, ok bool) {
	for _, n := range r.order {
		r.seen[n] = false
	}
	r.order = r.order[:0]
	clear(r.waiting)
	r.visit(from, 0)
	for i := 0; i < len(r.order) && !r.seen[target]; i++ {
		n := r.order[i]
		next := r.steps[n] + 1
		for _, to := range r.waiting[n] {
			r.visit(to, next)
		}
		for _, w := range r.nodes[n].ways {
			if w.gate != open && !r.seen[w.gate] {
				r.waiting[w.gate] = append(r.waiting[w.gate], w.to)
			} else {
				r.visit(w.to, next)
			}
		}
	}
	return r.steps[target], r.seen[target]
}

func (r *run) visit(n int32, steps int) {
	if !r.seen[n] {
		r.seen[n], r.steps[n] = true, steps
		r.order = append(r.order, n)
	}
}

// starts reports whether what was seen before the target was found, all if it was not, has a function of one of the
// packages that run the target before all else.
func (r *run) starts(inits map[fact.Place]bool) bool {
	for _, n := range r.order {
		if fn := r.nodes[n].fn; fn != nil && inits[start(fn)] {
			return true
		}
	}
	return false
}
