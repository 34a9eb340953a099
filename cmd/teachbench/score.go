package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"tidepool/internal/figures"
)

const (
	leastShare = .6
	budget     = 30 // things that teach-graph explains unless told otherwise
)

// A result is how many of a topic's telling functions are among what is explained.
type result struct {
	topic
	tuned          bool
	taught, untold float64 // with the tests measured, and without
	words, callees float64
	reached        float64 // of everything that the beginning leads to, however much that is
}

// ask asks about topics of one module, first while no test is measured.
func (b *bench) ask(ctx context.Context, m *module, c *code, topics []topic) (results []result, err error) {
	untold, err := m.explained(ctx, topics, false)
	if err != nil {
		return nil, err
	}
	taught, err := m.explained(ctx, topics, true)
	if err != nil {
		return nil, err
	}
	for i, t := range topics {
		r := result{
			topic: t, tuned: m.tuned, taught: t.share(taught[i]), untold: t.share(untold[i]), words: t.share(c.byWords(t)),
			callees: t.share(c.byCalls(t)), reached: t.share(c.byReach(t)),
		}
		results = append(results, r)
		if b.list && m.tuned {
			fmt.Fprint(os.Stderr, r.told(c, taught[i]))
		}
	}
	return results, nil
}

// share returns how many of the telling functions stand at one of these places. Any of those that tell as much as the last may
// stand for it.
func (t topic) share(places []place) float64 {
	among := func(all []*declaration) (n int) {
		for _, d := range all {
			if slices.Contains(places, d.at) {
				n++
			}
		}
		return n
	}
	tied := among(t.telling[t.sure:]) + among(t.equal)
	n := among(t.telling[:t.sure]) + min(tied, len(t.telling)-t.sure)
	return float64(n) / float64(len(t.telling))
}

// byWords returns as many declarations as teach-graph explains: those that share most words with the topic.
func (c *code) byWords(t topic) []place {
	words := wordsOf(t.text)
	var all []*declaration
	for _, d := range c.declarations {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *declaration) int {
		return cmp.Or(shared(b.words, words)-shared(a.words, words), len(a.words)-len(b.words), strings.Compare(a.at.file, b.at.file), a.at.line-b.at.line)
	})
	var places []place
	for _, d := range all[:min(len(all), budget)] {
		places = append(places, d.at)
	}
	return places
}

// byCalls returns as many declarations as teach-graph explains: the seeds, and what they name, the nearest first.
func (c *code) byCalls(t topic) (places []place) {
	for _, s := range t.seeds {
		places = append(places, s.at)
	}
	for i := 0; i < len(places) && len(places) < budget; i++ {
		for _, at := range c.declarations[places[i]].calls {
			if !slices.Contains(places, at) && len(places) < budget {
				places = append(places, at)
			}
		}
	}
	return places
}

// byReach returns all declarations that the seeds lead to: what they name, the methods of types, and so on to the end.
func (c *code) byReach(t topic) (places []place) {
	seen := map[place]bool{}
	for _, s := range t.seeds {
		places, seen[s.at] = append(places, s.at), true
	}
	for i := 0; i < len(places); i++ {
		of := c.declarations[places[i]]
		for _, at := range slices.Concat(of.calls, c.methods(of)) {
			if !seen[at] {
				places, seen[at] = append(places, at), true
			}
		}
	}
	return places
}

// methods returns those of a type.
func (c *code) methods(of *declaration) (places []place) {
	if of.lines > 0 {
		return nil
	}
	for at, d := range c.declarations {
		if strings.HasPrefix(d.name, of.name+".") && path.Dir(at.file) == path.Dir(of.at.file) {
			places = append(places, at)
		}
	}
	return places
}

// told says what of a topic was explained, and what was not.
func (r result) told(c *code, places []place) string {
	var missed, others []string
	for _, d := range r.telling {
		if !slices.Contains(places, d.at) {
			missed = append(missed, d.name)
		}
	}
	for _, at := range places {
		if d := c.declarations[at]; d != nil && !slices.Contains(r.telling, d) {
			others = append(others, d.name)
		}
	}
	return fmt.Sprintf("%s %s %q from %s: %.1f (no test measured %.1f, words %.1f, calls %.1f)\n  missed: %s\n  instead: %s\n", r.module, r.tests, r.text,
		strings.Join(r.seedNames(), ", "), r.taught, r.untold, r.words, r.callees, strings.Join(missed, ", "), strings.Join(others, ", "))
}

// rows returns the lines of the table.
func rows(results []result) (all []figures.Row) {
	for _, tuned := range []bool{false, true} {
		var taught, untold, words, callees, reached float64
		n := 0.0
		modules := map[string]bool{}
		for _, r := range results {
			if r.tuned == tuned {
				taught, untold, words = taught+r.taught, untold+r.untold, words+r.words
				callees, reached, n = callees+r.callees, reached+r.reached, n+1
				modules[r.module] = true
			}
		}
		if n == 0 {
			continue
		}
		of := "kept apart from tuning"
		if tuned {
			of = "for tuning"
		}
		all = append(all, figures.Row{
			What: fmt.Sprintf("of the %d most telling functions of a topic, those explained: %.0f topics of %d modules, %s", tellingCount, n, len(modules), of),
			Hold: fmt.Sprintf("≥ %.0f %%", 100*leastShare), Measured: fmt.Sprintf("%.0f %%", 100*taught/n),
			Beside: fmt.Sprintf("%.0f %% while no test is measured, %.0f %% words of names and comments, %.0f %% what the beginning calls; "+
				"%.0f %% of them are among all that it leads to", 100*untold/n, 100*words/n, 100*callees/n, 100*reached/n),
			Held: taught/n >= leastShare,
		})
	}
	return all
}
