package goreach

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/gopackage"
)

// A Test is a test, example or fuzz test that may run a function.
type Test struct {
	*gopackage.Function
	Chance float64 // that it does, from 0 to 1
	Steps  int     // from one declaration to the next, at least, until the function is run
}

// Tests lists the tests that may run the function declared at a place, the likeliest first.
func (c *Calls) Tests(of gopackage.Place) []Test {
	target, ok := c.ids[of]
	if !ok || c.index.Function(of) == nil {
		return nil
	}
	found := c.candidates(target)
	c.describe(found, c.index.Function(of))
	tests := make([]Test, len(found))
	for i, f := range found {
		tests[i] = Test{Function: f.test, Chance: f.features.chance(), Steps: f.steps}
	}
	slices.SortStableFunc(tests, func(a, b Test) int {
		return cmp.Or(cmp.Compare(b.Chance, a.Chance), cmp.Compare(a.Steps, b.Steps))
	})
	return tests
}

// Worthwhile is how many of the tests, from the front, are worth running: as many as make the best of both, what is run
// for nothing and what is missed, if the chances are right; and no more than most.
func Worthwhile(tests []Test, most int) int {
	all := 0.0
	for _, t := range tests {
		all += t.Chance
	}
	best, count, sum := 0.0, 0, 0.0
	for i, t := range tests[:min(most, len(tests))] {
		sum += t.Chance
		if f := 2 * sum / (float64(i+1) + all); f > best {
			best, count = f, i+1
		}
	}
	return count
}

// A candidate is a test that can run the function that is asked about.
type candidate struct {
	test     *gopackage.Function
	chance   float64 // by the ways alone
	likely   float64 // of the likeliest single way
	steps    int
	size     int // nodes that it may run
	features features
}

func (c *Calls) candidates(target int32) []candidate {
	above, likeliest, r := c.above(target), c.likeliest(target), c.run(target)
	var found []candidate
	for _, test := range c.tests {
		id := c.ids[test.At]
		if !above[id] {
			continue
		}
		if chance, steps := r.from(id); chance > 0 {
			found = append(found, candidate{test: test, chance: chance, likely: likeliest[id], steps: steps, size: len(r.order)})
		}
	}
	return found
}

// describe fills in the features of all candidates.
func (c *Calls) describe(found []candidate, target *gopackage.Function) {
	c.counting.Do(c.count)
	about := c.about(target)
	for i := range found {
		f := &found[i]
		entries, bytes := c.material(f.test)
		words, title := c.words[f.test], setOf(gopackage.Phrases(f.test.Name))
		name, titled := overlap(about.name, words), overlap(about.name, title)
		signs := overlap(about.signs, words)
		body, around := overlap(about.body, words), overlap(about.around, words)
		p := min(max(f.chance, 1e-4), 1-1e-4)
		f.features = features{
			one: 1, odds: math.Log(p / (1 - p)), likely: math.Log(f.likely + 1e-9), steps: float64(f.steps),
			size: math.Log(float64(f.size)), sites: math.Log1p(float64(len(f.test.Uses))),
			rows: math.Log1p(float64(entries)), text: math.Log1p(float64(bytes)), vocabulary: math.Log1p(float64(len(words))),
			beside:  number(filepath.Dir(f.test.At.Path) == filepath.Dir(target.At.Path)),
			example: number(strings.HasPrefix(f.test.Name, "Example")), fuzz: number(strings.HasPrefix(f.test.Name, "Fuzz")),
			reads:     number(words["filepath"] || words["readfile"] || words["glob"] || words["embed"]),
			nameShare: name.share, nameSum: name.sum, titleShare: titled.share, titleSum: titled.sum,
			receiver:  overlap(about.receiver, words).share,
			bodyShare: body.share, bodySum: body.sum, bodyMost: body.most,
			aroundShare: around.share, aroundSum: around.sum, aroundMost: around.most,
			aroundTitle: overlap(about.around, title).share,
			signShare:   signs.share, signSum: signs.sum, signMost: signs.most,
			candidates: math.Log(float64(len(found))), share: float64(len(found)) / float64(len(c.tests)),
		}
	}
	relate(found)
}

// relate adds how each candidate compares with the best one.
func relate(found []candidate) {
	var best features
	for i, f := range found {
		x := f.features
		if i == 0 {
			best = x
		}
		best[odds], best[likely] = max(best[odds], x[odds]), max(best[likely], x[likely])
		best[steps] = min(best[steps], x[steps])
		best[nameShare] = max(best[nameShare], x[nameShare]+x[titleShare])
	}
	for i := range found {
		x := &found[i].features
		x[oddsBelow] = x[odds] - best[odds]
		x[likelyBelow] = x[likely] - best[likely]
		x[stepsAbove] = x[steps] - best[steps]
		x[nameBelow] = x[nameShare] + x[titleShare] - best[nameShare]
	}
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// material is how many entries of literals, and how many bytes of texts, a test is made of, with the variables of tests
// that it reads.
func (c *Calls) material(test *gopackage.Function) (entries, bytes int) {
	entries, bytes = test.Rows, test.Text
	for _, u := range test.Uses {
		if v := c.index.Function(u.To); u.Kind == gopackage.Read && v != nil && v.Test {
			entries, bytes = entries+v.Rows, bytes+v.Text
		}
	}
	return entries, bytes
}
