package index

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"tidepool/internal/recall/evidence"
)

// An index of those memories alone that have a word of the prompt gives them the evidence that an index of all gives them, but for what
// their sessions add.
func TestCandidatesOfACollection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		all, model := New(), naive{}
		for range rapid.IntRange(1, 25).Draw(t, "memories") {
			m := drawMemory(t)
			all.Put(DocOf(&m))
			model[m.N] = m
		}
		some, of := New(), Collection{Memories: len(model), Docs: map[string]int{}}
		for n, m := range model {
			has := false
			for _, word := range model.rarest(text) {
				if model.text(n).counts[word] > 0 {
					of.Docs[word]++
					has = true
				}
			}
			if has {
				some.Put(DocOf(&m))
			}
		}
		z := map[uint32]float64{}
		for _, c := range rank(t, all, Query{Text: text, Limit: 50, Read: model.read}).Candidates {
			z[c.N] = ownZ(c.Z)
		}
		q := Query{Text: text, Limit: 50, Read: model.read, Of: &of}
		for _, c := range rank(t, some, q).Candidates {
			if want, has := z[c.N]; has && math.Abs(ownZ(c.Z)-want) > 1e-9 {
				t.Errorf("%d has %v, want %v", c.N, ownZ(c.Z), want)
			}
		}
	})
}

// ownZ is z without what the session of a memory adds and the best memory takes away.
func ownZ(e evidence.Evidence) float64 {
	e.Whole, e.Behind = 0, 0
	return e.Z()
}
