package scout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/internal/golang/coverage"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
)

// runsModule has tests that can run what they do not, and one that its types do not tell of.
const runsModule = `
-- go.mod --
module example.test/m

go 1.26
-- a/a.go --
package a

var parts = map[string]func(){"f": F, "g": g}

func Part(name string) { parts[name]() }

func F() {}

func g() {}

var table = func() int { return 1 }()
-- a/native.go --
//go:build !wasip1

package a

func Native() {}
-- a/a_test.go --
package a

import "testing"

func TestF(t *testing.T) { Part("f") }

func TestG(t *testing.T) { Part("g") }

func TestFails(t *testing.T) { Part("g") }

func ExamplePart() { Part("f") }

func TestFar(t *testing.T) { check() }

func check() { Part("f") }

func TestTable(t *testing.T) { _ = table }

func TestHidden(t *testing.T) {}
-- a/a_windows_test.go --
package a

import "testing"

func TestWindows(t *testing.T) { F() }
-- b/b_test.go --
package b

import (
	"testing"

	"example.test/m/a"
)

func TestB(t *testing.T) { a.F() }
-- other/go.mod --
module example.test/other

go 1.26

require example.test/m v0.0.0

replace example.test/m => ../
-- other/o_test.go --
package other

import (
	"testing"

	"example.test/m/a"
)

func TestOther(t *testing.T) { a.F() }
`

// playedTests play what the tests of packages run, by the name of the directory: TestF for one that ran a.F, TestG- for one that
// did not, TestFails! for one that did not and did not pass. Once a package has a test more, TestMore, that stands under
// "more", and it is waited for.
type playedTests struct {
	packages map[string]string
	more     chan struct{} // closed when that may be known
}

func (p playedTests) measure(ctx context.Context, module string, dirs []string, each func(coverage.Result), _ func(coverage.Failure)) (time.Duration, error) {
	for _, dir := range dirs {
		name := filepath.Base(dir)
		if source, err := os.ReadFile(filepath.Join(dir, name+"_test.go")); err == nil && strings.Contains(string(source), "TestMore") {
			name = "more"
			select {
			case <-p.more:
			case <-ctx.Done():
				return 0, context.Cause(ctx)
			}
		}
		tests, ok := p.packages[name]
		if !ok {
			return 0, errors.New("no such package")
		}
		for name := range strings.FieldsSeq(tests) {
			r := coverage.Result{Package: dir, Test: strings.TrimRight(name, "-!"), Passed: !strings.HasSuffix(name, "!")}
			if r.Test == name {
				r.Ran = []coverage.Function{{File: filepath.Join(module, "a", "a.go"), Line: 7, Name: "F"}}
			}
			each(r)
		}
	}
	return 0, nil
}

