package preview

import (
	"slices"
	"strings"
)

// The ranks of lines: lower ones are chosen first.
const (
	verdict = iota // the program's own summary
	cause          // the first failure: its name, place and message
	failure        // the names and first lines of the other failures
	detail         // more about the first failure
	context        // more about the others
	warning        // what is wanted if nothing failed
	ranks
)

// maxPicks bounds the lines of one rank that a reading keeps. A preview has room for fewer.
const maxPicks = 1000

// A format reads the outputs of a family of programs in one pass.
type format interface {
	// read returns what the output has of this format, the zero reading if that is nothing or does not add up.
	read(*output) reading
}

// formats lists them in the order of their names in Preview.Format.
func formats() []format {
	return []format{
		goTest{}, goBuild{}, typescript{}, compiler{}, cargoBuild{}, cargoTest{}, pytest{}, unittest{}, tap{}, nodeSpec{}, jest{}, vitest{},
		eslint{}, mypy{},
	}
}

// A reading is what a format found in an output.
type reading struct {
	name  string // of the format; "": the output is none of it
	fails bool   // the program reports a failure
	blind bool   // the program does not say why: lines that look like errors count, too
	picks [ranks][]int
}

// add keeps a line unless the rank is full.
func (r *reading) add(rank, line int) {
	if len(r.picks[rank]) < maxPicks {
		r.picks[rank] = append(r.picks[rank], line)
	}
}

// isFull reports whether so many failures are known that another one would not be shown. Its lines are not read then.
func (r *reading) isFull() bool { return len(r.picks[failure]) == maxPicks }

// addRange keeps the lines from the first one up to before end.
func (r *reading) addRange(rank, first, end int) {
	for i := first; i < end && len(r.picks[rank]) < maxPicks; i++ {
		r.picks[rank] = append(r.picks[rank], i)
	}
}

// A pick is a line that is wanted.
type pick struct{ rank, line int }

// maxVerdicts bounds the lines of a reading that stand before all others. Further ones are not wanted.
const maxVerdicts = 4

// wanted returns the lines of one rank.
func (r *reading) wanted(rank int) (picks []pick) {
	for i, line := range r.picks[rank] {
		if rank == verdict && i == maxVerdicts {
			break
		}
		picks = append(picks, pick{rank, line})
	}
	return picks
}

// choose returns lines in the order in which they are wanted, and the name of what was recognised. A format that saw no failure
// does not count if the command failed.
// If no format names a cause, the lines that look like errors count, too.
func choose(out *output) (picks []pick, name string) {
	readings, names, explained := []reading{}, []string{}, false
	for _, f := range formats() {
		if r := f.read(out); r.name != "" && (r.fails || out.exit == 0) {
			readings = append(readings, r)
			names = append(names, r.name)
			explained = explained || len(r.picks[cause]) > 0 && !r.blind
		}
	}
	if !explained {
		rest := general(out)
		readings = append(readings, rest)
		if len(names) == 0 {
			names = []string{rest.name}
		}
	}
	for rank := range ranks {
		if rank == warning && explained {
			break
		}
		for _, r := range readings {
			picks = append(picks, r.wanted(rank)...)
		}
	}
	return picks, strings.Join(slices.Compact(names), "+")
}
