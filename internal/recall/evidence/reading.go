package evidence

import (
	"math"
	"strings"

	"tidepool/internal/fulltext"
)

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

func (q *Question) read(cutter *fulltext.Cutter, text string) reading {
	r := reading{has: make([]bool, len(q.Words)), pairs: make([]bool, len(q.pairs)), pieces: make([]uint16, len(q.pieces))}
	last := -1
	foundPair := func(p pair) { r.foundPair(q, p) }
	foundPiece := func(piece uint32) { r.foundPiece(q, piece) }
	cutter.Each(text, func(term []byte) {
		if last = q.follow(last, term, foundPair); last >= 0 {
			r.has[last] = true
		}
		addPieces(term, foundPiece)
		r.length++
		r.terms = append(r.terms, hashOf(term))
	})
	r.terms = sortedSet(r.terms)
	r.named = q.names(cutter, text)
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

// maxName bounds the name at the beginning of a memory, in bytes.
const maxName = 40

// names reports whether a text begins with a name and a colon, and the question has a word of the name.
func (q *Question) names(cutter *fulltext.Cutter, text string) bool {
	name, _, ok := strings.Cut(text[:min(len(text), maxName)], ":")
	if !ok {
		return false
	}
	found := false
	cutter.Each(name, func(term []byte) {
		_, has := q.place[string(term)]
		found = found || has
	})
	return found
}