// runsOf serves the module and asks which tests a function is run by.
func runsOf(t *testing.T, s *Toolset, name string) *Output {
	t.Helper()
	out, err := s.Scout(t.Context(), tools.Call{}, changing(scout.ChangeBehavior, name))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func named(out *Output) string {
	var names []string
	for _, p := range out.Pointers[1:] {
		name := p.In
		if !p.Observed {
			name += "?"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func scoutRuns(t *testing.T, archive string, p playedTests) *Toolset {
	t.Helper()
	code := toolstest.Serve(t, t.TempDir(), "go", archive)
	collector := coverage.New(coverage.Options{Measure: p.measure})
	t.Cleanup(collector.Close)
	memory := langtest.Memory(t)
	memory.Coverage = collector
	return &Toolset{Project: code.Project, Root: code.Root, Memory: memory, Scorer: scout.Heuristic{}}
}

func TestTestsThatWereSeen(t *testing.T) {
	s := scoutRuns(t, runsModule, playedTests{packages: map[string]string{"a": "TestF TestG- TestFails! TestFar TestTable- TestHidden", "b": "TestB"}})
	out := runsOf(t, s, "a.F")
	if got, want := named(out), "TestB TestF TestFar TestHidden TestWindows? TestOther? TestFails?"; got != want {
		t.Errorf("listed are %s, want %s", got, want)
	}
	runs := *out.Tests
	estimated := make(map[string]string)
	for _, e := range runs.Estimated {
		estimated[e.Reason] = strings.Join(e.Packages, " ")
	}
	want := map[string]string{
		"some do not pass where they are run to see": "a", "in files that WASI does not build": "a", "of another module": "other",
	}
	if runs.Ran != 4 || runs.Packages != 2 || !maps.Equal(estimated, want) {
		t.Errorf("%+v", runs)
	}
	for _, says := range []string{
		"is run by 4 tests, and may be run by 3 tests.", "the tests of 2 packages were run one by one: 4 ran it",
		"run this test (*: may run it):", ":5 TestWindows *\n", ":9 TestB\n",
	} {
		if !strings.Contains(out.Text(), says) {
			t.Errorf("the text does not say %q:\n%s", says, out.Text())
		}
	}
	if runs.Command != "" {
		t.Errorf("one command for two modules: %s", runs.Command)
	}
	if slices.ContainsFunc(out.Pointers, func(p scout.Pointer) bool { return p.Certain && p.Depth > 0 }) {
		t.Error("a test is certain, as only what a compiler says may be")
	}
}

// What has changed is told as it was, and said to be so, until it is measured anew.
func TestTestsThatHaveChanged(t *testing.T) {
	p := playedTests{more: make(chan struct{}), packages: map[string]string{
		"a": "TestF TestG- TestFails- TestFar TestTable-", "b": "TestB",
		"more": "TestF- TestG- TestFails- TestFar- TestTable- TestMore",
	}}
	s := scoutRuns(t, runsModule, p)
	runsOf(t, s, "a.F")
	path := filepath.Join(s.Root, "a", "a_test.go")
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(source, "\nfunc TestMore(t *testing.T) { F() }\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	in := changing(scout.ChangeBehavior, "a.F")
	in.WaitSeconds = new(float64)
	out := &Output{Answer: &scout.Answer{}}
	state := lsp.Indexing // while gopls is at work on the change
	for deadline := time.Now().Add(5 * time.Minute); (len(out.Pointers) == 0 || state == lsp.Indexing) && time.Now().Before(deadline); {
		if out, err = s.Scout(t.Context(), tools.Call{}, in); err != nil {
			t.Fatal(err)
		}
		completeness, _ := out.Completeness.(lsp.Completeness)
		state = completeness.State
	}
	if got := named(out); !strings.HasPrefix(got, "TestB TestF? ") || strings.Contains(got, "TestG") {
		t.Errorf("listed are %s", got)
	}
	if text := out.Text(); !strings.Contains(text, "measured before the latest changes, ask again in a moment") || strings.Contains(text, "complete") {
		t.Errorf("the text is\n%s", text)
	}
	close(p.more)
	if got, want := named(runsOf(t, s, "a.F")), "TestMore TestB TestWindows? TestOther?"; got != want {
		t.Errorf("listed are %s, want %s", got, want)
	}
}

func TestTestsThatCannotBeSeen(t *testing.T) {
	s := scoutRuns(t, runsModule, playedTests{})
	for name, want := range map[string]string{
		"a.F": "they cannot be run to see: no such package", "a.table": "table is a variable", "a.check": "check belongs to a test",
		"a.Native": "WASI, where tests are run to see, does not build a/native.go",
	} {
		out := runsOf(t, s, name)
		if reason := out.Tests.Estimated[0].Reason; reason != want {
			t.Errorf("%s: %s", name, reason)
		}
		if text := out.Text(); !strings.Contains(text, "(partial: ") || !strings.Contains(text, "which tests run it is estimated in ") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// Of the tests that ran a function, as many are listed as the depth allows, and the command runs them all.
func TestTestsBeyondTheBound(t *testing.T) {
	const ran = 40
	var source strings.Builder
	source.WriteString("package m\n\nimport \"testing\"\n")
	tests := ""
	for i := range ran {
		fmt.Fprintf(&source, "\nfunc TestWithAQuiteLongNameNumber%d(t *testing.T) { F() }\n", i)
		tests += fmt.Sprintf(" TestWithAQuiteLongNameNumber%d", i)
	}
	archive := "-- go.mod --\nmodule m\n-- a/a.go --\npackage m\n\n\n\n\n\nfunc F() {}\n-- a/a_test.go --\n" + source.String()
	out := runsOf(t, scoutRuns(t, archive, playedTests{packages: map[string]string{"a": tests}}), "F")
	if len(out.Pointers) != scout.Medium.Budget() || out.Tests.Ran != ran || out.LeftOut.Open != ran+1-scout.Medium.Budget() {
		t.Errorf("%d pointers, %+v, left out %+v", len(out.Pointers), out.Tests, out.LeftOut)
	}
	if text := out.Text(); out.Tests.Command != "go test ./a" || !strings.Contains(text, "11 more are left out: depth medium ends at 30; high looks at 100") {
		t.Errorf("the command is %q:\n%s", out.Tests.Command, text)
	}
}
