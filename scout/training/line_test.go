package training_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidepool/scout"
	"tidepool/scout/training"
)

// plainly writes questions and answers that show all that is in an example.
func plainly(module string) training.Options {
	return training.Options{
		Question: func(e scout.TrainingExample) (string, error) {
			return fmt.Sprintln(e.Query.Text, e.Node.Location, e.Node.Snippet, e.Node.Hover, e.Node.Link), nil
		},
		Answer: func(e scout.TrainingExample) string {
			return fmt.Sprint(e.Rubric.Relevance, e.Rubric.Risk, e.Rubric.Complexity, e.Rubric.Confidence)
		},
		Module: func(string) string { return module },
		Places: []training.Place{{Dir: "/home/ann/shop/"}, {Dir: "/home/ann/shop", Instead: "."}, {Dir: "/home/ann", Instead: "~"}},
		Secret: training.LooksSecret,
	}
}

func record(location, snippet string, rubric int) training.Record {
	r := training.Record{Scorer: "heuristic"}
	r.Query = scout.ExampleQuery{Text: "What breaks?", Change: scout.AddParameter}
	r.Node = scout.ExampleNode{Location: location, Role: scout.RoleCall, In: "f", Snippet: snippet, Depth: 1}
	r.Rubric = scout.Rubric{Relevance: rubric, Risk: rubric, Complexity: rubric, Confidence: rubric}
	return r
}

func TestPrepare(t *testing.T) {
	certain := record("a.go:1", "F()", 3)
	certain.Certain, certain.Node.Link = true, "not enough arguments in call to F"
	accepted := record("b.go:1", "G()", 4)
	accepted.Compiles = true
	records := []training.Record{
		record("a.go:1", "F()", 2),
		certain,
		record("a.go:1", "F()", 4),
		accepted,
		record("c.go:1", `open("/home/ann/shop/x.txt") // file:///home/ann/shop/y /home/ann/z /home/ann/shop`, 2),
		record("c.go:2", "H()", 1),
		record("c.go:2", "H()", 5),
		record("d.go:1", `password = "correct horse battery"`+"\n", 2),
		record("/usr/include/stdio.h:3", "puts()", 2),
	}
	lines, dropped, err := training.Prepare(records, plainly("example.com/shop"))
	if err != nil {
		t.Fatal(err)
	}
	if want := (training.Dropped{Repeated: 3, Outside: 1, Secret: 1}); dropped != want {
		t.Errorf("dropped %+v, want %+v", dropped, want)
	}
	got := make(map[string]string)
	for _, l := range lines {
		question, answer, _ := strings.Cut(l.Text, "\n")
		got[question] = l.Label + " " + answer
		if l.Module != "example.com/shop" || l.Split != training.SplitOf(l.Module) || len(l.ID) != 16 {
			t.Errorf("%+v", l)
		}
	}
	want := map[string]string{
		"What breaks? a.go:1 F()  ":                      "compiler 5 5 3 5",
		"What breaks? b.go:1 G()  ":                      "compiler 1 1 1 5",
		"What breaks? c.go:2 H()  ":                      "heuristic 5 5 5 5",
		`What breaks? c.go:1 open("x.txt") // y ~/z .  `: "heuristic 2 2 2 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The ids of a set do not depend on its order or on who asks, no two are alike, and nothing of the machine is in a line.
func TestPrepareIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []training.Record
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			snippet := rapid.SampledFrom([]string{"F()", "/home/ann/shop/a", "/home/ann/b", "x"}).Draw(t, "snippet")
			r := record(fmt.Sprintf("a.go:%d", rapid.IntRange(1, 3).Draw(t, "line")), snippet, rapid.IntRange(1, 5).Draw(t, "rubric"))
			r.Certain = rapid.Bool().Draw(t, "certain")
			records = append(records, r)
		}
		lines, _, err := training.Prepare(records, plainly("m"))
		if err != nil {
			t.Fatal(err)
		}
		seen := make(map[string]bool)
		for _, l := range lines {
			if seen[l.ID] || strings.Contains(l.Text, "/home/ann") {
				t.Fatalf("%+v", l)
			}
			seen[l.ID] = true
		}
		mixed := rapid.Permutation(records).Draw(t, "mixed")
		again, _, err := training.Prepare(mixed, plainly("m"))
		if err != nil || len(again) != len(lines) {
			t.Fatalf("%v: %d and %d lines", err, len(lines), len(again))
		}
		for i := range again {
			if again[i].ID != lines[i].ID || (again[i].Label == training.Compiler) != (lines[i].Label == training.Compiler) {
				t.Fatalf("%+v\n%+v", lines[i], again[i])
			}
		}
	})
}

