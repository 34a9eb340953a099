package teach

import (
	"cmp"
	"math"
	"slices"
)

// A Record is what tests ran when each was run alone.
type Record struct {
	Tests []Test
	Ran   [][]int // of each function the tests that ran it, as indices of Tests, each once
}

// A Test is what a test says of itself.
type Test struct {
	Name string
	Text string // its source with the comment above it; "" if that is not known
}

// A Beginning is what is known of the seeds of a topic beside their names.
type Beginning struct {
	Seeds []int   // functions, as indices of Ran
	Named [][]int // of each seed, type or function, the tests whose text names it, as indices of Tests
	Calls [][]int // functions that the seeds call, as indices of Ran, then those that these call, and so on
}

// Constants of Telling. Each was the best of those given behind it, or as good as the best, on topics of public modules, made as those of
// make bench-teach are: the 48 that it tunes with, and 54 of nine larger modules, where most tests run most functions. Others found up to
// three percentage points less of the telling functions, of the larger modules up to thirteen.
const (
	rareness     = 1.25 // of .75 to 2: the power of rarity, for only few of the functions that tests of a topic run tell most
	sharpness    = 3    // of 1 to 5: the power of nearness, for the nearest tests tell most
	likeBest     = .4   // of .1 to .7: a test is of a topic if it is this near to it, of the nearest test
	mostTests    = 2    // of 2 to 20: at most one test of so many is of a topic
	wordInText   = 1    // of 0 to 3: what a word in the text of a test counts, and once more in its name
	seedInText   = .5   // of 0 to 2: what it counts that a test names a seed, against that it runs it
	calledBySeed = 1    // of 0 to 2: that a seed calls a function counts like so many of the nearest tests that run it
	calledBelow  = .2   // of .1 to .8: the same of a function that those call, or that these do
	calledTells  = 2    // of 1 to 4: what all that tells of a function counts if a seed calls it
	leastTests   = 4    // not measured: without so many tests nothing is telling
)

// Telling returns the functions that belong to a topic and that most tests do not run, as indices of Ran, the most telling first, and
// the tests that are of the topic, the nearest to it first. A test is of the topic if its name or its text has words of it, or if it
// runs or names its seeds; what few tests have counts more than what most have. A function belongs to the topic if those tests run it,
// or if a seed calls it, itself or through others: the tests that would show that may not be there. Nothing is telling if no test is of
// the topic.
func (r Record) Telling(topic string, begin Beginning) (functions, tests []int) {
	near := r.nearness(topicWords(topic), begin)
	tests = nearest(near)
	if len(r.Tests) < leastTests || len(tests) == 0 {
		return nil, nil
	}
	scores := r.scores(near, tests, begin.Calls)
	for f, ran := range r.Ran {
		if scores[f] > 0 && 2*len(ran) <= len(r.Tests) {
			functions = append(functions, f)
		}
	}
	slices.SortStableFunc(functions, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return functions, tests
}

// scores returns what tells of each function: that seeds call it, and that tests of the topic run it, times how few run it at all.
func (r Record) scores(near []float64, tests []int, calls [][]int) []float64 {
	scores, times := make([]float64, len(r.Ran)), make([]float64, len(r.Ran))
	for depth, functions := range calls {
		for _, f := range functions {
			scores[f] = max(scores[f], calledAt(depth))
			if depth == 0 {
				times[f] = calledTells
			}
		}
	}
	for f, ran := range r.Ran {
		for _, t := range ran {
			if slices.Contains(tests, t) {
				scores[f] += math.Pow(near[t]/near[tests[0]], sharpness)
			}
		}
		scores[f] *= max(times[f], 1) * math.Pow(r.rarity(ran), rareness)
	}
	return scores
}

// calledAt is what a call counts behind so many others.
func calledAt(depth int) float64 {
	if depth == 0 {
		return calledBySeed
	}
	return calledBelow
}

// rarity is the weight of something that these tests have: 1 if none has it, 0 if all have it.
func (r Record) rarity(tests []int) float64 {
	return math.Log(float64(1+len(r.Tests))/float64(1+len(tests))) / math.Log(float64(1+len(r.Tests)))
}

// nearness returns how near each test is to a topic, from 0.
func (r Record) nearness(words []string, begin Beginning) []float64 {
	near := make([]float64, len(r.Tests))
	names := r.index(func(t Test) string { return t.Name })
	texts := r.index(func(t Test) string { return t.Text })
	slices.Sort(words)
	for _, word := range slices.Compact(words) {
		r.approach(near, 1, names.having(word))
		r.approach(near, wordInText, texts.having(word))
	}
	for _, seed := range begin.Seeds {
		r.approach(near, 1, r.Ran[seed])
	}
	for _, tests := range begin.Named {
		r.approach(near, seedInText, tests)
	}
	return near
}

// A wordIndex lists by word the tests whose name or text has the word, as indices in ascending order.
type wordIndex map[string][]int

// index finds the words of what tests say.
func (r Record) index(said func(Test) string) wordIndex {
	x := make(wordIndex)
	for i, t := range r.Tests {
		for _, word := range wordsOf(said(t)) {
			if of := x[word]; len(of) == 0 || of[len(of)-1] != i {
				x[word] = append(of, i)
			}
		}
	}
	return x
}

// having returns the tests that have a form of a word, each once.
func (x wordIndex) having(word string) (tests []int) {
	for form, of := range x {
		if sameStem(word, form) {
			tests = append(tests, of...)
		}
	}
	slices.Sort(tests)
	return slices.Compact(tests)
}

// approach brings tests nearer which have something in common, the more the fewer they are.
func (r Record) approach(near []float64, by float64, tests []int) {
	for _, t := range tests {
		near[t] += by * r.rarity(tests)
	}
}

// nearest returns the tests that are near enough, the nearest first.
func nearest(near []float64) []int {
	best := slices.Max(append(slices.Clone(near), 0))
	var all []int
	for t := range near {
		if near[t] > 0 && near[t] >= likeBest*best {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	return all[:min(len(all), len(near)/mostTests)]
}
