package index

import (
	"cmp"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/memory"
)

const (
	defaultLimit = 10
	defaultDepth = 30
)

// A Query says what to look for.
type Query struct {
	Text  string
	Limit int // candidates; 0: 10
	Depth int // how many of the best memories by their words alone are read, at least Limit; 0: 30

	// Keep says which memories are searched; nil: all. Discount says how much one counts, above 0 to 1, such as less if it is of another
	// project; nil: 1. Both are called while the index is locked, and must not use it; the text of the Doc is empty.
	Keep     func(Doc) bool
	Discount func(Doc) float64

	// Read returns the memories of these numbers, without those that are gone, in any order. It is called while nothing is locked, and not
	// for those whose words are kept: one of these may be found although it was removed a moment ago. Only what the index has of a memory
	// has to be there: its text, its labels, when it was made.
	Read func(n []uint32) ([]memory.Memory, error)

	// Cosine returns the cosines of the vectors of memories and text, by number, where there are some; nil: there are none. It is called like
	// Read, and only if the constants let it count.
	Cosine func(n []uint32) map[uint32]float64

	Of        *Collection         // what the memories are candidates of; nil: they are all that there are
	Constants *evidence.Constants // nil: those in use
}

// depth returns how many memories are read.
func (q *Query) depth() int { return max(q.Limit, cmp.Or(q.Depth, defaultDepth)) }

// A Collection is what is known of memories of which an index has only those with a rare word of a text. Their sessions are incomplete, so
// that they are no evidence.
type Collection struct {
	Memories int            // how many there are
	Docs     map[string]int // how many have a word of the text, as [fulltext.Words] writes it
}

// Rank returns the memories that share words with a text, or stand beside one that does. It reads as many of them as
// the depth says. Its error is that of Read.
func (x *Index) Rank(q Query) (evidence.Ranking, error) {
	c := evidence.Fitted()
	if q.Constants != nil {
		c = *q.Constants
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	r := x.ranker()
	defer x.giveBack(r)
	ask := evidence.Ask(r.cutter, q.Text, c)
	best, memories := r.find(x, ask, &q, &c)
	found, err := x.read(r, best, q.Read)
	if err != nil {
		return evidence.Ranking{}, err
	}
	if q.Cosine != nil && c.Cosine != 0 {
		compare(found, q.Cosine)
	}
	return ask.Weigh(found, memories, q.Limit), nil
}

// read returns the best memories with their texts, without those that are gone. It reads those that are not kept as they were cut before.
func (x *Index) read(r *ranker, best []candidate, read func([]uint32) ([]memory.Memory, error)) ([]evidence.Found, error) {
	var missing []uint32
	place := make(map[uint32]int, len(best))
	for i := range best {
		f := &best[i].found
		if f.Cut = x.cuts.get(f.N, best[i].hash); f.Cut == nil {
			missing, place[f.N] = append(missing, f.N), i
		}
	}
	if len(missing) > 0 {
		memories, err := read(missing)
		if err != nil {
			return nil, err
		}
		for i := range memories {
			if at, ok := place[memories[i].N]; ok {
				text := textOf(&memories[i])
				best[at].found.Cut = evidence.CutText(r.cutter, text)
				x.cuts.put(memories[i].N, hashOf(text), best[at].found.Cut)
			}
		}
	}
	found := make([]evidence.Found, 0, len(best))
	for i := range best {
		if best[i].found.Cut != nil {
			found = append(found, best[i].found)
		}
	}
	return found, nil
}

// compare fills in the cosines of memories.
func compare(found []evidence.Found, cosines func([]uint32) map[uint32]float64) {
	numbers := make([]uint32, len(found))
	for i, f := range found {
		numbers[i] = f.N
	}
	of := cosines(numbers)
	for i := range found {
		found[i].Cosine = of[found[i].N]
	}
}
