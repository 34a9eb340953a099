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
	Doc  string // its comment; "" if it has none, or that is not known
}

// A Beginning is what is known of the seeds of a topic beside their names.
type Beginning struct {
	Seeds []int   // functions, as indices of Ran
	Named [][]int // of each seed, type or function, the tests whose text names it, as indices of Tests
	Calls [][]int // functions that the seeds call, as indices of Ran, then those that these call, and so on
}

// Constants of Telling. Each was the best of those given behind it, or as good as the best, on 68 topics of 17 public modules, made as
// those of make bench-teach are, but without its sandbox: others found up to three percentage points less of the telling functions.
const (
	rareness     = 1.25 // of 1 to 1.75: the power of rarity, for only few of the functions that tests of a topic run tell most
	likeBest     = .3   // of .2 to .4: a test is of a topic if it is this near to it, of the nearest test
	mostTests    = 2    // of 2, 3 and 5: at most one test of so many is of a topic
	wordInDoc    = .5   // of 0 to 1: what a word in the comment of a test counts, against one in its name
	seedInText   = .5   // of 0, .3, .7, 1 and 2: what it counts that a test names a seed, against that it runs it
	calledBySeed = 1    // of 0 to 2: that a seed calls a function counts like so many of the nearest tests that run it
	calledBelow  = .2   // of 0 to .6, on the 48 topics that make bench-teach tunes with: the same of a function that those call, or that these do
	leastTests   = 4    // not measured: without so many tests nothing is telling
)

// Telling returns the functions that belong to a topic and that most tests do not run, as indices of Ran, the most telling first, and
// the tests that are of the topic, the nearest to it first. A test is of the topic if its name or its comment has words of it, or if it
// runs or names its seeds; what few tests have counts more than what most have. A function belongs to the topic if those tests run it,
// or if a seed calls it, itself or through others: the tests that would show that may not be there. Nothing is telling if no test is of
// the topic.
func (r Record) Telling(topic string, begin Beginning) (functions, tests []int) {
	near := r.nearness(topicWords(topic), begin)
	tests = nearest(near)
	if len(r.Tests) < leastTests || len(tests) == 0 {
		return nil, nil
	}
	scores := make([]float64, len(r.Ran))
	for depth, calls := range begin.Calls {
		for _, f := range calls {
			scores[f] = max(scores[f], calledAt(depth))
		}
	}
	for f, ran := range r.Ran {
		for _, t := range ran {
			if slices.Contains(tests, t) {
				scores[f] += near[t] / near[tests[0]]
			}
		}
		scores[f] *= math.Pow(r.rarity(ran), rareness)
		if scores[f] > 0 && 2*len(ran) <= len(r.Tests) {
			functions = append(functions, f)
		}
	}
	slices.SortStableFunc(functions, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return functions, tests
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
	slices.Sort(words)
	for _, word := range slices.Compact(words) {
		has := func(text string) bool { return matches([]string{word}, text) > 0 }
		r.approach(near, 1, r.those(func(t Test) bool { return has(t.Name) }))
		r.approach(near, wordInDoc, r.those(func(t Test) bool { return !has(t.Name) && has(t.Doc) }))
	}
	for _, seed := range begin.Seeds {
		r.approach(near, 1, r.Ran[seed])
	}
	for _, tests := range begin.Named {
		r.approach(near, seedInText, tests)
	}
	return near
}

// those returns the tests of which something is true.
func (r Record) those(is func(Test) bool) (tests []int) {
	for i, t := range r.Tests {
		if is(t) {
			tests = append(tests, i)
		}
	}
	return tests
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
