package reach

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/packages"
)

// Tests lists the tests that may run the function declared at a place, the likeliest first. words are those of the function.
func (c *Calls) Tests(of fact.Place, words []string) []fact.Test {
	tests, described := c.Describe(of, words)
	for i := range tests {
		if tests[i].Chance = 1; !tests[i].Sure {
			tests[i].Chance = described[i].Chance(weights)
		}
	}
	slices.SortStableFunc(tests, func(a, b fact.Test) int {
		return cmp.Or(cmp.Compare(b.Chance, a.Chance), cmp.Compare(a.Steps, b.Steps))
	})
	return tests
}

// Describe lists the tests that may run the function declared at a place in no order of worth, without their chances, and
// what these follow from.
func (c *Calls) Describe(of fact.Place, words []string) ([]fact.Test, []Features) {
	fn := c.index.Function(of)
	if fn == nil {
		return nil, nil
	}
	tests := c.candidates(c.ids[of])
	return tests, c.describe(tests, fn, words)
}

// candidates returns the tests that can run the target. Those that do so because a package runs it before all else are sure.
func (c *Calls) candidates(target int32) []fact.Test {
	above, r := c.above(target), c.run()
	starting := make(map[fact.Place]bool)
	for _, fn := range c.index.Functions {
		if id, ok := c.ids[start(fn)]; ok && above[id] && !starting[start(fn)] {
			_, starting[start(fn)] = r.reaches(id, target)
		}
	}
	var found []fact.Test
	for _, test := range c.tests {
		id := c.ids[test.At]
		if !above[id] && len(starting) == 0 {
			continue
		}
		steps, ok := r.reaches(id, target)
		sure := len(starting) > 0 && r.starts(starting)
		if ok || sure {
			found = append(found, fact.Test{Function: test, Steps: steps, Sure: sure})
		}
	}
	return found
}

// describe tells the features of each of the tests that can run the target.
func (c *Calls) describe(found []fact.Test, target *fact.Function, words []string) []Features {
	c.counting.Do(c.count)
	about := c.about(target, words)
	all := make([]Features, len(found))
	for i, t := range found {
		words, title := c.words[t.Function], setOf(packages.Phrases(t.Name))
		body, around := overlap(about.body, words), overlap(about.around, words)
		all[i] = Features{
			constant: 1, steps: float64(t.Steps), entries: math.Log1p(float64(c.entries(t.Function))),
			beside:  number(filepath.Dir(t.At.Path) == filepath.Dir(target.At.Path)),
			example: number(strings.HasPrefix(t.Name, "Example")), fuzz: number(strings.HasPrefix(t.Name, "Fuzz")),
			reads:     number(words["filepath"] || words["readfile"] || words["glob"] || words["embed"]),
			nameShare: overlap(about.name, words).share, titleShare: overlap(about.name, title).share,
			nameSum: overlap(about.name, words).sum, titleSum: overlap(about.name, title).sum,
			bodyShare: body.share, bodyMost: body.most,
			aroundMost: around.most, aroundTitle: overlap(about.around, title).share,
			candidates: math.Log(float64(len(found))), candidateShare: float64(len(found)) / float64(len(c.tests)),
		}
	}
	return all
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// entries counts those of the literals that a test is made of, with the variables of tests that it reads.
func (c *Calls) entries(test *fact.Function) int {
	n := test.Rows
	for _, u := range test.Uses {
		if v := c.index.Function(u.To); u.Kind == fact.Read && v != nil && v.Test {
			n += v.Rows
		}
	}
	return n
}