func TestSplitIsByModule(t *testing.T) {
	out := 0
	for i := range 1000 {
		if training.SplitOf(fmt.Sprintf("example.com/m%d", i)) == training.HeldOut {
			out++
		}
	}
	if out < 150 || out > 250 {
		t.Errorf("%d of 1000 modules are held out", out)
	}
	// A module that changes sides spoils what was measured before.
	for module, want := range map[string]training.Split{"go.uber.org/zap": training.Train, "mvdan.cc/sh/v3": training.Train, "example.com/m5": training.HeldOut} {
		if got := training.SplitOf(module); got != want {
			t.Errorf("%s is on the side %s", module, got)
		}
	}
}

func TestLooksSecret(t *testing.T) {
	for text, want := range map[string]bool{
		"key := \"AKIAIOSFODNN7EXAMPLE\"":                            true,
		"ghp_0123456789abcdefghijklmnopqrstuvwxyz":                   true,
		"-----BEGIN RSA PRIVATE KEY-----":                            true,
		`dsn := "postgres://app:hunter22@db/x"`:                      true,
		`apiKey: 'abcdefgh12345678'`:                                 true,
		`"client_secret": "abcdefgh1234"`:                            true,
		`token := s.next()`:                                          false,
		`func (p *Parser) Token() string { return p.tokens["a b"] }`: false,
		`password = os.Getenv("PASSWORD")`:                           false,
		`http://localhost:8080/a@b`:                                  false,
	} {
		if got := training.LooksSecret(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A settled answer and an open one about the same symbol: what the compiler has read and does not refuse is accepted.
func TestAccepted(t *testing.T) {
	example := func(location, in string, certain bool) scout.TrainingExample {
		return scout.TrainingExample{
			Query: scout.ExampleQuery{Text: "What breaks if F takes one more parameter?", Change: scout.AddParameter},
			Node:  scout.ExampleNode{Location: location, In: in, Role: scout.RoleCall, Depth: 1}, Certain: certain,
		}
	}
	root := example("f.go:1", "F", false)
	root.Node.Role, root.Node.Depth = scout.RoleDefinition, 0
	settled := &scout.Answer{TrainingExamples: []scout.TrainingExample{root, example("a.go:3", "g", true), example("windows.go:9", "w", false)}}
	settled.Check.Tried, settled.Understood.Change = true, scout.AddParameter
	open := &scout.Answer{Scorer: "heuristic", TrainingExamples: []scout.TrainingExample{
		root, example("a.go:3", "g", false), example("a.go:4", "g", false), example("a.go:8", "h", false), example("windows.go:2", "x", false),
	}}
	for i := range open.TrainingExamples {
		open.TrainingExamples[i].Query = scout.ExampleQuery{Text: "How is F used?", Change: scout.Other}
	}
	got := training.Accepted(settled, open)
	if len(got) != 1 || got[0].Node.Location != "a.go:8" || got[0].Query.Text != settled.TrainingExamples[0].Query.Text || got[0].Label() != training.Compiler {
		t.Errorf("accepted %+v", got)
	}
	settled.Check.Refusal = "the parameter's type is not known"
	if got := training.Accepted(settled, open); got != nil {
		t.Errorf("accepted without a verdict: %+v", got)
	}
	text, err := json.Marshal(training.RecordsOf(settled))
	if err != nil || strings.Contains(string(text), `"definition"`) || !strings.Contains(string(text), `"certain":true`) {
		t.Errorf("%v %s", err, text)
	}
}
