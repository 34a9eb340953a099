package main

import (
	"fmt"
	"strings"
)

// summary returns what docs/figures.md shows of all suites: their bounds, and each kind on a line.
func summary(outcomes []outcome) string {
	var out strings.Builder
	for _, o := range outcomes {
		out.WriteString(boundTable(o))
	}
	out.WriteString("| | `grep -rnw`, F1 | bare references, F1 | scout, F1 | text, of grep's | time | requests |\n|---|---|---|---|---|---|---|\n")
	for _, o := range outcomes {
		for _, k := range kinds() {
			of := ofKinds(o.results, k.letter)
			if len(of) == 0 {
				continue
			}
			list := askers(false)
			grep, references, scout := list[0], list[1], list[2]
			line := func(what string, by asker) {
				fmt.Fprintf(&out, "| %s, %s: %s (%d) | %.2f | %.2f | %.2f | %.0f %% | %s | %.0f |\n", o.suite.language, k.letter, what, len(of),
					mean(of, grep, score.f), mean(of, references, score.f), mean(of, by, score.f),
					100*textShare(of, by), round(median(times(of, by))), mean(of, by, score.asked))
			}
			line(k.what, scout)
			if o.suite.measures && k.letter == testKind {
				line("the same, no test measured", unmeasured())
			}
		}
	}
	return out.String()
}
