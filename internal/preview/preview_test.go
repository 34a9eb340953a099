package preview

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tidepool/internal/wording"
)

// A short output is shown as it is, without its colours.
func TestWhole(t *testing.T) {
	p := Of(Input{Stdout: "\x1b[31mred\x1b[0m\n\nblue\n", Stderr: "oh\n"}, 500)
	want := Preview{Text: "red\n\nblue\noh", Format: "whole", Stdout: "red\n\nblue", Stderr: "oh", Lines: 4, Shown: 4, Whole: true}
	if p != want {
		t.Errorf("%+v", p)
	}
	if p := Of(Input{}, 500); p != (Preview{Format: "whole", Whole: true}) {
		t.Errorf("no output: %+v", p)
	}
}

// What a terminal overwrites is left out, and that is not the whole then.
func TestOverwritten(t *testing.T) {
	p := Of(Input{Stdout: " 10%\r 50%\r100%\r\ndone\r\n"}, 500)
	if p.Text != "100%\ndone" || p.Whole {
		t.Errorf("%+v", p)
	}
}

// Of an output of no known format the beginning and the end are shown, and a line number where something is left out.
func TestEnd(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "row %d\n", i+1)
	}
	p := Of(Input{Stdout: b.String()}, 60)
	if p.Text != "row 1\nrow 2\n[line 997]\nrow 997\nrow 998\nrow 999\nrow 1000" || p.Format != "end" || p.Lines != 1000 || p.Shown != 6 {
		t.Errorf("%+v", p)
	}
}

// Lines that name an error are found in the midst of others.
func TestGeneral(t *testing.T) {
	noise := strings.Repeat("loading a module of many\n", 300)
	p := Of(Input{Exit: 1, Stdout: noise + "conf/site.yaml:12: error: key twice: port\n" + noise, Stderr: "app: permission denied\n"}, 200)
	for _, want := range []string{"[line 301]\nconf/site.yaml:12: error: key twice: port", "app: permission denied"} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("%q is not in %q", want, p.Text)
		}
	}
	if p.Format != "general" || p.Stderr != "app: permission denied" {
		t.Errorf("%+v", p)
	}
}

// Whatever a command prints: no more than the characters that were asked for, valid UTF-8 without control characters, lines that
// stand in the output.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.OneOf(
			rapid.SampledFrom(pieces()),
			rapid.String(),
			rapid.StringMatching(`[ -~]{0,300}`),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 20), func(b []byte) string { return string(b) }),
		)
		stream := rapid.Map(rapid.SliceOfN(piece, 0, 60), func(all []string) string { return strings.Join(all, "\n") })
		checkPreview(rt, Input{
			Exit:   rapid.IntRange(0, 2).Draw(rt, "exit"),
			Stdout: stream.Draw(rt, "stdout"),
			Stderr: stream.Draw(rt, "stderr"),
		}, rapid.IntRange(-1, 700).Draw(rt, "characters"))
	})
}

// FuzzOf tries the same with what a fuzzer makes of recorded outputs.
func FuzzOf(f *testing.F) {
	f.Add("--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\tx\t0.1s\n", "exit status 1", 500)
	f.Add(strings.Join(pieces(), "\n"), "\x1b[31m\r\xff", 50)
	f.Fuzz(func(t *testing.T, stdout, stderr string, characters int) {
		checkPreview(t, Input{Exit: 1, Stdout: stdout, Stderr: stderr}, characters%5000)
	})
}

func checkPreview(t rapid.TB, in Input, characters int) {
	t.Helper()
	p := Of(in, characters)
	if n := utf8.RuneCountInString(p.Text); n > max(characters, 40) {
		t.Errorf("%d characters instead of %d: %q", n, characters, p.Text)
	}
	if p.Text != join(p.Stdout, p.Stderr) && p.Text != join(p.Stderr, p.Stdout) {
		t.Errorf("%q is not %q and %q", p.Text, p.Stdout, p.Stderr)
	}
	if !utf8.ValidString(p.Text) || wording.Visible(p.Text) != strings.ReplaceAll(p.Text, "\t", " ") {
		t.Errorf("%q is not clean", p.Text)
	}
	if p.Shown > p.Lines || p.Whole && p.Shown != p.Lines || p.Format == "" {
		t.Errorf("%+v", p)
	}
	checkLines(t, p.Stdout, new(output).clean(in.Stdout))
	checkLines(t, p.Stderr, new(output).clean(in.Stderr))
}

// checkLines checks that each line of a preview is one of the output or the beginning of one.
func checkLines(t rapid.TB, text, stream string) {
	t.Helper()
	if text == "" {
		return
	}
	lines := strings.Split(stream, "\n")
	for _, line := range strings.Split(text, "\n") {
		var number int
		if _, err := fmt.Sscanf(line, "[line %d]", &number); err == nil && number > 0 && number <= len(lines) {
			continue
		}
		begin, isCut := strings.CutSuffix(line, "…")
		if !slices.ContainsFunc(lines, func(l string) bool { return l == line || isCut && strings.HasPrefix(l, begin) }) {
			t.Errorf("%q is not in the output", line)
		}
	}
}

// pieces returns lines that formats look for.
func pieces() []string {
	return []string{
		"--- FAIL: TestA (0.00s)", "FAIL", "FAIL\texample.com/a\t0.1s", "panic: no", "# example.com/a", "a.go:1:2: undefined: x",
		"a.c:1:2: error: no", "make: *** [a] Error 1", "error[E0308]: mismatched types", " --> src/lib.rs:1:2", "a.ts(1,2): error TS2322: no",
		"Found 1 error in a.ts:1", "=== FAILURES ===", "____ test_a ____", "E   assert 1 == 2", "= 1 failed in 0.1s =", "not ok 1 - a", "# fail 1",
		"Tests:       1 failed, 1 total", "  ● a › b", " FAIL  a.test.ts > b", "  1:2  error  no  rule", "✖ 1 problem (1 error, 0 warnings)",
		"a.py:1: error: no  [misc]", "FAIL: test_a (a.A.test_a)", "FAILED (failures=1)", "test result: FAILED. 0 passed; 1 failed;", "",
	}
}
