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

// read compares a memory with the question. It goes over the bytes of the memory once: a prompt has 30 memories of some hundred words read.
func (q *Question) read(c *Cut) reading {
	r := reading{has: make([]bool, len(q.Words)), pairs: make([]bool, len(q.pairs)), pieces: make([]uint16, len(q.pieces)), terms: c.set}
	last := -1
	for start := 0; start < len(c.terms); r.length++ {
		end, hash, piece := start, hashStart, uint32(0)
		for ; c.terms[end] != '\n'; end++ {
			hash, piece = addToHash(hash, c.terms[end]), piece<<8|uint32(c.terms[end])
			if end-start >= pieceSize-1 && q.sieve.mayHave(piece) {
				r.foundPiece(q, piece)
			}
		}
		if end-start < pieceSize && q.sieve.mayHave(piece) {
			r.foundPiece(q, piece)
		}
		if !q.words.mayHave(hash) {
			last = -1
		} else if last = q.follow(last, c.terms[start:end], func(p pair) { r.foundPair(q, p) }); last >= 0 {
			r.has[last] = true
		}
		start = end + 1
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
	if i, ok := q.pieces[piece]; ok && r.pieces[i] < math.MaxUint16 {
		r.pieces[i]++
	}
}
