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

// A candidate is one running server, as the budget sees it.
type candidate struct {
	footprint
	drafts bool      // changes are tried out in it
	linked bool      // it serves a linked worktree alone
	held   bool      // somebody waits for it
	asked  time.Time // when somebody last did
}

// An eviction is what is done about one candidate: it is stopped until the next question, or restarted.
type eviction struct {
	index   int // of the candidate
	restart bool
}

// evictions returns what is to be done when all together occupy excess bytes more than the budget: servers for drafts are stopped first,
// then those that nobody asks, of linked worktrees before others, the ones longest unasked before others, and no more of them than
// are needed. If there are none the largest that has grown since it knew its project is restarted. A server that somebody waits for
// is left alone, and so is one that had to give way less than evictionPause ago.
func evictions(now time.Time, excess int64, candidates []candidate) []eviction {
	var done []eviction
	for _, i := range stoppable(now, candidates) {
		if excess <= 0 {
			break
		}
		excess -= candidates[i].bytes
		done = append(done, eviction{index: i})
	}
	if excess <= 0 || done != nil { // what those give back shows at the next look
		return done
	}
	largest := -1
	for i := range candidates {
		c := &candidates[i]
		if c.free(now) && !c.drafts && c.hasGrown() && (largest < 0 || c.bytes > candidates[largest].bytes) {
			largest = i
		}
	}
	if largest < 0 {
		return nil
	}
	return []eviction{{index: largest, restart: true}}
}

// free reports whether the budget may end the server now.
func (c *candidate) free(now time.Time) bool { return !c.held && c.evictable(now, overBudget) }

// stoppable returns the indexes of candidates that can be stopped, the first to go first.
func stoppable(now time.Time, candidates []candidate) []int {
	last := time.Time{}
	for _, c := range candidates {
		if !c.drafts && c.asked.After(last) {
			last = c.asked
		}
	}
	var indexes []int
	for i := range candidates {
		c := &candidates[i]
		idle := spareAfter
		if c.asked.Equal(last) {
			idle = lastAfter
		}
		if c.free(now) && c.bytes > 0 && (c.drafts || now.Sub(c.asked) >= idle) {
			indexes = append(indexes, i)
		}
	}
	slices.SortStableFunc(indexes, func(a, b int) int {
		return cmp.Or(cmp.Compare(candidates[a].rank(), candidates[b].rank()), candidates[a].asked.Compare(candidates[b].asked))
	})
	return indexes
}

// rank orders what is stopped: a lower one goes first.
func (c *candidate) rank() int {
	switch {
	case c.drafts:
		return 0
	case c.linked:
		return 1
	}
	return 2
}
