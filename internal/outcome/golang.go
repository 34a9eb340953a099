package outcome

import (
	"encoding/json"
	"strings"
)

var (
	goPlace = pattern(`^\s+\S+\.go:\d+: `)                 // in the lines of a test
	goError = pattern(`^(?:vet: )?\S+\.go:\d+:(?:\d+:)? `) // of the compiler and of vet
)

// readGoTest reads what go test prints: one line for each package ("ok", "FAIL", "?") and, if one failed, FAIL alone in the last
// line. With -v there is a line for each test, with -json an event for each line (go doc test2json).
func readGoTest(lines []string) reading {
	if joined, ok := goEvents(lines); ok {
		r := readGoLines(joined)
		r.atEnd = false // FAIL alone is no event
		return r
	}
	return readGoLines(lines)
}

func readGoLines(lines []string) reading {
	var g goReader
	for _, line := range lines {
		g.line(line)
	}
	r := reading{failed: g.failed, first: g.first, atEnd: true}
	if g.verbose {
		r.ran = g.failed + g.ran
	}
	switch {
	case g.broken:
		r.verdict = failed
	case g.ok:
		r.verdict = passed
	case g.empty:
		r.verdict = nothing
	}
	return r
}

// A goReader reads the lines of go test in order.
type goReader struct {
	ok          bool   // a package passed that has tests
	empty       bool   // a package had nothing to run
	broken      bool   // a test or a package failed
	verbose     bool   // there are lines of tests that passed
	failed, ran int    // tests at the top: that failed, that did not
	first       string // what the first failure says
	test        string // the test whose lines are read
	said        string // the first line with a place that it printed
}

func (g *goReader) line(line string) {
	switch word, rest, _ := strings.Cut(line, "\t"); {
	case isSubtest(line): // counted with its test; indented, but for -json
	case strings.HasPrefix(line, "--- FAIL: "):
		g.broken = true
		g.failed++
		g.fail(strings.TrimPrefix(line, "--- FAIL: "))
	case strings.HasPrefix(line, "--- PASS: "), strings.HasPrefix(line, "--- SKIP: "):
		g.verbose = true
		g.ran++
		g.test, g.said = "", ""
	case strings.HasPrefix(line, "=== RUN "), strings.HasPrefix(line, "=== NAME "), strings.HasPrefix(line, "=== CONT "):
		g.verbose = true
		g.run(strings.TrimSpace(line[8:]))
	case word == "ok  ":
		if strings.Contains(rest, "[no tests to run]") {
			g.empty = true
		} else {
			g.ok = true
		}
	case word == "?   " && strings.Contains(rest, "[no test files]"):
		g.empty = true
	case line == "FAIL", word == "FAIL":
		g.broken = true
	case strings.HasPrefix(line, "panic: "):
		g.note(titled(g.test, line))
	case goError().MatchString(line):
		g.note(line)
	case goPlace().MatchString(line) && g.test != "" && g.said == "":
		g.said = line
		if g.failed > 0 && !g.verbose {
			g.note(g.test + ": " + strings.TrimSpace(line))
		}
	}
}

func isSubtest(line string) bool {
	rest, ok := strings.CutPrefix(line, "--- ")
	name, _, _ := strings.Cut(rest, " (")
	return ok && strings.Contains(name, "/")
}

// run follows whose lines come, while a test and its subtests print them.
func (g *goReader) run(test string) {
	if top, _, _ := strings.Cut(test, "/"); top != g.test {
		g.test, g.said = top, ""
	}
}

// fail notes a test that failed. With -v its lines came before this one, else they follow.
func (g *goReader) fail(test string) {
	name, _, _ := strings.Cut(test, " ")
	if g.verbose && name == g.test && g.said != "" {
		g.note(name + ": " + strings.TrimSpace(g.said))
	}
	g.test, g.said = name, ""
}

func (g *goReader) note(line string) {
	if g.first == "" {
		g.first = strings.TrimSpace(line)
	}
}

// goEvents returns the lines within the events of go test -json, package by package; false: the lines are no events.
func goEvents(lines []string) ([]string, bool) {
	outputs := map[string]*strings.Builder{}
	var order []*strings.Builder
	for _, line := range lines {
		if !strings.HasPrefix(line, `{"`) {
			continue
		}
		var event struct{ Action, Package, ImportPath, Output string }
		if json.Unmarshal([]byte(line), &event) != nil || event.Action == "" {
			continue
		}
		of := event.Package + event.ImportPath
		if outputs[of] == nil {
			outputs[of] = new(strings.Builder)
			order = append(order, outputs[of])
		}
		outputs[of].WriteString(event.Output)
	}
	var joined []string
	for _, text := range order {
		joined = append(joined, strings.Split(text.String(), "\n")...)
	}
	return joined, len(order) > 0
}

// readGoBuild reads what go build and go vet print: nothing if they pass.
func readGoBuild(lines []string) reading {
	var r reading
	for _, line := range lines {
		if goError().MatchString(line) || strings.HasPrefix(line, "go: ") && !strings.HasPrefix(line, "go: downloading ") {
			if r.verdict = failed; r.first == "" {
				r.first = line
			}
		}
	}
	return r
}
