package teach

import (
	"cmp"
	"math"
	"slices"
)

// A Record is what tests ran when each was run alone.
type Record struct {
	Tests []string // their names
	Ran   [][]int  // of each function the tests that ran it, as indices of Tests, each once
}

// Constants of Telling, chosen with the topics for tuning of make bench-teach.
const (
	likeBest   = .3 // a test is of a topic if it is this near to it, of the nearest test
	mostTests  = 3  // at most one test of so many is of a topic
	leastTests = 4  // without so many tests nothing is telling
)

// Telling returns the functions that tests of a topic run and most others do not, as indices of Ran, the most telling first, and
// those tests, the nearest to the topic first. Tests are of a topic if their names have its words, or if they run its seeds,
// which are indices of Ran; what few tests have counts more than what most have. Nothing is telling if no test is of the topic.
func (r Record) Telling(topic string, seeds []int) (functions, tests []int) {
	near := r.nearness(topicWords(topic), seeds)
	tests = nearest(near)
	if len(r.Tests) < leastTests || len(tests) == 0 {
		return nil, nil
	}
	weights, whole := make(map[int]float64, len(tests)), 0.0
	for _, t := range tests {
		weights[t], whole = near[t], whole+near[t]
	}
	scores := make([]float64, len(r.Ran))
	others := len(r.Tests) - len(tests)
	for f, ran := range r.Ran {
		share, elsewhere := 0.0, 0
		for _, t := range ran {
			if w, of := weights[t]; of {
				share += w / whole
			} else {
				elsewhere++
			}
		}
		if share > 0 && 2*elsewhere <= others {
			scores[f] = share * math.Log(float64(1+others)/float64(1+elsewhere))
			functions = append(functions, f)
		}
	}
	slices.SortStableFunc(functions, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return functions, tests
}

// nearness returns how near each test is to a topic, from 0.
func (r Record) nearness(words []string, seeds []int) []float64 {
	near := make([]float64, len(r.Tests))
	slices.Sort(words)
	for _, word := range slices.Compact(words) {
		var having []int
		for t, name := range r.Tests {
			if matches([]string{word}, name) > 0 {
				having = append(having, t)
			}
		}
		r.approach(near, having)
	}
	for _, seed := range seeds {
		r.approach(near, r.Ran[seed])
	}
	return near
}

// approach brings tests nearer which have something in common, the more the fewer they are.
func (r Record) approach(near []float64, tests []int) {
	for _, t := range tests {
		near[t] += math.Log(float64(1+len(r.Tests))/float64(1+len(tests))) / math.Log(float64(1+len(r.Tests)))
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
