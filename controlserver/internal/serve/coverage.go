package serve

import (
	"context"
	"path/filepath"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/coverage"
	"tidepool/internal/golang/wasmtest"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// testsNice is the nice value of the processes that build and run tests. Beside two busy processes per core they get a twentieth of
// it. At 19 they would get less than a hundredth and never finish.
const testsNice = 10

// newCoverage returns the collector of test coverage; nil if the settings switch it off.
func newCoverage(place protocol.Place, settings config.Scout, allowed func(module string) error) *coverage.Collector {
	if !settings.MeasureTests {
		return nil
	}
	runner := &wasmtest.Runner{Temp: filepath.Join(state.Of(place.Project), "tests"), Nice: testsNice}
	return coverage.New(coverage.Options{
		Measure: measure(runner), Allowed: allowed, Dir: filepath.Join(state.Of(place.Project), "coverage"),
	})
}

// closeCoverage stops measuring.
func closeCoverage(k *coverage.Collector) {
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

// measuredTests returns the progress of measuring, for each module that scout was asked about.
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

// Limits of the analysis process, in bytes.
const (
	mostAnalysis  = 1500 << 20
	leastAnalysis = 256 << 20 // what the packages of a small project and the standard library take
)

// newAnalysis returns the client of the analysis process, which may occupy a quarter of the memory budget. 0 is a budget without an end.
func newAnalysis(place protocol.Place, budget int64) (*analysis.Client, error) {
	limit := int64(mostAnalysis)
	if budget > 0 {
		limit = max(leastAnalysis, min(mostAnalysis, budget/4))
	}
	return analysis.New(analysis.Options{Limit: limit, Kept: filepath.Join(state.Of(place.Project), "facts")})
}
