package preview

import (
	"strings"
	"testing"

	"tidepool/internal/preview/recorded"
)

const outputs = "recorded/testdata"

// What a person looks for in the outputs with which the formats were written is shown, at a few percent of their length. The bench
// measures the outputs that are kept apart.
func TestLookedFor(t *testing.T) {
	byFormat := make(map[string]int)
	share, err := recorded.Measure(outputs, func(c recorded.Case) bool { return !c.IsKept() }, func(c recorded.Case, out recorded.Output) string {
		p := Of(Input{Command: c.Run, Exit: out.Exit, Stdout: out.Stdout, Stderr: out.Stderr}, 500)
		byFormat[p.Format]++
		if testing.Verbose() {
			t.Logf("%s (%s, %d of %d lines)\n%s\n\n", c.Name, p.Format, p.Shown, p.Lines, p.Text)
		}
		return p.Text
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d found, %.1f %% shown, missing %q, formats %v", share.Found, share.Looked, 100*share.Cost(), share.Missing, byFormat)
	if share.Recall() < 0.95 || share.Cost() > 0.05 {
		t.Errorf("recall %.3f at %.1f %% of the characters; missing %q", share.Recall(), 100*share.Cost(), share.Missing)
	}
}

// Each case has a format of its own: a runner is recognised by what it prints.
func TestFormats(t *testing.T) {
	cases, err := recorded.Cases(outputs)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.IsKept() {
			continue
		}
		out, err := recorded.ReadOutput(outputs, c.Name)
		if err != nil {
			t.Fatal(err)
		}
		in := Input{Exit: out.Exit, Stdout: out.Stdout, Stderr: out.Stderr}
		if c.Program() != "general" && c.Name != "tap-5" && !namesCause(in) { // node tells of tap-5 only that it failed
			t.Errorf("%s: no format names the cause", c.Name)
		}
		if p := Of(in, 500); !p.Whole && p.Format != expected(c) {
			t.Errorf("%s: %s, not %s", c.Name, p.Format, expected(c))
		}
	}
}

// namesCause reports whether a format knows why the command failed.
func namesCause(in Input) bool {
	for _, f := range formats() {
		if r := f.read(newOutput(in)); r.name != "" && r.fails && len(r.picks[cause]) > 0 {
			return true
		}
	}
	return false
}

// expected returns the format of a case.
func expected(c recorded.Case) string {
	mixed := map[string]string{"mixed-1": "go build+make", "mixed-3": "pytest+mypy", "mixed-5": "cargo test"}
	switch program := c.Program(); {
	case program == "mixed":
		return mixed[c.Name]
	case program == "cargo-build":
		return "cargo"
	case program == "tap" && strings.Contains(c.Run, "=spec"):
		return "node --test"
	case program == "general" || program == "cc":
		return program
	default:
		return strings.ReplaceAll(program, "-", " ")
	}
}

// Ten megabytes are read in about the time that a person does not notice, whatever they are.
func BenchmarkOf(b *testing.B) {
	const size = 10 << 20
	for name, piece := range map[string]string{
		"log":         "2026-11-22T21:04:05Z INFO server: request 4711 served in 12 ms, no error\n",
		"empty lines": "\n",
		"one line":    "error: no ",
		"go test":     "=== RUN   TestA/case\n    a_test.go:7: checked\n--- PASS: TestA/case (0.00s)\n",
		"errors":      "src/a.c:1:2: error: 'x' undeclared\n",
		"colours":     "\x1b[31mFAIL\x1b[0m a.test.js > b\n",
		"titles":      "____ test_a ____\nE   assert\n",
		"indented":    "  a.py:1: error: no\n",
		"panics":      "panic: no\n",
		"FAIL":        " FAIL  a.test.js > b\n",
		"slashes":     "--- FAIL: a" + strings.Repeat("/", 1<<20) + " (0.00s)\n",
		"bullets":     "  ● a\n",
		"rules":       "=====\nFAIL: a\n",
		"not ok":      "not ok 1\n  ---\n",
	} {
		text := strings.Repeat(piece, size/len(piece)+1)[:size]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				Of(Input{Exit: 1, Stdout: text}, 4000)
			}
		})
	}
}
