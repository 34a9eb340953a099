package outcome_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/outcome"
)

// recorded returns what a program printed. testdata/README.md says by which command each file was recorded.
func recorded(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// result builds what a test wants: "passed", "failed", "unknown", or "" for a command that runs neither tests nor a build.
func result(kind, program, ended string, broken, ran int, first string) outcome.Result {
	return outcome.Result{Kind: kind, Program: program, Known: ended != "unknown", Passed: ended == "passed", Failed: broken, Ran: ran, First: first}
}

func TestRecordedOutputs(t *testing.T) {
	const (
		sum      = "TestSum: queue_test.go:7: Sum(1, 2) = -1, want 3"
		adds     = "test_sum.py::Sum::test_adds - AssertionError: -1 != 3"
		panicked = "tests::adds: assertion `left == right` failed"
		noValue  = "error[E0425]: cannot find value `c` in this scope --> src/lib.rs:1:41"
	)
	for _, test := range []struct {
		file, command string
		exit          int
		want          outcome.Result
	}{
		{"go-test-fail", "go test ./queue ./stock ./empty", 1, result("test", "go test", "failed", 1, 0, sum)},
		{"go-test-fail-v", "go test -v ./queue ./stock", 1, result("test", "go test", "failed", 1, 3, sum)},
		{"go-test-fail-json", "go test -json ./queue ./stock", 1, result("test", "go test", "failed", 1, 3, sum)},
		{"go-test-ok", "go test ./stock ./empty", 0, result("test", "go test", "passed", 0, 0, "")},
		{"go-test-ok-v", "go test -v ./stock", 0, result("test", "go test", "passed", 0, 1, "")},
		{"go-test-ok-json", "go test -json ./stock", 0, result("test", "go test", "passed", 0, 1, "")},
		{"go-test-none", "go test -run Nope ./stock ./empty", 0, result("test", "go test", "unknown", 0, 0, "")},
		{"go-test-tail", "go test ./queue ./stock | tail -2", 0, result("test", "go test", "failed", 0, 0, "")},
		{"go-test-usage", "go test ./nowhere", 1, result("test", "go test", "failed", 0, 0, "stat /home/dev/shop/nowhere: directory not found")},
		{"go-test-build", "go test ./broken ./stock", 1, result("test", "go test", "failed", 0, 0, "broken/broken.go:3:23: undefined: undefinedName")},
		{"go-test-panic", "go test ./stock", 1, result("test", "go test", "failed", 1, 0, "TestPanic: panic: assignment to entry in nil map [recovered, repanicked]")},
		{"go-build-fail", "go build ./...", 1, result("build", "go build", "failed", 0, 0, "broken/broken.go:3:23: undefined: undefinedName")},
		{"go-vet-fail", "go vet ./...", 1, result("build", "go vet", "failed", 0, 0, `broken/broken.go:5:28: fmt.Printf format %d has arg "x" of wrong type string`)},
		{"pytest-fail", "python3 -m pytest test_sum.py", 1, result("test", "pytest", "failed", 1, 2, adds)},
		{"pytest-fail-q", "pytest -q test_sum.py", 1, result("test", "pytest", "failed", 1, 2, adds)},
		{"pytest-fail-tail", "pytest test_sum.py | tail -2", 0, result("test", "pytest", "failed", 1, 2, adds)},
		{"pytest-ok", "uv run pytest ok/test_ok.py", 0, result("test", "pytest", "passed", 0, 2, "")},
		{"pytest-none", "pytest -k nope ok/test_ok.py", 5, result("test", "pytest", "unknown", 0, 0, "")},
		{"pytest-error", "pytest test_import.py", 2, result("test", "pytest", "failed", 1, 1, "test_import.py - ModuleNotFoundError: No module named 'nowhere'")},
		{"pytest-usage", "pytest nofile.py", 4, result("test", "pytest", "unknown", 0, 0, "")},
		{"unittest-fail", "python3 -m unittest", 1, result("test", "unittest", "failed", 1, 2, "test_adds (test_sum.Sum.test_adds): AssertionError: -1 != 3")},
		{"unittest-ok", "python3 -m unittest", 0, result("test", "unittest", "passed", 0, 2, "")},
		{"unittest-none", "python3 -m unittest -k nope", 0, result("test", "unittest", "unknown", 0, 0, "")},
		{"node-fail-spec", "node --test n/", 1, result("test", "node --test", "failed", 1, 2, "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:")},
		{"node-fail-tap", "npm test", 1, result("test", "npm test", "failed", 1, 2, "Expected values to be strictly equal:")},
		{"node-ok-spec", "npm test | tail -20", 0, result("test", "npm test", "passed", 0, 1, "")},
		{"node-ok-tap", "node --test", 0, result("test", "node --test", "passed", 0, 1, "")},
		{"cargo-test-fail", "cargo test", 101, result("test", "cargo test", "failed", 1, 2, panicked)},
		{"cargo-test-ok", "cargo +stable test", 0, result("test", "cargo test", "passed", 0, 2, "")},
		{"cargo-test-none", "cargo test nope", 0, result("test", "cargo test", "unknown", 0, 0, "")},
		{"cargo-test-build", "cargo test", 101, result("test", "cargo test", "failed", 0, 0, noValue)},
		{"cargo-build-ok", "cargo build 2>&1 | tail -3", 0, result("build", "cargo build", "passed", 0, 0, "")},
		{"cargo-build-fail", "cargo b", 101, result("build", "cargo build", "failed", 0, 0, noValue)},
		{"make-build-fail", "make", 2, result("build", "make", "failed", 0, 0, "app.c:1:25: error: ‘undefined_name’ undeclared (first use in this function)")},
		{"make-build-ok", "make all", 0, result("build", "make all", "passed", 0, 0, "")},
		{"make-test-fail", "make -C shop test", 2, result("test", "make test", "failed", 1, 0, sum)},
		{"make-none", "make test", 2, result("test", "make test", "unknown", 0, 0, "")},
		{"jest-fail", "npx jest", 1, result("test", "jest", "failed", 1, 2, "adds: expect(received).toBe(expected) // Object.is equality")},
		{"jest-fail", "npm test 2>&1 | tail -40", 0, result("test", "npm test", "failed", 1, 2, "adds: expect(received).toBe(expected) // Object.is equality")},
		{"jest-ok", "yarn test", 0, result("test", "yarn test", "passed", 0, 1, "")},
		{"jest-none", "npx jest -t nope", 1, result("test", "jest", "unknown", 0, 0, "")},
		{"vitest-fail", "npx vitest run", 1, result("test", "vitest", "failed", 1, 2, "sum.test.js > adds: AssertionError: expected -1 to be 3 // Object.is equality")},
		{"vitest-ok", "pnpm run test:unit", 0, result("test", "pnpm test:unit", "passed", 0, 1, "")},
		{"vitest-none", "vitest run nope", 1, result("test", "vitest", "unknown", 0, 0, "")},
		{"tsc-fail", "npx tsc --noEmit", 2, result("build", "tsc", "failed", 0, 0, "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.")},
		{"tsc-fail", "npm run typecheck | head -20", 0, result("build", "npm run typecheck", "failed", 0, 0, "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.")},
	} {
		got := outcome.Of(test.command, recorded(t, test.file), test.exit, test.exit != 0)
		test.want.First = strings.ReplaceAll(test.want.First, "\t", " ")
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", test.file, test.command, diff)
		}
	}
}

