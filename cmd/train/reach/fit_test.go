package main

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"tidepool/internal/golang/reach"
)

const module = `
-- go.mod --
module example.test/m

go 1.26
-- m.go --
package m

func Shared() int {
	return 1
}

func Alone(deep bool) int {
	if deep {
		return deeper()
	}
	return 0
}

func empty() {}

func deeper() int { return Shared() }
-- m_test.go --
package m

import "testing"

func TestOne(t *testing.T) { Shared(); Alone(false) }

func TestTwo(t *testing.T) { Shared() }

func TestThree(t *testing.T) { Alone(true); empty() }

func TestFails(t *testing.T) { Shared(); t.Fail() }
`

func TestCoverAndAsk(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(module)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	covered, err := cover(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(covered.tests) != 3 || covered.tests[".|TestFails"] {
		t.Errorf("tests %v", covered.tests)
	}
	questions, err := ask(t.Context(), dir, covered)
	if err != nil {
		t.Fatal(err)
	}
	if len(questions) != 1 || questions[0].truth != 3 || len(questions[0].examples) != 3 {
		t.Fatalf("questions %+v", questions)
	}
	for _, e := range questions[0].examples {
		if !e.runs {
			t.Error("a test that runs Shared is said not to")
		}
	}
}

func TestFitTellsExamplesApart(t *testing.T) {
	var questions []question
	for i := range 20 {
		q := question{truth: 3}
		for j := range 6 {
			var x reach.Features
			x[0], x[1], x[2] = 1, float64(j), float64(i%5)
			q.examples = append(q.examples, example{x, j < 3})
		}
		questions = append(questions, q)
	}
	weights := fit(questions)
	if got := score(questions, weights); got != 1 {
		t.Errorf("F1 %.2f with weights %.2f", got, weights)
	}
	if got := score(questions, reach.Features{}); got > 0.8 {
		t.Errorf("F1 %.2f without weights", got)
	}
}
