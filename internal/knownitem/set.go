package knownitem

import "math/rand/v2"

// A Turn is a prompt and what followed, in the fields that a search may weigh.
type Turn struct {
	Prompt string
	Prose  string // of the answer
	Code   string // of the answer
	Files  []string
}

// Answer returns prose and code as a model writes them: code in fences.
func (t Turn) Answer() string {
	if t.Code == "" {
		return t.Prose
	}
	return t.Prose + "\n\n```\n" + t.Code + "\n```\n"
}

// A Query is what somebody types who looks for a turn.
type Query struct {
	Text   string
	Turn   int  // its index in the turns
	Tuning bool // it is for choosing weights, and its result is not published
}

// A Set is turns, and queries about some of them.
type Set struct {
	Name    string
	Turns   []Turn
	Queries []Query
}

// Half returns the queries for tuning, or the others.
func (s Set) Half(tuning bool) []Query {
	var half []Query
	for _, q := range s.Queries {
		if q.Tuning == tuning {
			half = append(half, q)
		}
	}
	return half
}

// Shortened returns the set with three words of each query, chosen at random among those that are no function words. Queries with fewer
// are left out. The same set gives the same words each time.
func (s Set) Shortened() Set {
	short := Set{Name: s.Name + ", by three words", Turns: s.Turns}
	random := rand.New(rand.NewPCG(3, 3))
	for _, q := range s.Queries {
		words := contentWords(q.Text)
		if len(words) < 3 {
			continue
		}
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		q.Text = words[0] + " " + words[1] + " " + words[2]
		short.Queries = append(short.Queries, q)
	}
	return short
}
