package tools

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/gocoverage"
	"tidepool/tools/internal/wording"
)

// maxCommand bounds the command that runs the tests of an answer, in bytes: a longer one says nothing that the answer does
// not say better.
const maxCommand = 200

// maxReason bounds what a text quotes of why tests are not measured, in characters.
const maxReason = 100

// goTestRuns tell how it is known which tests run what a walk asked about.
type goTestRuns struct {
	ran       int          // tests that ran it when each was run alone, as they are now
	packages  int          // whose tests were run so
	estimated []goEstimate // those of other packages
	command   string       // runs the tests that the answer lists, in the project's directory; "" if it would be long, or several
}

// A goEstimate is packages of which some tests may run it.
type goEstimate struct {
	packages []string // directories below the project
	reason   string   // why it is not known
}

func (e goEstimate) String() string {
	shown := e.packages[:min(len(e.packages), 3)]
	text := strings.Join(shown, ", ")
	if more := len(e.packages) - len(shown); more > 0 {
		text += " and " + wording.Plural(more, "more package", "more packages")
	}
	return fmt.Sprintf("in %s (%s)", text, wording.Shorten(e.reason, maxReason))
}

// passes reports whether asking again helps.
func (e goEstimate) passes() bool { return e.reason == notYet || e.reason == noMore }

// doubt says what of the answer is estimated; "" if nothing is.
func (r *goTestRuns) doubt() string {
	if r == nil || len(r.estimated) == 0 {
		return ""
	}
	var texts []string
	for _, e := range r.estimated {
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
	listed    []goTest
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
		t.listed = append(t.listed, goTest{dir, j.Name})
		if module := gocoverage.ModuleOf(dir, root); !slices.Contains(t.modules, module) {
			t.modules = append(t.modules, module)
		}
	}
}

// testRuns is how it is known which tests run what the walk asked about; nil if it did not ask.
func (w *goWalk) testRuns(q *Inquiry) *goTestRuns {
	t := &w.runs
	if !t.asked {
		return nil
	}
	return &goTestRuns{ran: t.ran, packages: t.packages, estimated: t.estimates(q), command: t.command(q.Root)}
}

// estimates lists the reasons, those that pass first, then those of most packages.
func (t *testTally) estimates(q *Inquiry) []goEstimate {
	var all []goEstimate
	for reason, dirs := range t.estimated {
		e := goEstimate{reason: reason}
		for _, dir := range dirs {
			e.packages = append(e.packages, q.Relative(dir))
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b goEstimate) int {
		return cmp.Or(len(b.packages)-len(a.packages), strings.Compare(a.reason, b.reason))
	})
	slices.SortStableFunc(all, func(a, b goEstimate) int {
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
		below := Relative(t.modules[0], test.dir)
		if below != "." {
			below = "./" + below
		}
		packages, names = append(packages, below), append(names, test.name)
	}
	slices.Sort(packages)
	command := "go test "
	if in := Relative(root, t.modules[0]); in != t.modules[0] && in != "." {
		command = "go -C " + in + " test "
	}
	command += strings.Join(slices.Compact(packages), " ") + " -run '^(" + strings.Join(names, "|") + ")$'"
	if len(command) > maxCommand {
		return ""
	}
	return command
}
