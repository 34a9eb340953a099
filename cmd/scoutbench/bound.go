package main

import (
	"fmt"
	"strings"
	"time"
)

// A bound is what a figure must hold.
type bound struct {
	what, hold       string
	references, mine string // as measured
	held             bool
}

// compilerKinds have the truth of a compiler or of an analyser.
const compilerKinds = "abcdefg"

func goBounds(results []result) []bound {
	all := askers(false)
	refs, scout := all[1], all[2]
	at := func(letters string, what func(score) float64) (references, mine float64) {
		return meanOfKinds(results, letters, refs, what), meanOfKinds(results, letters, scout, what)
	}
	least := func(what, letters string, of func(score) float64, hold float64) bound {
		references, mine := at(letters, of)
		return leastBound(what, hold, references, mine)
	}
	return []bound{
		least("F1, mean over kinds a to g", compilerKinds, score.f, 0.95),
		worstKind(results, refs, scout),
		least("core recall", compilerKinds, score.c, 0.97),
		least("F1 of kind h", testKind, score.f, 0.65),
		plain("the same, no test measured", meanOfKinds(results, testKind, refs, score.f), meanOfKinds(results, testKind, unmeasured(), score.f)),
		least("recall in the first ten", compilerKinds, score.r10, 0.85),
		textBound(results, refs, scout),
		timeBound(results, refs, scout, 50, 250*time.Millisecond, "median warm time"),
		timeBound(results, refs, scout, 95, 1500*time.Millisecond, "95th percentile"),
		requestBound(results, refs, scout),
		perfectBound(results, scout),
	}
}

func leastBound(what string, hold, references, mine float64) bound {
	return bound{what, fmt.Sprintf("≥ %.2f", hold), fmt.Sprintf("%.2f", references), fmt.Sprintf("%.3f", mine), mine >= hold}
}

// plain returns a figure without a bound.
func plain(what string, references, mine float64) bound {
	return bound{what, "", fmt.Sprintf("%.2f", references), fmt.Sprintf("%.3f", mine), true}
}

func worstKind(results []result, refs, scout asker) bound {
	lowest := func(by asker) (value float64, at string) {
		value = 2
		for _, letter := range strings.Split(compilerKinds, "") {
			if of := ofKinds(results, letter); len(of) > 0 && mean(of, by, score.f) < value {
				value, at = mean(of, by, score.f), letter
			}
		}
		return value, at
	}
	references, _ := lowest(refs)
	mine, at := lowest(scout)
	return bound{"F1 of the worst of them", "≥ 0.85", fmt.Sprintf("%.2f", references), fmt.Sprintf("%.3f (%s)", mine, at), mine >= 0.85}
}

func textBound(results []result, refs, scout asker) bound {
	of := ofKinds(results, compilerKinds)
	mine := textShare(of, scout)
	return bound{"text, of grep's", "≤ 8 %", fmt.Sprintf("%.0f %%", 100*textShare(of, refs)), fmt.Sprintf("%.1f %%", 100*mine), mine <= 0.08}
}

func timeBound(results []result, refs, scout asker, p int, hold time.Duration, what string) bound {
	mine := percentile(times(results, scout), p)
	return bound{what, "≤ " + hold.String(), round(percentile(times(results, refs), p)), round(mine), mine <= hold}
}

func requestBound(results []result, refs, scout asker) bound {
	most := func(by asker) int {
		n := 0
		for _, r := range results {
			n = max(n, by.of(r).requests)
		}
		return n
	}
	return bound{"requests to the server, the most of a case", "≤ 60", fmt.Sprint(most(refs)), fmt.Sprint(most(scout)), most(scout) <= 60}
}

// perfectBound looks at the cases where nothing can be gained over the bare references.
func perfectBound(results []result, scout asker) bound {
	var of []result
	requests := 0
	for _, r := range ofKinds(results, compilerKinds) {
		if r.perfect {
			of = append(of, r)
			requests = max(requests, r.blind.requests)
		}
	}
	mine := mean(of, scout, score.f)
	return bound{
		fmt.Sprintf("F1 where bare references are perfect (%d cases), and requests", len(of)), "≥ 0.99, ≤ 2", "1.00, 1",
		fmt.Sprintf("%.3f, %d", mine, requests), mine >= 0.99 && requests <= 2,
	}
}

// boundTable shows the bounds of a suite, and which were missed.
func boundTable(o outcome) string {
	var out strings.Builder
	fmt.Fprintf(&out, "| %s, asked blind | hold | bare references | scout | |\n|---|---|---|---|---|\n", o.suite.language)
	for _, b := range o.bounds {
		verdict := ""
		if !b.held {
			verdict = "**missed**"
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", b.what, b.hold, b.references, b.mine, verdict)
	}
	out.WriteByte('\n')
	return out.String()
}

func missedBounds(outcomes []outcome) (missed int) {
	for _, o := range outcomes {
		for _, b := range o.bounds {
			if !b.held {
				missed++
			}
		}
	}
	return missed
}
