package evidence

import "math"

// A reading is what the text of a candidate has of a question.
type reading struct {
	has    []bool   // by place in Words
	pairs  []bool   // by number
	paired int      // pairs that it has
	pieces []uint16 // by number: how often
	length int      // words
	named  bool     // it begins with a name that the prompt has
	terms  []uint32 // a hash of each distinct term, sorted
}

func (q *Question) read(c *Cut) reading {
	r := reading{has: make([]bool, len(q.Words)), pairs: make([]bool, len(q.pairs)), pieces: make([]uint16, len(q.pieces)), terms: c.set}
	last := -1
	foundPair := func(p pair) { r.foundPair(q, p) }
	foundPiece := func(piece uint32) { r.foundPiece(q, piece) }
	for term := range each(c.terms) {
		if last = q.follow(last, term, foundPair); last >= 0 {
			r.has[last] = true
		}
		addPieces(term, foundPiece)
		r.length++
	}
	for term := range each(c.name) {
		_, has := q.place[term]
		r.named = r.named || has
	}
	return r
}

func (r *reading) foundPair(q *Question, p pair) {
	if i, ok := q.pairs[p]; ok && !r.pairs[i] {
		r.pairs[i] = true
		r.paired++
	}
}

func (r *reading) foundPiece(q *Question, piece uint32) {
	if !q.sieve.mayHave(piece) {
		return
	}
	if i, ok := q.pieces[piece]; ok && r.pieces[i] < math.MaxUint16 {
		r.pieces[i]++
	}
}
