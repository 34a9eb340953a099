package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tidepool/internal/figures"
)

// The bounds of the daemon's own memory, in bytes: of a project of ordinary size, and of a very large one, of whatever language.
const (
	ordinaryLines = 500_000
	ordinaryOwn   = 60 << 20
	largestOwn    = 150 << 20
)

// rows returns the table of a size.
func (r result) rows() []figures.Row {
	ours, bare := r.ours, r.bare
	return slices.Concat([]figures.Row{
		compare("memory of everything, once loaded", 1.3, ours.loaded.whole, bare.loaded.whole, megabytes, "; "+ours.loaded.parts),
		compare(fmt.Sprintf("the same after %d questions and %d edits", r.counts.first, r.counts.leaf+r.counts.hub), 1.3, ours.used.whole, bare.used.whole, megabytes,
			fmt.Sprintf("; %s; at the peak %s against %s", ours.used.parts, megabytes(ours.peak), megabytes(bare.peak))),
		r.cold(),
		r.second(),
		r.percentiles("find_callers, p50 of", 50),
		r.percentiles("find_callers, p95 of", 95),
		compare("an answer after an edit of a file that nothing imports, p50", 1.3, int64(percentile(ours.leaf, 50)), int64(percentile(bare.leaf, 50)), seconds,
			fmt.Sprintf("; %d and %d edits, the slowest %s and %s", len(ours.leaf), len(bare.leaf), seconds(slowest(ours.leaf)), seconds(slowest(bare.leaf)))),
		compare("the same of a file that most packages import", 1.3, int64(percentile(ours.hub, 50)), int64(percentile(bare.hub, 50)), seconds,
			fmt.Sprintf("; %d and %d edits, the slowest %s and %s", len(ours.hub), len(bare.hub), seconds(slowest(ours.hub)), seconds(slowest(bare.hub)))),
	}, r.scoutRows(), r.ownRows())
}

// compare is a row of two figures, of which 0 is not measured.
func compare(what string, most float64, ours, bare int64, unit func(int64) string, more string) figures.Row {
	row := figures.Row{What: what, Hold: fmt.Sprintf("≤ %.1f×", most), Measured: "not measured", Beside: unit(ours) + " against " + unit(bare) + more}
	if ours > 0 && bare > 0 {
		ratio := float64(ours) / float64(bare)
		row.Measured, row.Held = fmt.Sprintf("%.2f×", ratio), ratio <= most
	}
	return row
}

func (r result) cold() figures.Row {
	ours, bare := r.ours.cold, r.bare.cold
	return compare(fmt.Sprintf("first complete answer, p50 of %d cold starts: the server's cache empty, the compiler's filled", len(ours)), 1.1,
		int64(percentile(ours, 50)), int64(percentile(bare, 50)), seconds,
		fmt.Sprintf("; %s to %s against %s to %s", seconds(quickest(ours)), seconds(slowest(ours)), seconds(quickest(bare)), seconds(slowest(bare))))
}

func (r result) second() figures.Row {
	return figures.Row{
		What: "the same, second start", Hold: "≤ 15 s", Measured: seconds(int64(r.ours.second)), Beside: "bare: " + seconds(int64(r.bare.second)),
		Held: r.ours.second > 0 && r.ours.second <= 15*time.Second,
	}
}

func (r result) percentiles(what string, p int) figures.Row {
	var ours, bare []time.Duration
	for _, pair := range r.pairs() {
		ours, bare = append(ours, r.ours.callers[pair[0]]), append(bare, r.bare.callers[pair[1]])
	}
	row := compare(fmt.Sprintf("%s %d names", what, len(ours)), 1.3, int64(percentile(ours, p)), int64(percentile(bare, p)), seconds, "")
	if all, others := len(r.ours.callers), len(r.bare.callers); len(ours) < max(all, others) {
		row.Beside += fmt.Sprintf("; of %d and %d", all, others)
	}
	return row
}

func (r result) scoutRows() []figures.Row {
	half, most := percentile(r.ours.scout, 50), percentile(r.ours.scout, 95)
	held := len(r.ours.scout) > 0 && half <= 3*time.Second && most <= 10*time.Second
	return []figures.Row{{
		What: fmt.Sprintf("scout, p50 and p95 of %d questions", len(r.ours.scout)), Hold: "≤ 3 s; ≤ 10 s", Held: held,
		Measured: seconds(int64(half)) + "; " + seconds(int64(most)),
		Beside:   fmt.Sprintf("the slowest %s; %d answers not complete, %d of them errors", seconds(slowest(r.ours.scout)), r.ours.scoutPartial, r.ours.scoutFailed),
	}}
}

// ownRows are those about the daemon alone.
func (r result) ownRows() []figures.Row {
	ours, t, lost := r.ours, r.ours.tally, r.lost()
	most := int64(ordinaryOwn)
	if r.lines > ordinaryLines {
		most = largestOwn
	}
	wrong := "–"
	if t.example != "" {
		wrong = "the first: " + escape(t.example)
	}
	restarts := "–"
	if len(ours.restartsNotes) > 0 {
		restarts = escape(strings.Join(ours.restartsNotes, "; "))
	}
	rows := []figures.Row{
		{What: r.restartsOf(), Hold: "0", Measured: fmt.Sprint(ours.restarts), Beside: restarts, Held: ours.restarts == 0 && len(ours.cold) > 0},
		{What: "the daemon's own memory, largest", Hold: "≤ " + megabytes(most), Measured: megabytes(ours.own), Beside: "–", Held: ours.own > 0 && ours.own <= most},
		{What: "answers of what is there that say \"not found\"", Hold: "0", Measured: fmt.Sprint(t.wrong), Beside: wrong, Held: t.answers > 0 && t.wrong == 0},
		{
			What: "complete answers without a use, where the bare server knows one", Hold: "0", Measured: fmt.Sprint(len(lost)), Held: t.answers > 0 && len(lost) == 0,
			Beside: strings.Join(append([]string{fmt.Sprintf("of %d names", len(r.pairs()))}, escaped(lost)...), "; "),
		},
		{
			What: "the longest call while a server was indexing", Hold: "≤ 8.8 s", Measured: seconds(int64(t.longest)), Held: t.longest <= readyBudget*11/10,
			Beside: strings.TrimSuffix(fmt.Sprintf("%d answers: %d complete, %d partial, %d indexing, %d neither; %s",
				t.answers, t.complete, t.partial, t.indexing, t.unknown, escape(t.late)), "; "),
		},
	}
	if hits := append(prefixed("bare: ", r.bare.hits), ours.hits...); len(hits) > 0 {
		rows = append(rows, figures.Row{What: "limits that were hit", Hold: "none", Measured: fmt.Sprint(len(hits)), Beside: strings.Join(hits, "; ")})
	}
	return rows
}

func (r result) restartsOf() string {
	if r.ours.mixedCalls == 0 {
		return "restarts of servers"
	}
	return fmt.Sprintf("restarts of servers, with %s of mixed use, %d calls", seconds(int64(r.ours.mixed)), r.ours.mixedCalls)
}
