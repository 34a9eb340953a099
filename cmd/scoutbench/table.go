package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// An asker is one column of the comparison.
type asker struct {
	name string
	of   func(result) score
}

func askers(told bool) []asker {
	list := []asker{
		{"`grep -rnw`", func(r result) score { return r.grep }},
		{"bare references", func(r result) score { return r.references }},
		{"scout", func(r result) score { return r.blind }},
	}
	if told {
		list = append(list, asker{"scout, change given", func(r result) score { return r.told }})
	}
	return list
}

// askersOf returns those that a kind of question was put to.
func askersOf(s suite, k kind, told bool) []asker {
	list := askers(told)
	if s.measures && k.letter == testKind {
		list = append(list, unmeasured())
	}
	return list
}

// unmeasured is scout as long as it only knows the types.
func unmeasured() asker {
	return asker{"scout, no test measured", func(r result) score { return r.estimated }}
}

// table shows each kind and asker on a line.
func table(s suite, results []result, told bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "| %s, %d cases | | P | R | F1 | core recall | R@10 | text, of grep's | time | requests |\n|---|---|---|---|---|---|---|---|---|---|\n", s.language, len(results))
	for _, k := range kinds() {
		of := ofKinds(results, k.letter)
		if len(of) == 0 {
			continue
		}
		for i, by := range askersOf(s, k, told) {
			label := ""
			if i == 0 {
				label = fmt.Sprintf("%s: %s (%d)", k.letter, k.what, len(of))
			}
			fmt.Fprintf(&out, "| %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f %% | %s | %.0f |\n", label, by.name,
				mean(of, by, score.p), mean(of, by, score.r), mean(of, by, score.f), mean(of, by, score.c), mean(of, by, score.r10),
				100*textShare(of, by), round(median(times(of, by))), mean(of, by, score.asked))
		}
	}
	out.WriteByte('\n')
	return out.String()
}

func (s score) p() float64     { return s.precision }
func (s score) r() float64     { return s.recall }
func (s score) f() float64     { return s.f1 }
func (s score) c() float64     { return s.core }
func (s score) r10() float64   { return s.first10 }
func (s score) asked() float64 { return float64(s.requests) }

// ofKinds returns the results of these kinds, named by their letters.
func ofKinds(results []result, letters string) []result {
	return slices.DeleteFunc(slices.Clone(results), func(r result) bool { return !strings.Contains(letters, r.Kind) })
}

func mean(of []result, by asker, what func(score) float64) float64 {
	sum := 0.0
	for _, r := range of {
		sum += what(by.of(r))
	}
	return sum / float64(max(1, len(of)))
}

// meanOfKinds counts each kind alike, however many cases it has.
func meanOfKinds(results []result, letters string, by asker, what func(score) float64) float64 {
	sum, n := 0.0, 0
	for _, letter := range strings.Split(letters, "") {
		if of := ofKinds(results, letter); len(of) > 0 {
			sum += mean(of, by, what)
			n++
		}
	}
	return sum / float64(max(1, n))
}

// textShare returns how much there is to read, against grep's.
func textShare(of []result, by asker) float64 {
	text, grep := 0, 0
	for _, r := range of {
		text += by.of(r).text
		grep += r.grep.text
	}
	return float64(text) / float64(max(1, grep))
}

// times are sorted.
func times(of []result, by asker) []time.Duration {
	var list []time.Duration
	for _, r := range of {
		list = append(list, by.of(r).took)
	}
	slices.Sort(list)
	return list
}

func median(sorted []time.Duration) time.Duration { return percentile(sorted, 50) }

func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}

func round(d time.Duration) string {
	if d < 10*time.Millisecond {
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}

// worst lists the answers with the lowest F1, and what went wrong.
func worst(results []result, n int) string {
	sorted := slices.Clone(results)
	slices.SortStableFunc(sorted, func(a, b result) int { return cmp.Compare(a.blind.f1, b.blind.f1) })
	var out strings.Builder
	for _, r := range sorted[:min(n, len(sorted))] {
		fmt.Fprintf(&out, "%s %s: P %.2f R %.2f F1 %.2f, told %.2f, %s, %d requests. %s %s\n",
			r.ID, r.Symbol, r.blind.precision, r.blind.recall, r.blind.f1, r.told.f1, round(r.blind.took), r.blind.requests, r.Question, r.problem)
	}
	return out.String()
}
