package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTypeScriptTruth has tsc say again what it said to a case whose imports must be followed, and to one with a variant.
func TestTypeScriptTruth(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{bin: filepath.Join(root, "bin"), temp: t.TempDir()}
	questions, written := linesByID(t, "testdata/typescript/questions.jsonl"), linesByID(t, "testdata/typescript.jsonl")
	for id := range questions {
		if written[id] == "" {
			t.Errorf("%s has no truth: go run ./cmd/scoutbench -typescript-truth", id)
		}
	}
	for _, id := range []string{"ledger-j1", "formula-e2"} {
		var q draftCase
		var want madeCase
		decode(t, questions[id], &q)
		decode(t, written[id], &want)
		got, err := b.makeCase(t.Context(), "testdata", q)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		if diff := cmp.Diff(want.Truth, got.Truth); diff != "" || want.Decl != got.Decl {
			t.Errorf("%s: declared at %v, want %v\n%s", id, got.Decl, want.Decl, diff)
		}
	}
}

func linesByID(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		var c struct{ ID string }
		decode(t, line, &c)
		lines[c.ID] = line
	}
	return lines
}

func decode(t *testing.T, line string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), into); err != nil {
		t.Fatal(err)
	}
}

func TestOriginalLine(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "a.ts"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	before := write("before", "a\nb\nc\nd\n")
	for _, tt := range []struct {
		after      string
		line, want int
	}{
		{"a\nb\nnew\nc\nd\n", 2, 2},
		{"a\nb\nnew\nc\nd\n", 5, 4},
		{"a\nd\n", 2, 4},
		{"a\nB\nc\nd\n", 2, 2},
	} {
		got, err := originalLine(before, write("after", tt.after), complaint{file: "a.ts", line: tt.line})
		if err != nil || got != tt.want {
			t.Errorf("line %d of %q was %d, %v, want %d", tt.line, tt.after, got, err, tt.want)
		}
	}
}

func TestReplaceImported(t *testing.T) {
	for _, tt := range []struct{ line, by, want string }{
		{`import { a, f, b } from "./m";`, "", `import { a, b } from "./m";`},
		{`import { f as g, b } from "./m";`, "", `import { b } from "./m";`},
		{`import { type f } from "./m";`, "", `import { } from "./m";`},
		{`export { f as g } from "./m";`, "h", `export { h as g } from "./m";`},
		{`import { ff } from "./m";`, "h", `import { ff } from "./m";`},
	} {
		if got := replaceImported(tt.line, "f", tt.by); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.line, got, tt.want)
		}
	}
}
