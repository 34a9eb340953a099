package knownitem

// A Score says how often the turn that was looked for was found.
type Score struct {
	Queries int
	First   float64 // share of the queries whose turn came first: hit@1
	Five    float64 // among the first five: hit@5
	Mean    float64 // mean of 1/rank, 0 for a rank beyond 100: MRR
}

// depth is how many hits are looked at.
const depth = 100

// Evaluate asks each query, and returns how far up its turn came. rank returns the indexes of turns, the best first, at most so many.
func Evaluate(queries []Query, rank func(query string, most int) []int) Score {
	s := Score{Queries: len(queries)}
	for _, q := range queries {
		for i, turn := range rank(q.Text, depth) {
			if turn != q.Turn {
				continue
			}
			s.Mean += 1 / float64(i+1)
			if i == 0 {
				s.First++
			}
			if i < 5 {
				s.Five++
			}
			break
		}
	}
	if n := float64(max(len(queries), 1)); n > 0 {
		s.First, s.Five, s.Mean = s.First/n, s.Five/n, s.Mean/n
	}
	return s
}