// What a line's status and a filtered output can tell, and what they cannot.
func TestWhatIsNotKnown(t *testing.T) {
	passes, fails := recorded(t, "go-test-ok"), recorded(t, "go-test-fail")
	for _, test := range []struct {
		command, output string
		exit            int
		want            string
	}{
		{"go test ./...", "", 0, "passed"},
		{"go test ./... > log", "", 0, "passed"},
		{"go test ./... > log", "", 1, "unknown"}, // it may not have come to a test
		{"go test ./...", "", 1, "unknown"},
		{"go test ./...", fails, 0, "unknown"}, // they contradict each other
		{"go test ./...", passes, 1, "unknown"},
		{"go test ./...", passes, 124, "unknown"},
		{"go test ./...", fails, 130, "unknown"},
		{"timeout 60 go test ./...", fails, 124, "unknown"},
		{"go test ./...", fails, -1, "unknown"},
		{"cd shop && FOO=1 timeout 60 go test ./...", passes, 0, "passed"},
		{"cd shop && go test ./...", "bash: cd: shop: No such file or directory", 1, "unknown"},
		{"cd shop && go test ./...", fails, 1, "failed"},
		{"go test ./...; echo done", passes + "done\n", 0, "passed"},
		{"go test ./...; echo done", fails + "done\n", 0, "failed"},
		{"go test ./...; echo done", "done\n", 0, "unknown"},
		{"go test ./... || true", fails, 0, "failed"},
		{"go test ./... || true", "", 0, "unknown"},
		{"go test ./... | tail -5", passes, 0, "passed"},
		{"go test ./... | head -5", passes, 0, "unknown"},
		{"go test ./... | grep -v 'no test files'", passes, 0, "unknown"},
		{"go test ./... | grep FAIL", fails, 0, "failed"},
		{"go test -json ./... | tail -3", recorded(t, "go-test-ok-json"), 0, "unknown"},
		{"set -o pipefail; go test ./... | head -5", passes, 0, "passed"},
		{"go test ./... > log 2>&1; tail -3 log", passes, 0, "passed"},
		{"go test ./... > log 2>&1; grep ok log", passes, 0, "unknown"},
		{"go test ./... &", passes, 0, "unknown"},
		{"go test ./... && ./deploy", passes, 1, "unknown"}, // it may have been killed
		{"pytest && ./deploy", recorded(t, "pytest-ok"), 1, "passed"},
		{"go vet ./... && go test ./...", passes, 0, "passed"},
		{"for i in 1 2 3; do go test ./queue; done", fails, 0, "failed"},
		{"npm run build", "", 1, "failed"},
		{"npm run build", "sh: 1: vite: not found", 127, "unknown"},
		{"go test -c ./queue", "", 0, ""},
		{"go test -list . ./queue", "TestSum\n", 0, ""},
		{"go test --help", "", 0, ""},
		{"make -n test", fails, 0, ""},
		{"make clean", "", 0, ""},
		{"npm install", "", 0, ""},
		{"npm run lint", "", 1, ""},
		{"pytest --collect-only", "", 0, ""},
		{"echo go test", fails, 0, ""},
		{"cat go-test.log", fails, 0, ""},
		{"git commit -m 'go test ./...'", fails, 1, ""},
		{"go test (", fails, 1, ""},
	} {
		r := outcome.Of(test.command, test.output, test.exit, test.exit != 0)
		got := ""
		switch {
		case r.Kind == "":
		case !r.Known:
			got = "unknown"
		case r.Passed:
			got = "passed"
		default:
			got = "failed"
		}
		if got != test.want {
			t.Errorf("%s, exit %d: %s, want %s", test.command, test.exit, got, test.want)
		}
	}
}

