package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tidepool/internal/checkout"
	"tidepool/protocol"
)

// testKind are the questions which tests run a function.
const testKind = "h"

// A measuring is what it took to run the tests of a module one by one.
type measuring struct {
	module    string
	took, cpu time.Duration
	measured  protocol.MeasuredTests
}

// String returns a line for people.
func (m measuring) String() string {
	return fmt.Sprintf("%s: %d tests of %d of %d packages, %s, %s of processor time",
		m.module, m.measured.Tests, m.measured.Measured, m.measured.Packages, round(m.took), round(m.cpu))
}

// askUnmeasured asks the questions about tests of a daemon that measures none.
func (b *bench) askUnmeasured(ctx context.Context, m *checkout.Checkout, results []result, known *units) (err error) {
	about := func(r result) bool { return r.Kind == testKind }
	if !slices.ContainsFunc(results, about) {
		return nil
	}
	d, err := b.serve(ctx, m, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Stop()) }()
	for i := range results {
		if r := &results[i]; about(*r) {
			a, err := d.scout(ctx, question{Query: r.Question, Symbols: []string{r.Symbol}})
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err != nil {
				a = answer{} // why shows when it is asked again
			}
			r.estimated = evaluate(r.testCase, a, known)
		}
	}
	return nil
}

// awaitMeasured has all tests of a module measured, which begins with the first question, and notes what that took.
func (b *bench) awaitMeasured(ctx context.Context, d *daemon, name string, first testCase) error {
	begin := time.Now()
	if _, err := d.scout(ctx, question{Query: first.Question, Symbols: []string{first.Symbol}}); ctx.Err() != nil {
		return err
	}
	all, err := d.AwaitMeasured(ctx)
	for _, m := range all {
		b.measured = append(b.measured, measuring{name, time.Since(begin), time.Duration(m.CPUMS) * time.Millisecond, m})
	}
	return err
}

// measurings lists what was measured.
func (b *bench) measurings() string {
	var out strings.Builder
	for _, m := range b.measured {
		fmt.Fprintf(&out, "measured %s\n", m)
		for _, reason := range m.measured.Reasons {
			fmt.Fprintf(&out, "  not measured: %s\n", reason)
		}
	}
	if len(b.measured) > 0 {
		out.WriteByte('\n')
	}
	return out.String()
}
