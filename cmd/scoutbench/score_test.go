package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const source = `// Package p is about p.
package p

// F does it.
func F() {
	G()
}

type (
	// T is a type.
	T struct{ n int }
	U[P any] struct{}
)

func (t *T) M()   {}
func (U[P]) M()   {}
func init()       {}
func init()       {}

var _, A = 1, 2
`

func project(t testing.TB) *units {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return newUnits(dir)
}

func TestUnits(t *testing.T) {
	of := project(t)
	for line, want := range map[int]string{
		1: "p.go#", 4: "p.go#F", 6: "p.go#F", 8: "p.go#", 9: "p.go#T", 11: "p.go#T", 12: "p.go#U", 13: "p.go#U",
		15: "p.go#T.M", 16: "p.go#U.M", 17: "p.go#init@17", 18: "p.go#init@18", 20: "p.go#_@20",
	} {
		if got := of.at("p.go", line); got != want {
			t.Errorf("line %d stands in %q, want %q", line, got, want)
		}
	}
	if got := of.at("gone.go", 1); got != "gone.go#" {
		t.Errorf("a file that is not there: %q", got)
	}
}

// threeBroken has one core unit, one that another one stands for, and one that is neutral.
func threeBroken() testCase {
	return testCase{
		Truth: []broken{
			{File: "p.go", Line: 6, Symbol: "F", Core: true},
			{File: "p.go", Line: 5, Symbol: "F"},
			{File: "p.go", Line: 11, Symbol: "T", Core: true, Accept: []string{"p.go#T.M"}},
		},
		Neutral: []string{"p.go#U.M"},
	}
}

func TestEvaluate(t *testing.T) {
	of := project(t)
	for name, test := range map[string]struct {
		lines        []int
		p, r, f, c10 float64
	}{
		"nothing":                      {},
		"everything":                   {[]int{6, 11}, 1, 1, 1, 1},
		"one twice":                    {[]int{6, 5}, 1, 0.5, 2.0 / 3, 0.5},
		"by what stands for it":        {[]int{6, 15}, 1, 1, 1, 1},
		"both it and what stands":      {[]int{6, 11, 15}, 1, 1, 1, 1},
		"a neutral one":                {[]int{6, 11, 16}, 1, 1, 1, 1},
		"a wrong one":                  {[]int{12, 6, 11}, 2.0 / 3, 1, 0.8, 1},
		"a wrong one named many times": {[]int{12, 13, 6, 11}, 2.0 / 3, 1, 0.8, 1},
	} {
		var a answer
		for _, line := range test.lines {
			a.places = append(a.places, place{"p.go", line})
		}
		s := evaluate(threeBroken(), a, of)
		if s.precision != test.p || s.recall != test.r || !near(s.f1, test.f) || s.first10 != test.c10 {
			t.Errorf("%s: P %v R %v F1 %v R@10 %v", name, s.precision, s.recall, s.f1, s.first10)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

// TestMoreIsNeverMoreThanWhole checks that no order and no repetition of places makes a score better than the truth's.
func TestMoreIsNeverMoreThanWhole(t *testing.T) {
	of := project(t)
	rapid.Check(t, func(t *rapid.T) {
		var a answer
		for _, line := range rapid.SliceOf(rapid.IntRange(1, 21)).Draw(t, "lines") {
			a.places = append(a.places, place{"p.go", line})
		}
		s := evaluate(threeBroken(), a, of)
		for _, share := range []float64{s.precision, s.recall, s.f1, s.core, s.first10} {
			if share < 0 || share > 1 {
				t.Fatalf("%+v", s)
			}
		}
		if s.first10 > s.recall {
			t.Fatalf("the first ten name more than all: %+v", s)
		}
	})
}

func TestCasesAreWhole(t *testing.T) {
	cases, err := readCases(filepath.Join("testdata", "go.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.ID] || c.changeOf() == "" || len(c.Truth) == 0 || c.Symbol == "" || c.Question == "" {
			t.Errorf("case %q: %+v", c.ID, c)
		}
		seen[c.ID] = true
	}
	if len(cases) != 70 {
		t.Errorf("%d cases, want 70", len(cases))
	}
}

func TestSummary(t *testing.T) {
	got := score{f1: 1, took: 1400 * time.Microsecond, text: 3, requests: 2}
	results := []result{
		{testCase: testCase{Kind: "e"}, grep: score{f1: 0.25, text: 30}, references: score{f1: 0.5}, blind: got},
		{testCase: testCase{Kind: "h"}, grep: score{f1: 0.125, text: 6}, blind: got, estimated: score{f1: 0.625, took: 22 * time.Millisecond, text: 3}},
	}
	o := outcome{suite{language: "Go", measures: true}, results, []bound{leastBound("F1", 0.95, 0.54, 1), leastBound("recall", 0.97, 0.62, 0.5)}}
	want := `| Go, asked blind | hold | bare references | scout | |
|---|---|---|---|---|
| F1 | ≥ 0.95 | 0.54 | 1.000 |  |
| recall | ≥ 0.97 | 0.62 | 0.500 | **missed** |

| | ` + "`grep -rnw`" + `, F1 | bare references, F1 | scout, F1 | text, of grep's | time | requests |
|---|---|---|---|---|---|---|
| Go, e: an enum's variant more (1) | 0.25 | 0.50 | 1.00 | 10 % | 1.4ms | 2 |
| Go, h: which tests fail (1) | 0.12 | 0.00 | 1.00 | 50 % | 1.4ms | 2 |
| Go, h: the same, no test measured (1) | 0.12 | 0.00 | 0.62 | 50 % | 22ms | 0 |
`
	if diff := cmp.Diff(want, summary([]outcome{o})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if missedBounds([]outcome{o}) != 1 {
		t.Error("the bound that was missed does not count")
	}
}
