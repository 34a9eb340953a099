package fulltext

import "slices"

// best collects the best hits of a query.
type best struct {
	query *Query
	kept  []Hit // at most twice the limit; the first limit are the best if more than that have been offered
	full  bool  // the hit at the limit is known: what does not come before it is none of the best
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
