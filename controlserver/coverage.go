package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/config"
	"tidepool/internal/golang/coverage"
	"tidepool/internal/golang/wasmtest"
	"tidepool/protocol"
)

// newCoverage makes what knows which tests run what; nil if that is not to be known.
func newCoverage(place protocol.Place, settings config.Scout, allowed func(module string) error) *coverage.Keeper {
	if !settings.MeasureTests {
		return nil
	}
	runner := &wasmtest.Runner{Temp: filepath.Join(stateDir(place), "tests")}
	return coverage.New(coverage.Options{
		Measure: measure(runner), Allowed: allowed, Dir: filepath.Join(stateDir(place), "coverage"),
	})
}

// closeCoverage ends what is being measured.
func closeCoverage(k *coverage.Keeper) {
	if k != nil {
		k.Close()
	}
}

// measure has a runner measure.
func measure(runner *wasmtest.Runner) coverage.Measure {
	return func(
		ctx context.Context, module string, packages []string, each func(coverage.Result), failed func(coverage.Failure),
	) (time.Duration, error) {
		before := runner.Spent
		err := runner.Run(ctx, module, packages, func(r wasmtest.Result) {
			result := coverage.Result{Package: r.Package, Test: r.Test, Passed: r.Passed}
			for _, fn := range r.Ran {
				result.Ran = append(result.Ran, coverage.Function(fn))
			}
			each(result)
		}, func(f wasmtest.Failure) { failed(coverage.Failure(f)) })
		return runner.Spent - before, err
	}
}

// measuredTests tells how far the tests of the modules are measured that scout was asked about.
func (r *reporter) measuredTests() []protocol.MeasuredTests {
	if r.coverage == nil {
		return nil
	}
	var all []protocol.MeasuredTests
	modules, trouble := r.coverage.Status()
	for _, m := range modules {
		one := protocol.MeasuredTests{
			Module: m.Module, Tests: m.Tests, Packages: m.Packages, Measured: m.Measured, Stale: m.Stale, Failed: m.Failed,
			Waiting: m.Waiting, Reasons: m.Reasons, CPUMS: m.Spent.Milliseconds(),
		}
		if trouble != nil {
			one.Reasons = append(one.Reasons, trouble.Error())
		}
		all = append(all, one)
	}
	return all
}

// printMeasuredTests writes how far each module is measured.
func printMeasuredTests(p *page.Page, s *protocol.StatusResponse) {
	for _, m := range s.MeasuredTests {
		tone := page.Plain
		if m.Failed > 0 {
			tone = page.Odd
		}
		p.Row(tone, "tests", describeMeasured(m, s.Project))
	}
}

// describeMeasured is "214 tests measured, of 12 of 14 packages, 2 to come".
func describeMeasured(m protocol.MeasuredTests, project string) string {
	text := fmt.Sprintf("%s measured, of %d of %s", plural(m.Tests, "test"), m.Measured, plural(m.Packages, "package"))
	if m.Packages == 0 && m.Waiting > 0 {
		text = "to be measured"
	}
	for _, part := range []struct {
		n    int
		what string
	}{{m.Stale, "changed since"}, {m.Failed, "failed"}, {m.Waiting, "to come"}} {
		if part.n > 0 && m.Packages > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	if below, err := filepath.Rel(project, m.Module); err == nil && below != "." {
		text += " in " + below
	}
	text += fmt.Sprintf("; %v of processor time", age(time.Duration(m.CPUMS)*time.Millisecond))
	if len(m.Reasons) > 0 {
		text += ": " + strings.Join(m.Reasons[:min(3, len(m.Reasons))], "; ")
	}
	return text
}
