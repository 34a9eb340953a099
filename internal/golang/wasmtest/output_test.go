package wasmtest

import (
	"io"
	"strings"
	"testing"
	"time"
)

func TestOutput(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for name, test := range map[string]struct {
		written                []string
		passed, skipped, empty bool
		words                  string
	}{
		"a test that passes":        {[]string{"\x16=== RUN   TestX\n\x16--- PASS: TestX (0.00s)\n\x16PASS\n"}, true, false, false, "PASS"},
		"in pieces":                 {[]string{"text\x16--- PA", "SS: TestX (0.", "00s)\n"}, true, false, false, "--- PASS: TestX (0.00s)"},
		"behind a long line":        {[]string{long, "\x16--- PASS: TestX (0.00s)\n"}, true, false, false, "--- PASS: TestX (0.00s)"},
		"of another name":           {[]string{"\x16--- PASS: TestXY (0.00s)\n"}, false, false, false, "--- PASS: TestXY (0.00s)"},
		"a part of it":              {[]string{"\x16--- PASS: TestX/part (0.00s)\n"}, false, false, false, "--- PASS: TestX/part (0.00s)"},
		"what only looks so":        {[]string{"--- PASS: TestX (0.00s)\n--- SKIP: TestX (0.00s)\n"}, false, false, false, "--- SKIP: TestX (0.00s)"},
		"a part that skips":         {[]string{"\x16--- SKIP: TestX/part (0.00s)\n\x16--- PASS: TestX (0.00s)\n"}, true, true, false, "--- PASS: TestX (0.00s)"},
		"a panic":                   {[]string{"panic: one [recovered]\n\tpanic: two\n\ngoroutine 1\n"}, false, false, false, "panic: one [recovered]"},
		"no line":                   {[]string{"half"}, false, false, false, "half"},
		"nothing":                   {nil, false, false, false, ""},
		"nothing that is counted":   {[]string{"coverage: [no statements]\n"}, false, false, true, "coverage: [no statements]"},
		"what no terminal can bear": {[]string{"a\xff\tb\r\n"}, false, false, false, "a\uFFFD b"},
	} {
		o := &output{test: "TestX"}
		for _, text := range test.written {
			io.WriteString(o, text)
		}
		o.end()
		if o.passed != test.passed || o.skipped != test.skipped || o.bare != test.empty || o.words() != test.words {
			t.Errorf("%s: passed %v, skipped %v, empty %v, %q", name, o.passed, o.skipped, o.bare, o.words())
		}
	}
}

func TestOutputIsBounded(t *testing.T) {
	o := &output{limit: 10}
	for range 1000 {
		io.WriteString(o, strings.Repeat("x", 1000))
	}
	if len(o.head) != 10 || len(o.line) != lastKept {
		t.Errorf("%d and %d bytes", len(o.head), len(o.line))
	}
}

func TestClock(t *testing.T) {
	c := newClock()
	before := c.nanoseconds()
	for _, sleep := range []int64{int64(time.Hour), -int64(time.Hour), 1<<63 - 1, 1<<63 - 1} {
		c.sleep(sleep)
		if now := c.nanoseconds(); now <= before {
			t.Errorf("after %v it is %v earlier", time.Duration(sleep), time.Duration(before-now))
		}
	}
	if c.since() < 100*365*24*time.Hour {
		t.Errorf("a hundred years and an hour are %v", c.since())
	}
}
