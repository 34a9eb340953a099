package index

import (
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/memory"
)

const (
	defaultLimit = 10
	// readMost is how many of the best memories by their words alone are read, at least.
	readMost = 30
)

// A Query says what to look for.
type Query struct {
	Text  string
	Limit int // candidates; 0: 10

	// Keep says which memories are searched; nil: all. Discount says how much one counts, above 0 to 1, such as less if it is of another
	// project; nil: 1. Both are called while the index is locked, and must not use it; the text of the Doc is empty.
	Keep     func(Doc) bool
	Discount func(Doc) float64

	// Read returns the memories of these numbers, without those that are gone, in any order. It is called while nothing is locked.
	Read func(n []uint32) ([]memory.Memory, error)

	// Cosine returns the cosines of the vectors of memories and text, by number, where there are some; nil: there are none. It is called like
	// Read, and only if the constants let it count.
	Cosine func(n []uint32) map[uint32]float64

	Of        *Collection         // what the memories are candidates of; nil: they are all that there are
	Constants *evidence.Constants // nil: those in use
}

// A Collection is what is known of memories of which an index has only those with a rare word of a text. Their sessions are incomplete, so
// that they are no evidence.
type Collection struct {
	Memories int            // how many there are
	Docs     map[string]int // how many have a word of the text, as [fulltext.Words] writes it
}

// Rank returns the memories that share words with a text, or stand beside one that does. It reads at most 30 of them, or as many as the
// limit. Its error is that of Read.
func (x *Index) Rank(q Query) (evidence.Ranking, error) {
	c := evidence.Fitted()
	if q.Constants != nil {
		c = *q.Constants
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	r := x.rankers.Get().(*ranker)
	defer x.rankers.Put(r)
	ask := evidence.Ask(r.cutter, q.Text, c)
	found, memories := r.find(x, ask, &q, &c)
	if err := read(found, q.Read); err != nil {
		return evidence.Ranking{}, err
	}
	if q.Cosine != nil && c.Cosine != 0 {
		compare(found, q.Cosine)
	}
	return ask.Weigh(r.cutter, living(found), memories, q.Limit), nil
}

// read fills in the texts of memories.
func read(found []evidence.Found, read func([]uint32) ([]memory.Memory, error)) error {
	if len(found) == 0 {
		return nil
	}
	numbers, place := make([]uint32, len(found)), make(map[uint32]int, len(found))
	for i, f := range found {
		numbers[i], place[f.N] = f.N, i
	}
	memories, err := read(numbers)
	if err != nil {
		return err
	}
	for i := range memories {
		if at, ok := place[memories[i].N]; ok {
			found[at].Text = textOf(&memories[i])
		}
	}
	return nil
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

// living returns the memories that were read: what is gone meanwhile has no text.
func living(found []evidence.Found) []evidence.Found {
	var kept []evidence.Found
	for _, f := range found {
		if f.Text != "" {
			kept = append(kept, f)
		}
	}
	return kept
}
