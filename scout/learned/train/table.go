package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tidepool/scout"
)

// A table adds up how well scorers order what breaks.
type table struct {
	rows map[scout.ChangeKind]*row
}

// A row has the sums of one kind of change.
type row struct {
	trials        int
	precision     [2]float64 // average precision: heuristic, learned
	first         [2]float64 // share of what breaks among the first ten
	possible      float64    // the average precision of the best order of what is listed
	better, worse int        // trials in which learned has another average precision than heuristic
}

func newTable() *table { return &table{rows: make(map[scout.ChangeKind]*row)} }

func (t *table) add(of *trial) {
	r := t.rows[of.kind]
	if r == nil {
		r = new(row)
		t.rows[of.kind] = r
	}
	r.trials++
	var precision [2]float64
	for i, order := range of.orders {
		var first float64
		precision[i], first = judged(order, of.broken)
		r.precision[i] += precision[i]
		r.first[i] += first
	}
	r.possible += found(of.orders[0], of.broken)
	switch {
	case precision[1] > precision[0]:
		r.better++
	case precision[1] < precision[0]:
		r.worse++
	}
}

// found is the share of what breaks that is listed at all.
func found(order []string, broken map[string]bool) float64 {
	listed := make(map[string]bool)
	for _, declaration := range order {
		if broken[declaration] {
			listed[declaration] = true
		}
	}
	return float64(len(listed)) / float64(len(broken))
}

// judged is the average precision of an order, and the share of what breaks that
// is among its first ten declarations. What is not listed counts as missed.
func judged(order []string, broken map[string]bool) (precision, first float64) {
	seen := make(map[string]bool)
	hits := 0
	for _, declaration := range order {
		if seen[declaration] {
			continue
		}
		seen[declaration] = true
		if broken[declaration] {
			hits++
			precision += float64(hits) / float64(len(seen))
			if len(seen) <= 10 {
				first++
			}
		}
	}
	return precision / float64(len(broken)), first / float64(min(10, len(broken)))
}

func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-18s %7s  %-32s  %-21s  %s\n", "change", "trials", "average precision", "among the first ten", "learned is")
	fmt.Fprintf(&b, "%-18s %7s  %10s %10s %10s  %10s %10s  %6s %6s\n", "", "", "heuristic", "learned", "possible", "heuristic", "learned", "better", "worse")
	all := new(row)
	for _, kind := range slices.Sorted(maps.Keys(t.rows)) {
		r := t.rows[kind]
		r.write(&b, string(kind))
		all.trials += r.trials
		all.possible += r.possible
		all.better += r.better
		all.worse += r.worse
		for i := range r.precision {
			all.precision[i] += r.precision[i]
			all.first[i] += r.first[i]
		}
	}
	all.write(&b, "all")
	return b.String()
}

func (r *row) write(b *strings.Builder, name string) {
	n := float64(max(r.trials, 1))
	fmt.Fprintf(b, "%-18s %7d  %10.3f %10.3f %10.3f  %10.3f %10.3f  %6d %6d\n", name, r.trials,
		r.precision[0]/n, r.precision[1]/n, r.possible/n, r.first[0]/n, r.first[1]/n, r.better, r.worse)
}
