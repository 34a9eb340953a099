package process

import "context"

// A usage is what one process of the machine occupies.
type usage struct {
	pid, parent, group int
	name               string // of its program
	bytes              int64
}

// A Child is what one process that we have started occupies, together with all that it has started.
type Child struct {
	Name  string // of its program, as that calls itself
	Bytes int64  // resident; a page that processes share counts for each of them
}

// Resident returns what the process pid occupies, and what each process that it has started does, by the id of that.
func Resident(ctx context.Context, pid int) (own int64, children map[int]Child) {
	all := processes(ctx)
	children = map[int]Child{}
	var self string
	for _, p := range all {
		if p.pid == pid {
			own, self = p.bytes, p.name
		}
	}
	of := ancestors(all, pid)
	for _, p := range all {
		id := of[p.pid]
		if id == 0 {
			id = of[p.group] // one whose parent has ended is still in its group
		}
		if id == 0 || p.pid == pid {
			continue
		}
		c := children[id]
		c.Bytes += p.bytes
		if p.pid == id {
			c.Name = nameOf(p, self)
		}
		children[id] = c
	}
	return own, children
}

// ancestors returns for each process that one has started, directly or not, which of its children that is or comes from.
func ancestors(all []usage, pid int) map[int]int {
	started := map[int][]int{}
	for _, p := range all {
		if p.pid != p.parent {
			started[p.parent] = append(started[p.parent], p.pid)
		}
	}
	of := map[int]int{}
	for _, child := range started[pid] {
		for line := []int{child}; len(line) > 0; line = line[1:] {
			if next := line[0]; of[next] == 0 && next != pid { // what was read one after the other may go in a circle
				of[next] = child
				line = append(line, started[next]...)
			}
		}
	}
	return of
}
