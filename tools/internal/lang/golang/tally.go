package golang

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/golang/coverage"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/query"
)

// maxCommand bounds the command that runs the tests of an answer, in bytes: with more tests it runs their packages, and with
// more packages the whole module.
const maxCommand = 400

// A testTally counts the runs of all functions that a walk asks about. The zero value is of none.
type testTally struct {
	ran       int
	packages  int
	estimated map[string][]string // directories by reason
	listed    []test
	modules   []string // of those that are listed, each once
}

// add counts what is known of one function. root is the directory of the tree.
func (t *testTally) add(known *testsSeen, listed []judgedTest, root string) {
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

// result returns how it is known which tests run what was counted.
func (t *testTally) result(q *query.Query) *graph.TestRuns {
	return &graph.TestRuns{Ran: t.ran, Packages: t.packages, Estimated: t.estimates(q), Command: t.command(q.Root)}
}

// estimates lists the reasons, those that pass first, then those of most packages.
func (t *testTally) estimates(q *query.Query) []graph.Estimate {
	var all []graph.Estimate
	for reason, dirs := range t.estimated {
		e := graph.Estimate{Reason: reason}
		for _, dir := range dirs {
			e.Packages = append(e.Packages, q.Relative(dir))
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b graph.Estimate) int {
		return cmp.Or(len(b.Packages)-len(a.Packages), strings.Compare(a.Reason, b.Reason))
	})
	slices.SortStableFunc(all, func(a, b graph.Estimate) int {
		switch {
		case passes(a) == passes(b):
			return 0
		case passes(a):
			return -1
		}
		return 1
	})
	return all
}

// passes reports whether asking again helps.
func passes(e graph.Estimate) bool { return e.Reason == notYet || e.Reason == noMore }

// command runs the listed tests; "" if that takes several.
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
	in := strings.Join(slices.Compact(packages), " ")
	for _, tests := range []string{in + " -run '" + runExpression(names) + "'", in} {
		if len(command)+len(tests) <= maxCommand {
			return command + tests
		}
	}
	return command + "./..."
}

// runExpression is what go test -run takes to run these tests and no others: "^(ExampleNew|Test(New|Helper))$".
func runExpression(names []string) string {
	var terms []string
	for len(names) > 0 {
		word := wordOf(names[0])
		var rests, others []string
		for _, name := range names {
			if wordOf(name) == word {
				rests = append(rests, name[len(word):])
			} else {
				others = append(others, name)
			}
		}
		terms, names = append(terms, word+anyOf(rests)), others
	}
	return "^" + anyOf(terms) + "$"
}

// wordOf returns the word that the name of a test begins with; "" for a name of any other kind.
func wordOf(name string) string {
	words := []string{"Test", "Example", "Benchmark", "Fuzz"}
	if i := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(name, word) }); i >= 0 {
		return words[i]
	}
	return ""
}

// anyOf is an expression for each of several texts: "(New|Helper)". Names need no escapes.
func anyOf(texts []string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, "|") + ")"
}
