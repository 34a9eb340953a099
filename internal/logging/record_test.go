package logging

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What the logger writes is what is read.
func TestRecordOfTheLogger(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.log")
	log := open(t, Options{File: file})
	log.Warn("a call\x1b[2J", "tool", "find callers", "n", 7, "empty", "", "esc", "\x1b[31m", "took", 4390*time.Millisecond, slog.Group("of", "a", "b c"))
	lines, _, err := Tail(file, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ParseRecord(lines[0])
	if err != nil {
		t.Fatal(err)
	}
	if time.Since(r.Time).Abs() > time.Minute {
		t.Errorf("the time is %v", r.Time)
	}
	r.Time = time.Date(2026, 11, 5, 10, 2, 3, 0, time.Local)
	want := `Nov  5 10:02:03 WARN  a call\x1b[2J tool="find callers" n=7 empty="" esc=\x1b[31m took=4.39s of="{\"a\":\"b c\"}"`
	if got := r.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLinesThatAreNoRecords(t *testing.T) {
	for _, line := range []string{"", "panic: no", "{", `{"a"`, `{"a":`, `{"a":1`, `[1]`, `{"a":1,}`, "null"} {
		if r, err := ParseRecord([]byte(line)); err == nil {
			t.Errorf("%q is %+v", line, r)
		}
	}
}

func TestSafeJSON(t *testing.T) {
	for line, want := range map[string]string{
		`{"msg":"ü 漢","n":1}`:        `{"msg":"ü 漢","n":1}`,
		"{\"msg\":\"\u202e\u009b\"}": `{"msg":"\u202e\u009b"}`,
		"{\"msg\":\"\U000e0001\"}":   `{"msg":"\udb40\udc01"}`,
		"{\"n\":\r1\t}":              `{"n": 1 }`,
		"no \x1b[2J json":            `{"msg":"no \u001b[2J json"}`,
	} {
		got := string(SafeJSON([]byte(line)))
		if got != want || !json.Valid([]byte(got)) {
			t.Errorf("%q: got %s, want %s", line, got, want)
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"time":"2026-11-20T10:00:00Z","level":"INFO","msg":"x","a":{"b":1}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if r, err := ParseRecord(line); err == nil && Escape(r.String()) != r.String() {
			t.Errorf("%q is not escaped: %q", line, r.String())
		}
		if safe := SafeJSON(line); !json.Valid(safe) || Escape(string(safe)) != string(safe) {
			t.Errorf("%q is not safe: %q", line, safe)
		}
	})
}

func writeLog(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func join(lines [][]byte) string {
	var texts []string
	for _, line := range lines {
		texts = append(texts, string(line))
	}
	return strings.Join(texts, " ")
}
