package golang

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/coverage"
	"tidepool/internal/golang/fact"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/query"
)

// Weights of a run before the latest changes: most edits do not change which functions a test runs.
const (
	chanceRanBefore = 0.95
	shareNotBefore  = 0.1 // of the chance of one that did not run the function
)

// Why a test that can be measured is not.
const (
	notYet = "not measured yet, ask again in a moment"
	noMore = "measured before the latest changes, ask again in a moment"
)

// testsSeen are what is known of the tests that may run a function.
type testsSeen struct {
	fn       *fact.Function
	module   string                      // of the function
	packages map[string]coverage.Package // of the module, by directory
	whole    string                      // why nothing is known; "": something is
	declared map[test]*fact.Function

	ran       int                        // tests that were seen to run it
	estimated map[string]map[string]bool // directories of packages with tests of which nothing is known, by the reason
}

type test struct{ dir, name string }

// A judgedTest is a test with what is known of it.
type judgedTest struct {
	fact.Test
	observed bool // it was seen to run the function, as both are now
	before   bool // so was it before something changed
}

// testsSeen asks which tests were seen to run a function, after the packages of those that may have been measured, or the
// time to wait is over.
func (g explorer) testsSeen(ctx context.Context, tree analysis.Tree, of analysis.Tests) (*testsSeen, error) {
	fn, possible := of.Function, of.Tests
	r := &testsSeen{fn: fn, estimated: make(map[string]map[string]bool), packages: make(map[string]coverage.Package)}
	r.module = coverage.ModuleOf(filepath.Dir(fn.At.Path), g.View.Root())
	if r.whole = g.unmeasured(fn, r.module); r.whole != "" {
		return r, nil
	}
	q := coverage.Question{
		Module: r.module, Target: coverage.Target{File: fn.At.Path, Name: fn.Name, Line: fn.At.Line, Until: of.Until},
		First: directoriesOf(possible), Until: g.View.Deadline(),
		Progress: func(done, total int) { g.Report(fmt.Sprintf("running tests: %d of %d packages", done, total)) },
	}
	measured, err := g.coverage.Ask(ctx, q)
	if err != nil {
		r.whole = excerpt.OneLine(err.Error())
		return r, nil
	}
	for _, p := range measured {
		r.packages[p.Dir] = p
	}
	r.declared, err = g.testFunctions(ctx, tree, r.unforeseenNames(possible))
	return r, err
}

// testRecord returns what the tests of a file's module ran, as far as it is known. It waits for none of them, but has those
// measured that are not yet, the tests beside the file first.
func (w *walk) testRecord(ctx context.Context, q *query.Query, path string) query.TestRecord {
	dir := filepath.Dir(path)
	module := coverage.ModuleOf(dir, q.View.Root())
	if w.coverage == nil || module == "" {
		return query.TestRecord{}
	}
	packages, err := w.coverage.Ask(ctx, coverage.Question{Module: module, First: []string{dir}, Until: time.Now()})
	if err != nil {
		return query.TestRecord{Doubt: excerpt.OneLine(err.Error())}
	}
	tests, ran := coverage.Joined(packages)
	r := query.TestRecord{}
	for _, t := range tests {
		r.Tests = append(r.Tests, query.RecordedTest{Dir: t.Dir, Name: t.Test})
	}
	for _, fn := range ran {
		if fn.Name == "init" { // every test of the package runs it
			continue
		}
		r.Ran = append(r.Ran, query.RanFunction{Path: fn.File, Name: fn.Name, Line: fn.Line, Tests: fn.Tests})
	}
	in := func(state coverage.State) bool {
		return slices.ContainsFunc(packages, func(p coverage.Package) bool { return p.State == state })
	}
	switch {
	case in(coverage.Pending):
		r.Doubt = notYet
	case in(coverage.Stale):
		r.Doubt = noMore
	}
	return r
}

// unforeseenNames lists the tests that ran the function although they are none of the possible ones.
func (r *testsSeen) unforeseenNames(possible []fact.Test) []analysis.TestName {
	foreseen := make(map[test]bool)
	for _, t := range possible {
		foreseen[test{filepath.Dir(t.At.Path), t.Name}] = true
	}
	var all []analysis.TestName
	for _, dir := range slices.Sorted(maps.Keys(r.packages)) {
		for _, t := range r.packages[dir].Tests {
			if t.Ran && !foreseen[test{dir, t.Name}] {
				all = append(all, analysis.TestName{Dir: dir, Name: t.Name})
			}
		}
	}
	return all
}

