package golang

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/golang/coverage"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/wording"
)

// maxCommand bounds the command that runs the tests of an answer, in bytes: a longer one says nothing that the answer does
// not say better.
const maxCommand = 200

// maxReason bounds what a text quotes of why tests are not measured, in characters.
const maxReason = 100

// TestRuns tell how it is known which tests run what a walk asked about.
type TestRuns struct {
	Ran       int        // tests that ran it when each was run alone, as they are now
	Packages  int        // whose tests were run so
	Estimated []Estimate // those of other packages
	Command   string     // runs the tests that the answer lists, in the project's directory; "" if it would be long, or several
}

// An Estimate is packages of which some tests may run it.
type Estimate struct {
	Packages []string // directories below the project
	Reason   string   // why it is not known
}

// String says where, of at most three packages, and why: "in a, b (no go.mod)".
func (e Estimate) String() string {
	shown := e.Packages[:min(len(e.Packages), 3)]
	text := strings.Join(shown, ", ")
	if more := len(e.Packages) - len(shown); more > 0 {
		text += " and " + wording.Plural(more, "more package", "more packages")
	}
	return fmt.Sprintf("in %s (%s)", text, wording.Shorten(e.Reason, maxReason))
}

// passes reports whether asking again helps.
func (e Estimate) passes() bool { return e.Reason == notYet || e.Reason == noMore }

// Doubt says what of the answer is estimated; "" if nothing is.
func (r *TestRuns) Doubt() string {
	if r == nil || len(r.Estimated) == 0 {
		return ""
	}
	var texts []string
	for _, e := range r.Estimated {
		texts = append(texts, e.String())
	}
	return "which tests run it is estimated " + strings.Join(texts, ", ")
}

// A testTally counts the runs of all functions that a walk asks about. The zero value is of none.
type testTally struct {
	asked     bool
	ran       int
	packages  int
	estimated map[string][]string // directories by reason
	listed    []test
	modules   []string // of those that are listed, each once
}

// add counts what is known of one function. root is the directory of the tree.
func (t *testTally) add(known *testsSeen, listed []judgedTest, root string) {
	t.asked = true
	t.ran += known.ran
	t.packages = max(t.packages, known.measured())
	if t.estimated == nil {
		t.estimated = make(map[string][]string)
	}
	for reason, dirs := range known.estimated {
		all := slices.AppendSeq(t.estimated[reason], maps.Keys(dirs))
		slices.Sort(all)
		t.estimated[reason] = slices.Compact(all)
	}
	for _, j := range listed {
		dir := filepath.Dir(j.At.Path)
		t.listed = append(t.listed, test{dir, j.Name})
		if module := coverage.ModuleOf(dir, root); !slices.Contains(t.modules, module) {
			t.modules = append(t.modules, module)
		}
	}
}

// TestRuns is how it is known which tests run what the walk asked about; nil if it did not ask.
func (w *Walk) TestRuns(q *query.Query) *TestRuns {
	t := &w.runs
	if !t.asked {
		return nil
	}
	return &TestRuns{Ran: t.ran, Packages: t.packages, Estimated: t.estimates(q), Command: t.command(q.Root)}
}

// estimates lists the reasons, those that pass first, then those of most packages.
func (t *testTally) estimates(q *query.Query) []Estimate {
	var all []Estimate
	for reason, dirs := range t.estimated {
		e := Estimate{Reason: reason}
		for _, dir := range dirs {
			e.Packages = append(e.Packages, q.Relative(dir))
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Estimate) int {
		return cmp.Or(len(b.Packages)-len(a.Packages), strings.Compare(a.Reason, b.Reason))
	})
	slices.SortStableFunc(all, func(a, b Estimate) int {
		switch {
		case a.passes() == b.passes():
			return 0
		case a.passes():
			return -1
		}
		return 1
	})
	return all
}

// command runs the listed tests; "" if it would be long, or takes several.
func (t *testTally) command(root string) string {
	if len(t.modules) != 1 || t.modules[0] == "" {
		return ""
	}
	var packages, names []string
	for _, test := range t.listed {
		below := query.Relative(t.modules[0], test.dir)
		if below != "." {
			below = "./" + below
		}
		packages, names = append(packages, below), append(names, test.name)
	}
	slices.Sort(packages)
	command := "go test "
	if in := query.Relative(root, t.modules[0]); in != t.modules[0] && in != "." {
		command = "go -C " + in + " test "
	}
	command += strings.Join(slices.Compact(packages), " ") + " -run '^(" + strings.Join(names, "|") + ")$'"
	if len(command) > maxCommand {
		return ""
	}
	return command
}
