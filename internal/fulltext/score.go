package fulltext

import "slices"

// A scorer adds up what the terms of a query count in the documents of one list. It is kept for the next search, as its memory is
// that of the largest segment, 9 bytes a document.
type scorer struct {
	sums     []float64 // by document
	matched  []uint8   // by document: how many required terms it has; 1 more if it has any term
	touched  []int     // documents with a term
	required int       // terms that a document must have
}

const touchedOnce = 1 << 7 // in matched; there are at most 64 terms

// score replaces the sums by those of a list. Terms count in the order of the query, so that equal documents have equal sums to the
// last bit, wherever they are kept.
func (s *scorer) score(l list, terms []queryTerm, docs int, n *norms) {
	s.reset(len(l.docs.ids))
	for i := range terms {
		if terms[i].dropped {
			continue
		}
		one := uint8(0)
		if terms[i].required {
			one = 1
			s.required++
		}
		s.add(l, l.postings[i], idf(docs, terms[i].seen), one, n)
	}
}

func (s *scorer) add(l list, data []byte, idf float64, one uint8, n *norms) {
	for p := readPostings(data); p.next(); {
		if s.matched[p.doc] == 0 {
			s.touched = append(s.touched, p.doc)
			s.matched[p.doc] = touchedOnce
		}
		s.matched[p.doc] += one
		s.sums[p.doc] += idf * n.saturated(&p.posting, l.docs.lengthsOf(p.doc))
	}
}

// matching returns the documents that have all required terms, and any term at all unless all is set.
func (s *scorer) matching(d *documents, all bool) []int {
	if all {
		s.touched = s.touched[:0]
		for doc := range d.ids {
			s.touched = append(s.touched, doc)
		}
		return s.touched
	}
	if s.required == 0 {
		return s.touched
	}
	return slices.DeleteFunc(slices.Clone(s.touched), func(doc int) bool { return int(s.matched[doc]&^touchedOnce) < s.required })
}

// reset clears the sums, for so many documents.
func (s *scorer) reset(docs int) {
	for _, doc := range s.touched {
		s.sums[doc], s.matched[doc] = 0, 0
	}
	s.touched, s.required = s.touched[:0], 0
	if len(s.sums) < docs {
		s.sums, s.matched = make([]float64, docs), make([]uint8, docs)
	}
}

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
