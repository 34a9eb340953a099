package evidence

import (
	"math"
	"slices"
)

// A weighed is a memory with its parts.
type weighed struct {
	found   *Found
	reading reading
	addends Addends
	score   float64
}

// Weigh ranks what an index has found, among so many memories, and returns at most limit of them.
func (q *Question) Weigh(found []Found, memories, limit int) Ranking {
	readings := make([]reading, len(found))
	for i := range found {
		readings[i] = q.read(found[i].Cut)
	}
	pieces := q.scorePieces(readings)
	all := make([]weighed, len(found))
	for i := range found {
		a := q.addends(&found[i], &readings[i], pieces[i])
		all[i] = weighed{&found[i], readings[i], a, a.score()}
	}
	slices.SortFunc(all, compare)
	all = withoutDuplicates(all)
	r := Ranking{Words: q.Words, Thin: q.thin}
	for i, w := range all[:min(len(all), limit)] {
		c := Candidate{
			N: w.found.N, Score: w.score, Addends: w.addends, Z: q.weigh(w.found, &w.reading, memories), Matched: q.matched(&w.reading),
		}
		if i > 0 {
			c.Z.Behind = min(0, r.Candidates[0].Z.Z()-c.Z.Z())
		}
		r.Candidates = append(r.Candidates, c)
	}
	return r
}

// compare orders by score, and the newer first among equals.
func compare(a, b weighed) int {
	switch {
	case a.score > b.score, a.score == b.score && a.found.newer(b.found):
		return -1
	case a.found.N == b.found.N:
		return 0
	}
	return 1
}

func (q *Question) addends(f *Found, r *reading, pieces float64) Addends {
	c := &q.constants
	a := Addends{
		Neighbours: c.Neighbours * f.Neighbours, Best: c.Best * f.Best, Session: c.Session * f.Session,
		Pieces: c.Pieces * pieces, Cosine: c.Cosine * f.Cosine, Factor: f.Factor,
	}
	if len(q.pairs) > 0 {
		a.Pairs = c.Pairs * float64(r.paired) / float64(len(q.pairs))
	}
	if r.named {
		a.Named = c.Named
	}
	if inMonths(q.months, f.At) {
		a.Dated = c.Dated
	}
	return a
}

func (q *Question) matched(r *reading) []string {
	var words []string
	for i, has := range r.has {
		if has {
			words = append(words, q.Words[i].Text)
		}
	}
	return words
}

// maxPairs is how many pairs count as evidence: two words that stand together by chance often do in a row.
const maxPairs = 2

// weigh returns the evidence for a memory, of so many.
func (q *Question) weigh(f *Found, r *reading, memories int) Evidence {
	c := &q.constants
	all, cover, chance, matched := 0., 0., 0., 0
	for i, w := range q.Words {
		all += w.Rare
		if !r.has[i] {
			continue
		}
		matched++
		cover += w.Rare
		share := math.Exp(-w.Rare)
		chance -= math.Log((float64(w.Docs) + c.Prior*share) / (float64(memories) + c.Prior))
	}
	if all > 0 {
		cover /= all
	}
	chance -= math.Log(float64(max(memories, 1))) + logChoose(len(q.Words), matched)
	e := Evidence{
		Cover: c.Cover * cover, Chance: c.Chance * chance, Pairs: c.Pair * float64(min(r.paired, maxPairs)),
		Words: c.Words * math.Log1p(float64(len(q.Words))), Store: c.Store * math.Log1p(float64(memories)), Offset: c.Offset,
	}
	e.Names = c.Identifier * float64(q.matchedIdentifiers(r, memories))
	if !f.Alone {
		e.Whole = c.Whole * (f.Session - f.Best)
	}
	return e
}

// logChoose returns ln of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	whole, _ := math.Lgamma(float64(n + 1))
	chosen, _ := math.Lgamma(float64(k + 1))
	others, _ := math.Lgamma(float64(n - k + 1))
	return whole - chosen - others
}
