package fulltext

import "slices"

// A scorer adds up what the terms of a query count in the documents of one list. It is kept for the next search, as its memory is
// that of the largest segment, 9 bytes a document.
type scorer struct {
	sums     []float64 // by document
	matched  []uint8   // by document: how many required terms it has; used only if there are any
	seen     []uint64  // a bit for each document with a term
	found    []int32   // those that have a sum
	reach    []uint64  // a bit for each document whose sum still counts, since narrow
	required int       // terms that a document must have
}

// add adds what a term counts in each of its documents.
func (s *scorer) add(l list, t *queryTerm, idf float64, n *norms) {
	lengths, fields := l.docs.lengths, l.docs.fields
	sums, seen, found := s.sums, s.seen, s.found
	p := readPostings(l.postings[t.place])
	for p.nextDoc() {
		doc := int(p.doc)
		if bit := uint64(1) << (doc & 63); seen[doc>>6]&bit == 0 {
			seen[doc>>6] |= bit
			found = append(found, p.doc)
		}
		if p.form < several && lengths[doc*fields+int(p.form)] < maxShort { // as saturated does, without the call: two of three are of this kind
			sums[doc] += idf * n.once[p.form][lengths[doc*fields+int(p.form)]]
		} else {
			sums[doc] += idf * n.saturated(&p, lengths[doc*fields:][:fields])
		}
		if t.required {
			s.matched[doc]++
		}
	}
	s.found = found
	if t.required {
		s.required++
	}
}

// narrow drops the documents whose sums are below a bar: only those above are added to from now on.
func (s *scorer) narrow(bar float64) {
	s.reach = append(s.reach[:0], s.seen...)
	clear(s.reach)
	s.found = slices.DeleteFunc(s.found, func(doc int32) bool {
		if s.sums[doc] < bar {
			s.sums[doc] = 0
			return true
		}
		s.reach[doc>>6] |= 1 << (doc & 63)
		return false
	})
}

// addWithin adds what a term counts in the documents that narrow has left, and marks the others with it as seen.
func (s *scorer) addWithin(l list, t *queryTerm, idf float64, n *norms) {
	lengths, fields := l.docs.lengths, l.docs.fields
	p := readPostings(l.postings[t.place])
	for p.nextDoc() {
		doc := int(p.doc)
		bit := uint64(1) << (doc & 63)
		s.seen[doc>>6] |= bit
		if s.reach[doc>>6]&bit == 0 {
			p.skipCounts()
			continue
		}
		s.sums[doc] += idf * n.saturated(&p, lengths[doc*fields:][:fields])
	}
}

// addFrequent is addWithin for a term with a bitmap: it reads the postings of the documents that are left.
func (s *scorer) addFrequent(l list, t *queryTerm, idf float64, n *norms) {
	lengths, fields := l.docs.lengths, l.docs.fields
	data, m := l.postings[t.place], l.bitmaps[t.place]
	var p postings
	for word, docs := range m.docs {
		s.seen[word] |= docs
		if docs &= s.reach[word]; docs == 0 {
			continue
		}
		p.doc, p.data = m.places[word].last, data[m.places[word].at:]
		for docs != 0 && p.nextDoc() {
			bit := uint64(1) << (p.doc & 63)
			if docs&bit == 0 {
				p.skipCounts()
				continue
			}
			docs &^= bit
			doc := int(p.doc)
			s.sums[doc] += idf * n.saturated(&p, lengths[doc*fields:][:fields])
		}
	}
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
	return slices.DeleteFunc(slices.Clone(s.found), func(doc int32) bool { return int(s.matched[doc]) < s.required })
}

// reset clears the sums, for so many documents.
func (s *scorer) reset(docs int) {
	for _, doc := range s.found {
		s.sums[doc] = 0
	}
	if s.required > 0 {
		clear(s.matched)
	}
	clear(s.seen)
	s.found, s.required = s.found[:0], 0
	if len(s.sums) < docs {
		s.sums, s.matched = make([]float64, docs), make([]uint8, docs)
	}
	s.seen = slices.Grow(s.seen[:0], (docs+63)/64)[:(docs+63)/64]
}
