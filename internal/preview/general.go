package preview

import (
	"strings"
)

// general chooses lines of an output of no known format: those that name a place and an error, those that begin like an error, then
// the beginning and the end. If the command failed with an output that names nothing, the end says most.
func general(out *output) reading {
	r := reading{name: "end"}
	var strong, weak []int
	for i := range out.lines() {
		switch weight(out.line(i)) {
		case 2:
			strong = keep(strong, i)
		case 1:
			weak = keep(weak, i)
		}
	}
	if len(strong) > 0 {
		r.name = "general"
		for _, line := range ends(strong) {
			r.add(cause, line)
			r.follow(out, line)
		}
	}
	for _, line := range ends(weak) {
		r.add(failure, line)
	}
	for _, stream := range [][2]int{{out.border, out.lines()}, {0, out.border}} {
		r.edges(stream[0], stream[1])
	}
	return r
}

// maxKept bounds a list of which the first and the last lines are wanted.
const maxKept = 200

// keep adds a line to such a list; when it is full, one from its middle goes.
func keep(list []int, line int) []int {
	if len(list) == maxKept {
		list = append(list[:maxKept/2], list[maxKept/2+1:]...)
	}
	return append(list, line)
}

// ends returns the first line, the last one, the second one and so on: the first error is mostly the cause, the last one what a
// program said at its end.
func ends(list []int) []int {
	var mixed []int
	for first, last := 0, len(list)-1; first <= last; first, last = first+1, last-1 {
		mixed = append(mixed, list[first])
		if first < last {
			mixed = append(mixed, list[last])
		}
	}
	return mixed
}

// follow adds the lines that belong to an error: those right below it that are further in.
func (r *reading) follow(out *output, line int) {
	depth := indent(out.line(line))
	for i := line + 1; i < min(line+4, out.lines()); i++ {
		if text := out.line(i); strings.TrimSpace(text) == "" || indent(text) <= depth {
			return
		}
		r.add(failure, i)
	}
}

// edges adds lines of one stream from both edges: two at the end for each one at the beginning.
func (r *reading) edges(first, end int) {
	last := end - 1
	for n := 0; first <= last && n < maxPicks; n++ {
		if n%3 == 2 {
			r.add(detail, first)
			first++
		} else {
			r.add(detail, last)
			last--
		}
	}
}

// indent returns the number of blanks and tabs at the beginning of a line.
func indent(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }
