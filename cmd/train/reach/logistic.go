package main

import (
	"cmp"
	"math"
	"slices"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/reach"
)

// How the weights are fitted.
const (
	rounds  = 400
	rate    = 0.05
	decay   = 0.003
	listed  = 15 // tests of one answer, as scout lists them
	inertia = 0.9
	memory  = 0.99
)

// fit finds weights by logistic regression, with Adam's steps on features of equal spread. A function with many tests
// counts more than one with few, but not as much more as it has tests.
func fit(questions []question) reach.Features {
	mean, spread := moments(questions)
	var weights, momentum, square reach.Features
	for round := 1; round <= rounds; round++ {
		slope := gradient(questions, weights, mean, spread)
		for i := range weights {
			g := slope[i] - decay*weights[i]
			momentum[i] = inertia*momentum[i] + (1-inertia)*g
			square[i] = memory*square[i] + (1-memory)*g*g
			step := momentum[i] / (1 - math.Pow(inertia, float64(round)))
			weights[i] += rate * step / (math.Sqrt(square[i]/(1-math.Pow(memory, float64(round)))) + 1e-6)
		}
	}
	var plain reach.Features
	for i := range weights {
		plain[i] = weights[i] / spread[i]
		plain[0] -= plain[i] * mean[i] // the first one is the constant
	}
	return plain
}

// moments returns the mean and the standard deviation of each feature; 0 and 1 of one that is always the same.
func moments(questions []question) (mean, spread reach.Features) {
	n := 0.0
	for _, q := range questions {
		for _, e := range q.examples {
			n++
			for i, x := range e.features {
				mean[i] += x
				spread[i] += x * x
			}
		}
	}
	for i := range mean {
		mean[i] /= n
		if spread[i] = math.Sqrt(max(0, spread[i]/n-mean[i]*mean[i])); spread[i] < 1e-9 {
			mean[i], spread[i] = 0, 1
		}
	}
	return mean, spread
}

func gradient(questions []question, weights, mean, spread reach.Features) (slope reach.Features) {
	all := 0.0
	for _, q := range questions {
		share := 1 / math.Sqrt(float64(len(q.examples)))
		for _, e := range q.examples {
			var x reach.Features
			for i := range x {
				x[i] = (e.features[i] - mean[i]) / spread[i]
			}
			wrong := -x.Chance(weights)
			if e.runs {
				wrong++
			}
			for i := range x {
				slope[i] += share * wrong * x[i]
			}
			all += share
		}
	}
	for i := range slope {
		slope[i] /= all
	}
	return slope
}

// score returns the mean F1 of the answers that weights give.
func score(questions []question, weights reach.Features) float64 {
	sum := 0.0
	for _, q := range questions {
		var tests []fact.Test
		right := make(map[float64]int) // chances of tests that do run the function
		for _, e := range q.examples {
			chance := e.features.Chance(weights)
			tests = append(tests, fact.Test{Chance: chance})
			if e.runs {
				right[chance]++
			}
		}
		slices.SortFunc(tests, func(a, b fact.Test) int { return cmp.Compare(b.Chance, a.Chance) })
		answer, found := tests[:fact.Worthwhile(tests, listed)], 0
		for _, t := range answer {
			if right[t.Chance] > 0 {
				right[t.Chance]--
				found++
			}
		}
		if found > 0 {
			sum += 2 * float64(found) / float64(len(answer)+q.truth)
		}
	}
	return sum / float64(len(questions))
}
