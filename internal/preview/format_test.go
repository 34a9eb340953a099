package preview

import (
	"strings"
	"testing"
)

// An output whose count of failures is not that of what was found, or that is something else, is not of the format.
func TestFormatsThatDoNotApply(t *testing.T) {
	noise := strings.Repeat("a line of the program's own log\n", 40)
	for name, text := range map[string]string{
		"pytest, cut":             "=== FAILURES ===\n____ test_a ____\nE   assert 1 == 2\n=== 3 failed, 1 passed in 0.10s ===\n",
		"unittest, cut":           "======================\nFAIL: test_a (a.A)\n----------------------\nFAILED (failures=4)\n",
		"cargo test, cut":         "failures:\n    tests::a\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n",
		"jest, cut":               "  ● a\n\n    no\n\nTest Suites: 1 failed, 1 total\nTests:       2 failed, 2 total\n",
		"vitest, cut":             " FAIL  a.test.js > b\nError: no\n\n      Tests  2 failed (2)\n",
		"eslint, cut":             "/a.js\n  1:2  error  no  rule\n\n✖ 2 problems (2 errors, 0 warnings)\n",
		"mypy, cut":               "a.py:1: error: no  [misc]\nFound 7 errors in 1 file (checked 1 source file)\n",
		"tsc, cut":                "a.ts:1:2 - error TS2322: no\n\nFound 3 errors in 1 file.\n",
		"TAP, cut":                "TAP version 13\nnot ok 1 - a\n# fail 3\n",
		"TAP, to be done":         "TAP version 13\nnot ok 1 - a # TODO later\n",
		"a program that prints #": "# of lines\nx.go\n",
		"a time":                  "12:30:15: error: late\n",
		"go's progress":           "go: downloading example.com/a v1.0.0\n",
		"tests that passed":       "ok  \texample.com/a\t0.1s\n",
	} {
		p := Of(Input{Exit: 1, Stdout: noise + text + noise}, 300)
		if p.Format != "general" && p.Format != "end" {
			t.Errorf("%s: %s: %q", name, p.Format, p.Text)
		}
	}
}

// Several programs may have written one output; each names its failure.
func TestFormatsTogether(t *testing.T) {
	noise := strings.Repeat("a line of the program's own log\n", 40)
	p := Of(Input{Exit: 2, Stdout: noise + "a.py:3: error: Bad thing  [misc]\nFound 1 error in 1 file (checked 1 source file)\n" + noise +
		"--- FAIL: TestA (0.00s)\n    a_test.go:7: got 3\nFAIL\nFAIL\texample.com/a\t0.1s\n", Stderr: "make: *** [Makefile:2: all] Error 1\n"}, 500)
	for _, want := range []string{"a.py:3: error: Bad thing", "Found 1 error", "--- FAIL: TestA", "a_test.go:7: got 3", "FAIL\texample.com/a", "make: ***"} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("%q is not in %q", want, p.Text)
		}
	}
	if p.Format != "go test+make+mypy" || p.Stderr != "make: *** [Makefile:2: all] Error 1" {
		t.Errorf("%+v", p)
	}
}

// A runner's own verdict stands first, whatever comes before it.
func TestVerdictFirst(t *testing.T) {
	p := Of(Input{Exit: 1, Stderr: strings.Repeat("noise\n", 300) + "ERROR: test_a (a.A.test_a)\n"}, 200)
	if strings.HasPrefix(p.Text, "ERROR") {
		t.Errorf("%q", p.Text)
	}
	text := strings.Repeat("loaded\n", 300) + "  ● adds\n\n    Expected: 3\n    Received: 4\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n"
	p = Of(Input{Exit: 1, Stdout: strings.Repeat("console\n", 100), Stderr: text}, 200)
	if !strings.HasPrefix(p.Text, "Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n[line 301]\n  ● adds\n") {
		t.Errorf("%q", p.Text)
	}
}

// A rule around a title is left out, a line is cut between characters.
func TestShown(t *testing.T) {
	for line, want := range map[string]string{
		"===== 1 failed =====": "1 failed",
		"=====":                "=====",
		"= 1 =":                "= 1 =",
		"⎯⎯⎯⎯⎯⎯ Failed ⎯⎯⎯⎯⎯": "Failed",
	} {
		if got := unruled(line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
	for text, want := range map[string]string{"éééé": "éé…", "ééé": "ééé", "": "", "abcd": "ab…", "a": "a"} {
		if got := cut(text, 3); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Tests of several packages may have the same name; what one logged is not said of the other.
func TestGoPackages(t *testing.T) {
	passed := "=== RUN   TestA\n    a_test.go:3: nothing to see\n--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/a\t0.1s\n"
	failed := "=== RUN   TestA\n    b_test.go:9: got 3\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.com/b\t0.1s\nFAIL\n"
	p := Of(Input{Exit: 1, Stdout: passed + failed + strings.Repeat(passed, 20)}, 200)
	if p.Text != "FAIL\texample.com/b\t0.1s\n[line 7]\n    b_test.go:9: got 3\n--- FAIL: TestA (0.00s)" {
		t.Errorf("%q", p.Text)
	}
}