// Of a line that vets and tests, the one that failed counts.
func TestOfSeveralRunners(t *testing.T) {
	got := outcome.Of("go vet ./... && go test ./...", recorded(t, "go-vet-fail"), 1, true)
	if got.Program != "go vet" || !got.Known || got.Passed {
		t.Errorf("got %+v", got)
	}
	got = outcome.Of("go build ./... && go test ./...", recorded(t, "go-test-fail"), 1, true)
	if got.Program != "go test" || !got.Known || got.Passed {
		t.Errorf("got %+v", got)
	}
}

func TestFirstError(t *testing.T) {
	for output, want := range map[string]string{
		"":                     "",
		"\n\n  building\nok\n": "building",
		"building\nfatal: not a git repository\n":                                  "fatal: not a git repository",
		"psql: error: connection to server at \"db\" failed: Connection refused\n": `psql: error: connection to server at "db" failed: Connection refused`,
		recorded(t, "unittest-fail"):                                               "AssertionError: -1 != 3",
		"\x1b[31mError:\x1b[0m no such option\r\n":                                 "Error: no such option",
		"progress 10%\rprogress 99%\rcannot write: disk full":                      "cannot write: disk full",
		"Error: " + strings.Repeat("x", 1000):                                      "Error: " + strings.Repeat("x", 292) + "…",
	} {
		if got := outcome.FirstError(output); got != want {
			t.Errorf("%.60q: %q, want %q", output, got, want)
		}
	}
}

// Any output may come with any command: what is known is consistent, and the error line is one short line.
func FuzzOf(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add("make test; npm test | tail -3", string(data), 1)
		f.Add(strings.NewReplacer("-", " ").Replace(strings.TrimSuffix(filepath.Base(file), ".txt")), string(data), 0)
	}
	f.Fuzz(func(t *testing.T, command, output string, exit int) {
		r := outcome.Of(command, output, exit, exit != 0)
		switch {
		case r.Kind == "" && r != outcome.Result{}:
			t.Errorf("no runner, and yet %+v", r)
		case r.Passed && (!r.Known || r.First != ""), r.Known && r.Passed && r.Failed > 0:
			t.Errorf("contradicts itself: %+v", r)
		case r.Failed > r.Ran && r.Ran > 0, r.Failed < 0:
			t.Errorf("counts %+v", r)
		case strings.ContainsAny(r.First, "\n\r\x1b") || len([]rune(r.First)) > 300:
			t.Errorf("first line %q", r.First)
		}
	})
}
