package fulltext

import (
	"container/heap"
	"slices"
)

// best collects the best hits of a query.
type best struct {
	query *Query
	kept  []Hit // at most twice the limit; the first limit are the best if more than that have been offered
	full  bool  // the hit at the limit is known: what does not come before it is none of the best
}

// wants reports whether a hit may be one of the best.
func (b *best) wants(h Hit) bool { return !b.full || h.Score >= b.kept[b.query.Limit-1].Score }

// bar returns a score that as many hits have as are asked for, 0 if it is not known.
func (b *best) bar() float64 {
	if !b.full {
		return 0
	}
	return b.kept[b.query.Limit-1].Score
}

// offer adds a hit, or drops it if there are better ones enough. With all, none is dropped.
func (b *best) offer(h Hit, all bool) {
	if b.full && !all && b.compare(h, b.kept[b.query.Limit-1]) > 0 {
		return
	}
	b.kept = append(b.kept, h)
	if len(b.kept) >= 2*b.query.Limit && !all {
		slices.SortFunc(b.kept, b.compare)
		b.kept, b.full = b.kept[:b.query.Limit], true
	}
}

// sorted returns the hits, the best first.
func (b *best) sorted() []Hit {
	slices.SortFunc(b.kept, b.compare)
	return b.kept
}

// compare orders by score, then by what the query says about equals.
func (b *best) compare(x, y Hit) int {
	if x.Score != y.Score {
		if x.Score > y.Score {
			return -1
		}
		return 1
	}
	if demote := b.query.Demote; demote != nil {
		if dx, dy := demote(x.ID), demote(y.ID); dx != dy {
			if dy {
				return -1
			}
			return 1
		}
	}
	switch {
	case x.ID == y.ID:
		return 0
	case b.query.Above == nil && x.ID > y.ID, b.query.Above != nil && b.query.Above(x.ID, y.ID):
		return -1
	}
	return 1
}

// A top is the greatest of some sums: a heap, the least first.
type top struct {
	sums []float64
	most int
}

func (t *top) wants(sum float64) bool { return len(t.sums) < t.most || sum > t.sums[0] }

// least returns the least of them, 0 if there are fewer than asked for.
func (t *top) least() float64 {
	if len(t.sums) < t.most {
		return 0
	}
	return t.sums[0]
}

// add adds a sum that is wanted, in the place of the least if there are enough.
func (t *top) add(sum float64) {
	if len(t.sums) < t.most {
		heap.Push(t, sum)
		return
	}
	t.sums[0] = sum
	heap.Fix(t, 0)
}

// Len implements heap.Interface.
func (t *top) Len() int { return len(t.sums) }

// Less implements heap.Interface.
func (t *top) Less(i, j int) bool { return t.sums[i] < t.sums[j] }

// Swap implements heap.Interface.
func (t *top) Swap(i, j int) { t.sums[i], t.sums[j] = t.sums[j], t.sums[i] }

// Push implements heap.Interface.
func (t *top) Push(sum any) { t.sums = append(t.sums, sum.(float64)) }

// Pop implements heap.Interface; sums are replaced and not removed.
func (t *top) Pop() any { panic("fulltext: nothing is removed from a top") }
