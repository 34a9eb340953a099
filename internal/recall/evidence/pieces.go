package evidence

// pieceSize is how many bytes a piece of a word has. A shorter word is one piece.
const pieceSize = 4

// addPieces calls add with each piece of a term, as a number.
func addPieces(term string, add func(uint32)) {
	if len(term) <= pieceSize {
		add(pieceOf(term))
		return
	}
	for i := range len(term) - pieceSize + 1 {
		add(pieceOf(term[i : i+pieceSize]))
	}
}

func pieceOf(text string) uint32 {
	n := uint32(0)
	for i := range len(text) {
		n = n<<8 | uint32(text[i])
	}
	return n
}

// A sieve has a bit for each piece of a question, or for the hash of each of its terms. Nearly all of a memory are none of the question's, and
// need not be looked up.
type sieve [256]uint64

func (s *sieve) add(number uint32) {
	word, bit := placeOf(number)
	s[word] |= bit
}

func (s *sieve) mayHave(number uint32) bool {
	word, bit := placeOf(number)
	return s[word]&bit != 0
}

// placeOf takes the upper 14 bits of a multiplication by 2³² over the golden ratio: Knuth, The Art of Computer Programming, 6.4.
func placeOf(number uint32) (word int, bit uint64) {
	hash := number * 2654435769 >> 18
	return int(hash >> 6), 1 << (hash & 63)
}

// scorePieces returns BM25 of the pieces that readings share with a question, among the readings, from 0 to 1.
func (q *Question) scorePieces(readings []reading) []float64 {
	c := &q.constants
	scores := make([]float64, len(readings))
	length, most := 0., 0.
	for i := range readings {
		length += float64(readings[i].length) / float64(len(readings))
	}
	for piece := range len(q.pieces) {
		seen := 0
		for i := range readings {
			if readings[i].pieces[piece] > 0 {
				seen++
			}
		}
		idf := IDF(len(readings), seen)
		most += idf
		for i := range readings {
			if count := readings[i].pieces[piece]; count > 0 {
				scores[i] += idf * Saturate(float64(count), float64(readings[i].length)/length, c.K1, c.B)
			}
		}
	}
	for i := range scores {
		if most > 0 {
			scores[i] /= most
		}
	}
	return scores
}
