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

// TestRuns tell how it is known which tests run what a question names.
type TestRuns struct {
	Ran       int              `json:"ran"`                 // tests that ran it when each was run alone, as they are now
	Packages  int              `json:"packages"`            // whose tests were run so
	Estimated []estimatedTests `json:"estimated,omitempty"` // those of other packages
	Command   string           `json:"command,omitempty"`   // runs the tests that the answer lists, in the project's directory
}

// estimatedTests are packages of which some tests may run it.
type estimatedTests struct {
	Packages []string `json:"packages"` // directories below the project
	Reason   string   `json:"reason"`   // why it is not known
}

func (e estimatedTests) String() string {
	shown := e.Packages[:min(len(e.Packages), 3)]
	text := strings.Join(shown, ", ")
	if more := len(e.Packages) - len(shown); more > 0 {
		text += " and " + wording.Plural(more, "more package", "more packages")
	}
	return fmt.Sprintf("in %s (%s)", text, clipText(e.Reason, maxReason))
}

// passes reports whether asking again helps.
func (e estimatedTests) passes() bool { return e.Reason == notYet || e.Reason == noMore }

// doubtTests says what of the answer is estimated.
func (g *graph) doubtTests() {
	var texts []string
	for _, e := range g.estimates() {
		texts = append(texts, e.String())
	}
	if len(texts) > 0 {
		g.doubt("which tests run it is estimated " + strings.Join(texts, ", "))
	}
}

// write says in a line what was measured, and in another one how to run the tests.
func (r *TestRuns) write(p *page) {
	if r.Packages > 0 {
		ran := "none"
		if r.Ran > 0 {
			ran = itoa(r.Ran)
		}
		p.line("the tests of %s were run one by one: %s ran it", wording.Plural(r.Packages, "package", "packages"), ran)
	}
	if r.Command != "" {
		p.line("%s", r.Command)
	}
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

// testRuns is what the answer tells of how its tests are known; nil if it is not about tests of Go.
func (g *graph) testRuns() *TestRuns {
	t := &g.runs
	if !t.asked {
		return nil
	}
	return &TestRuns{Ran: t.ran, Packages: t.packages, Estimated: g.estimates(), Command: t.command(g.root)}
}

// estimates lists the reasons, those that pass first, then those of most packages.
func (g *graph) estimates() []estimatedTests {
	var all []estimatedTests
	for reason, dirs := range g.runs.estimated {
		e := estimatedTests{Reason: reason}
		for _, dir := range dirs {
			e.Packages = append(e.Packages, g.relative(dir))
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b estimatedTests) int {
		return cmp.Or(len(b.Packages)-len(a.Packages), strings.Compare(a.Reason, b.Reason))
	})
	slices.SortStableFunc(all, func(a, b estimatedTests) int {
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
		below := relative(t.modules[0], test.dir)
		if below != "." {
			below = "./" + below
		}
		packages, names = append(packages, below), append(names, test.name)
	}
	slices.Sort(packages)
	command := "go test "
	if in := relative(root, t.modules[0]); in != t.modules[0] && in != "." {
		command = "go -C " + in + " test "
	}
	command += strings.Join(slices.Compact(packages), " ") + " -run '^(" + strings.Join(names, "|") + ")$'"
	if len(command) > maxCommand {
		return ""
	}
	return command
}