// testFunctions finds where tests are declared.
func (g explorer) testFunctions(ctx context.Context, tree analysis.Tree, names []analysis.TestName) (map[test]*fact.Function, error) {
	if len(names) == 0 {
		return nil, nil
	}
	found, ok, err := askTypes(ctx, g, "where some tests are that ran it", func(ctx context.Context, c *analysis.Client) ([]*fact.Function, error) {
		return c.TestFunctions(ctx, tree, names)
	})
	if !ok || len(found) != len(names) {
		return nil, err
	}
	declared := make(map[test]*fact.Function)
	for i, name := range names {
		declared[test{name.Dir, name.Name}] = found[i]
	}
	return declared, nil
}

// unmeasured returns why nobody can have seen what runs a function; "" if somebody can.
func (g explorer) unmeasured(fn *fact.Function, module string) string {
	switch {
	case g.coverage == nil:
		return "scout.measure_tests is off"
	case fn.Variable:
		return fn.Name + " is a variable"
	case fn.Test:
		return fn.Name + " belongs to a test"
	case module == "":
		return "no go.mod"
	case !coverage.Compiled(fn.At.Path):
		return "WASI, where tests are run to see, does not build " + g.Relative(fn.At.Path)
	}
	return ""
}

// directoriesOf lists the directories of tests, in the order of the tests.
func directoriesOf(tests []fact.Test) []string {
	var dirs []string
	for _, t := range tests {
		if dir := filepath.Dir(t.At.Path); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// judge lists the tests that ran the function, and those of the possible ones of which it is not known that they do not.
func (r *testsSeen) judge(possible []fact.Test) []judgedTest {
	var all []judgedTest
	judged := make(map[test]bool)
	for _, t := range possible {
		j := judgedTest{Test: t}
		judged[test{filepath.Dir(t.At.Path), t.Name}] = true
		if r.look(&j) {
			all = append(all, j)
		}
	}
	all = append(all, r.unforeseen(judged)...)
	for _, t := range all {
		if t.observed {
			r.ran++
		}
	}
	if len(possible) == 0 && r.whole != "" {
		r.estimate(filepath.Dir(r.fn.At.Path), r.whole)
	}
	nearestFirst(all)
	return all
}

// unforeseen lists the tests that ran the function although its types do not say that they can.
func (r *testsSeen) unforeseen(judged map[test]bool) []judgedTest {
	var all []judgedTest
	for _, dir := range slices.Sorted(maps.Keys(r.packages)) {
		for _, t := range r.packages[dir].Tests {
			fn := r.declared[test{dir, t.Name}]
			if !t.Ran || judged[test{dir, t.Name}] || fn == nil {
				continue
			}
			if j := (judgedTest{Test: fact.Test{Function: fn}}); r.look(&j) {
				all = append(all, j)
			}
		}
	}
	return all
}

// look adds to a test what is known of it, and reports whether it may run the function.
func (r *testsSeen) look(t *judgedTest) bool {
	dir := filepath.Dir(t.At.Path)
	if r.whole != "" {
		r.estimate(dir, r.whole)
		return true
	}
	p, known := r.packages[dir]
	if !known {
		r.estimate(dir, "of another module")
		return true
	}
	at := slices.IndexFunc(p.Tests, func(other coverage.Test) bool { return other.Name == t.Name })
	switch {
	case p.State == coverage.Pending:
		r.estimate(dir, notYet)
	case p.State == coverage.Failed:
		r.estimate(dir, "they cannot be run to see: "+p.Reason)
	case p.State == coverage.Stale:
		t.weigh(p.Tests, at)
		r.estimate(dir, noMore)
	case at < 0 && p.Reason != "":
		r.estimate(dir, p.Reason)
	case at < 0 && !coverage.Compiled(t.At.Path):
		r.estimate(dir, "in files that WASI does not build")
	case at < 0: // go test does not run it: an example without output
		return false
	case p.Tests[at].Ran:
		t.Chance, t.observed = 1, true
	case p.Tests[at].Passed:
		return false
	default:
		r.estimate(dir, "some do not pass where they are run to see")
	}
	return true
}

// weigh changes the chance of a test by what it did before something changed.
func (t *judgedTest) weigh(tests []coverage.Test, at int) {
	switch {
	case at < 0:
	case tests[at].Ran:
		t.Chance, t.before = max(t.Chance, chanceRanBefore), true
	case tests[at].Passed:
		t.Chance *= shareNotBefore
	}
}

func (r *testsSeen) estimate(dir, reason string) {
	if r.estimated[reason] == nil {
		r.estimated[reason] = make(map[string]bool)
	}
	r.estimated[reason][dir] = true
}

// measured counts the packages whose tests were run as they are now.
func (r *testsSeen) measured() int {
	n := 0
	for _, p := range r.packages {
		if p.State == coverage.Measured {
			n++
		}
	}
	return n
}
