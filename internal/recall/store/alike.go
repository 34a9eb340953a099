package store

import (
	"crypto/sha256"
	"math/bits"

	"tidepool/internal/recall/memory"
	"tidepool/internal/sqlite"
)

// A Likeness is what memories are compared by, made from the set of their words.
type Likeness struct {
	Words       int    // how many there are
	Fingerprint []byte // a hash of them: memories with the same one are the same
	Sketch      []byte // of SketchSize bytes; made by Sketch
}

// SketchSize is the size of a sketch in bytes.
const SketchSize = 32

// Overlap is the least share of their words, as Jaccard's index, that memories have in common which are alike.
const Overlap = 0.8

// Sketch returns a set of bits, one for each word by its hash.
//
// Two sets of a and b words whose Jaccard index is at least 4/5 have at most (a+b)/9 words that only one of them has, and each bit that
// only one sketch has comes from such a word. So a comparison of two sketches never misses memories that are alike, and rules out nearly
// all others without reading their text.
func Sketch(words []string) []byte {
	sketch := make([]byte, SketchSize)
	for _, w := range words {
		bit := sha256.Sum256([]byte(w))[0] // FNV's bits hardly differ where short words do
		sketch[bit/8] |= 1 << (bit % 8)
	}
	return sketch
}

// mayBeAlike reports whether the sketches do not rule out that two likenesses are of texts that are alike.
func (l *Likeness) mayBeAlike(o *Likeness) bool {
	if len(l.Sketch) != SketchSize || len(o.Sketch) != SketchSize {
		return false
	}
	apart := 0
	for i := range l.Sketch {
		apart += bits.OnesCount8(l.Sketch[i] ^ o.Sketch[i])
	}
	return 9*apart <= l.Words+o.Words
}

// Same returns the memory with the fingerprint of another one in the same project, or in the user's; nil if there is none.
func (t *Tx) Same(r *Record) (*Record, error) {
	if r.Scope == memory.ForUser {
		return one(t, "WHERE m.fingerprint = ? AND m.scope = 'user'", r.Fingerprint)
	}
	return one(t, "WHERE m.fingerprint = ? AND m.scope = 'project' AND m.project = ?", r.Fingerprint, r.Project.Key)
}

// maxAlike is how many memories Alike returns.
const maxAlike = 32

// Alike returns the memories of the same kind, project and scope that may be alike, the newest first: at most 32. Their words decide. It
// reads a number and a sketch of those with about as many words.
func (t *Tx) Alike(r *Record) ([]Record, error) {
	var found []uint32
	compare := func(row sqlite.Row) error {
		var n uint32
		var o Likeness
		if err := row.Scan(&n, &o.Words, &o.Sketch); err != nil {
			return err
		}
		if len(found) < maxAlike && r.mayBeAlike(&o) {
			found = append(found, n)
		}
		return nil
	}
	least, most := (4*r.Words+4)/5, 5*r.Words/4
	var err error
	if r.Scope == memory.ForUser {
		err = each(t, compare, "SELECT n, words, sketch FROM memory WHERE kind = ? AND scope = 'user' AND words BETWEEN ? AND ? ORDER BY n DESC", r.Kind, least, most)
	} else {
		err = each(t, compare, "SELECT n, words, sketch FROM memory WHERE kind = ? AND scope = 'project' AND project = ? AND words BETWEEN ? AND ? ORDER BY n DESC",
			r.Kind, r.Project.Key, least, most)
	}
	if err != nil {
		return nil, err
	}
	all := make([]Record, 0, len(found))
	for _, n := range found {
		one, err := one(t, "WHERE m.n = ?", n)
		if err != nil {
			return nil, err
		}
		all = append(all, *one)
	}
	return all, nil
}
