package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/scout"
)

func TestQuestions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":          "package a\n\ntype T struct {\n\tn, _ int\n\tT2\n}\n\ntype I interface {\n\tM()\n\tfmt.Stringer\n}\n\nfunc F() {}\n\nfunc init() {}\n",
		"b/b.go":        "package b\n\nfunc (t T) G(n int) {}\n",
		"a_test.go":     "package a\n\nfunc TestF() {}\n",
		"testdata/c.go": "package c\n\nfunc C() {}\n",
		"_old/d.go":     "package d\n\nfunc D() {}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := questions(dir, 10)
	if err != nil {
		t.Fatal(err)
	}
	asked := make(map[scout.ChangeKind]string)
	for _, q := range got {
		asked[q.kind] += q.at + " "
	}
	for kind, want := range map[scout.ChangeKind][]string{
		scout.AddParameter: {"a.go:13:6", "b/b.go:3:12", "a.go:9:2"}, scout.AddMethod: {"a.go:8:6"}, scout.RemoveField: {"a.go:4:2"},
		scout.ChangeType: {"a.go:4:2"}, scout.Delete: {"a.go:3:6", "a.go:13:6", "b/b.go:3:12"}, scout.Rename: {"a.go:8:6", "a.go:13:6", "b/b.go:3:12"},
	} {
		if n := len(strings.Fields(asked[kind])); n != len(want) {
			t.Errorf("%s of %s, want %v", kind, asked[kind], want)
		}
		for _, at := range want {
			if !strings.Contains(asked[kind], at+" ") {
				t.Errorf("%s of %s, want %s among them", kind, asked[kind], at)
			}
		}
	}
	one, _ := questions(dir, 1)
	if len(one) != len(asked) {
		t.Errorf("%d questions, want one of each of %d kinds", len(one), len(asked))
	}
}

func TestJudged(t *testing.T) {
	broken := map[string]bool{"a": true, "b": true, "c": true}
	for _, tt := range []struct {
		order            string
		precision, first float64
	}{
		{"a b c x", 1, 1},
		{"a a b c", 1, 1},
		{"x a b c", (1./2 + 2./3 + 3./4) / 3, 1},
		{"a x y", 1. / 3, 1. / 3},
		{"", 0, 0},
		{"1 2 3 4 5 6 7 8 9 10 a b c", (1./11 + 2./12 + 3./13) / 3, 0},
	} {
		precision, first := judged(strings.Fields(tt.order), broken)
		if math.Abs(precision-tt.precision) > 1e-9 || math.Abs(first-tt.first) > 1e-9 {
			t.Errorf("%s: %v, %v; want %v, %v", tt.order, precision, first, tt.precision, tt.first)
		}
	}
}

func TestTable(t *testing.T) {
	table := newTable()
	table.add(&trial{kind: scout.Rename, broken: map[string]bool{"a": true, "b": true}, orders: [][]string{{"x", "a"}, {"a", "x"}}})
	if text := table.String(); !strings.Contains(text, "rename                   1       0.250      0.500      0.500       0.500      0.500       1      0") {
		t.Error(text)
	}
}

func TestModulesAreOfOnePartOnly(t *testing.T) {
	tests := modules("test")
	for _, module := range modules("train") {
		for _, test := range tests {
			name, _, _ := strings.Cut(module, "@")
			if strings.HasPrefix(test, name+"@") {
				t.Errorf("%s is in both parts", name)
			}
		}
	}
	if len(tests) == 0 {
		t.Error("no module to measure with")
	}
}

func TestBreaks(t *testing.T) {
	tr := &trial{broken: map[string]bool{"a.go T.M": true, "b.go:7": true}}
	for _, tt := range []struct {
		edge scout.Edge
		want bool
	}{
		{scout.Edge{To: scout.Node{Path: "a.go", Line: 3}, Enclosing: "T.M"}, true},
		{scout.Edge{To: scout.Node{Path: "a.go", Line: 3, Name: "T.M"}}, true},
		{scout.Edge{To: scout.Node{Path: "a.go", Line: 3}, Into: scout.Node{Path: "a.go", Name: "T.M"}}, true},
		{scout.Edge{To: scout.Node{Path: "b.go", Line: 7}}, true},
		{scout.Edge{To: scout.Node{Path: "b.go", Line: 8}, Enclosing: "T.M"}, false},
	} {
		if got := tr.breaks(tt.edge); got != tt.want {
			t.Errorf("%+v: %t", tt.edge, got)
		}
	}
}
