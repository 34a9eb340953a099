package index

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// An index of those memories alone that have a word of the prompt gives them the evidence that an index of all gives them.
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
			z[c.N] = c.Z.Z()
		}
		q := Query{Text: text, Limit: 50, Read: model.read, Of: &of}
		for _, c := range rank(t, some, q).Candidates {
			if want, has := z[c.N]; has && math.Abs(c.Z.Z()-want) > 1e-9 {
				t.Errorf("%d has %v, want %v", c.N, c.Z.Z(), want)
			}
		}
	})
}
