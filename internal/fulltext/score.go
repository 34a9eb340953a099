package fulltext

import "slices"

// A scorer adds up what the terms of a query count in the documents of one list. It is kept for the next search, as its memory is
// that of the largest segment, 13 bytes a document.
type scorer struct {
	sums     []float64 // by document
	matched  []uint8   // by document: how many required terms it has, and touched if it has any term
	found    []int32   // documents with a term
	required int       // terms that a document must have
}

const touched = 1 << 7 // in matched; there are at most 64 terms

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

// add adds what a term counts in each of its documents.
func (s *scorer) add(l list, data []byte, idf float64, one uint8, n *norms) {
	lengths, fields := l.docs.lengths, l.docs.fields
	sums, matched, found := s.sums, s.matched[:len(s.sums)], s.found
	p := readPostings(data)
	for p.next() {
		doc := int(p.doc)
		if matched[doc] == 0 {
			found = append(found, p.doc)
			matched[doc] = touched
		}
		matched[doc] += one
		sums[doc] += idf * n.saturated(&p, lengths[doc*fields:][:fields])
	}
	s.found = found
}

// matching returns the documents that have all required terms, and any term at all unless all is set.
func (s *scorer) matching(d *documents, all bool) []int32 {
	switch {
	case all:
		every := make([]int32, len(d.ids))
		for doc := range every {
			every[doc] = int32(doc)
		}
		return every
	case s.required == 0:
		return s.found
	}
	return slices.DeleteFunc(slices.Clone(s.found), func(doc int32) bool { return int(s.matched[doc]&^touched) < s.required })
}

// reset clears the sums, for so many documents.
func (s *scorer) reset(docs int) {
	for _, doc := range s.found {
		s.sums[doc], s.matched[doc] = 0, 0
	}
	s.found, s.required = s.found[:0], 0
	if len(s.sums) < docs {
		s.sums, s.matched = make([]float64, docs), make([]uint8, docs)
	}
}
