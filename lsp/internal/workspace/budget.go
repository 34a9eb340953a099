package workspace

import (
	"cmp"
	"slices"
	"time"
)

// How long nobody must have asked a server before it is stopped to keep the budget. A large one takes a minute to load: to stop it earlier
// may cost more than it saves.
const (
	spareAfter = time.Minute
	lastAfter  = 10 * time.Minute // of the one that was asked last: its user is at work with it
)

// A load is one running server, as the budget sees it.
type load struct {
	footprint
	drafts bool      // changes are tried out in it
	linked bool      // it serves a linked worktree alone
	held   bool      // somebody waits for it
	asked  time.Time // when somebody last did
}

// A relief is what is done about the load at an index: it is stopped until the next question, or restarted.
type relief struct {
	load    int
	restart bool
}

// relieve returns what is to be done when all together occupy excess bytes more than the budget: servers for drafts are stopped first,
// then those that nobody asks, of linked worktrees before others, the ones longest unasked before others, and no more of them than
// are needed. If there are none the largest that has grown since it knew its project is restarted. A server that somebody waits for
// is left alone, and so is one that had to give way less than reliefPause ago.
func relieve(now time.Time, excess int64, loads []load) []relief {
	var done []relief
	for _, i := range stoppable(now, loads) {
		if excess <= 0 {
			break
		}
		excess -= loads[i].bytes
		done = append(done, relief{load: i})
	}
	if excess <= 0 || done != nil { // what those give back shows at the next look
		return done
	}
	largest := -1
	for i := range loads {
		l := &loads[i]
		if l.free(now) && !l.drafts && l.hasGrown() && (largest < 0 || l.bytes > loads[largest].bytes) {
			largest = i
		}
	}
	if largest < 0 {
		return nil
	}
	return []relief{{load: largest, restart: true}}
}

// free reports whether the budget may end the server now.
func (l *load) free(now time.Time) bool { return !l.held && l.mayGiveWay(now, overBudget) }

// stoppable returns the indexes of loads that can be stopped, the first to go first.
func stoppable(now time.Time, loads []load) []int {
	last := time.Time{}
	for _, l := range loads {
		if !l.drafts && l.asked.After(last) {
			last = l.asked
		}
	}
	var indexes []int
	for i := range loads {
		l := &loads[i]
		idle := spareAfter
		if l.asked.Equal(last) {
			idle = lastAfter
		}
		if l.free(now) && l.bytes > 0 && (l.drafts || now.Sub(l.asked) >= idle) {
			indexes = append(indexes, i)
		}
	}
	slices.SortStableFunc(indexes, func(a, b int) int {
		return cmp.Or(cmp.Compare(loads[a].rank(), loads[b].rank()), loads[a].asked.Compare(loads[b].asked))
	})
	return indexes
}

// rank orders what is stopped: a lower one goes first.
func (l *load) rank() int {
	switch {
	case l.drafts:
		return 0
	case l.linked:
		return 1
	}
	return 2
}
