package learned_test

import (
	"bytes"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/scout/learned"
	"tidepool/scout/scouttest"
)

func TestScorer(t *testing.T) { scouttest.TestScorer(t, learned.Scorer{}) }

// examples are edges of which the calls break and the tests do not.
func examples() []learned.Example {
	var list []learned.Example
	for i := range 40 {
		call := scout.Edge{From: scout.Node{Name: "a.F", Path: "a/a.go"}, To: scout.Node{Path: "b/b.go", Line: i + 1}, Role: scout.RoleCall}
		other := call
		other.Role, other.Test = scout.RoleReference, true
		list = append(list,
			learned.Example{Kind: scout.AddParameter, Edge: call, Breaks: true},
			learned.Example{Kind: scout.AddParameter, Edge: other},
		)
	}
	return list
}

func TestTraining(t *testing.T) {
	m := learned.Train(examples())
	var once, again bytes.Buffer
	m.WriteTo(&once)
	learned.Train(examples()).WriteTo(&again)
	if once.String() != again.String() {
		t.Error("the same examples give other weights")
	}
	read, err := learned.ParseModel(strings.NewReader(once.String()))
	if err != nil {
		t.Fatal(err)
	}
	again.Reset()
	read.WriteTo(&again)
	if once.String() != again.String() {
		t.Errorf("written, read and written again:\n%s\nbefore:\n%s", again.String(), once.String())
	}
	s, q := learned.Scorer{Model: read}, scout.Query{Text: "?", Change: scout.Change{Kind: scout.AddParameter}}
	edges := []scout.Edge{examples()[0].Edge, examples()[1].Edge}
	scores, err := s.Score(t.Context(), q, edges)
	if err != nil {
		t.Fatal(err)
	}
	if breaks, not := scores[0].Rubric, scores[1].Rubric; breaks.Relevance != 5 || breaks.Risk < 4 || not.Relevance > 2 || not.Risk > 2 {
		t.Errorf("what breaks: %+v, what does not: %+v", breaks, not)
	}
	if !strings.Contains(scores[0].Reason, "breaks with probability") {
		t.Errorf("reason %q", scores[0].Reason)
	}
}

func TestKindsThatCompileAreLeftToRules(t *testing.T) {
	s := learned.Scorer{Model: learned.Train(examples())}
	q := scout.Query{Text: "?", Change: scout.Change{Kind: scout.AddVariant}}
	got, err := s.Score(t.Context(), q, scouttest.Edges(20))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := scout.Heuristic{}.Score(t.Context(), q, scouttest.Edges(20))
	for i := range got {
		if got[i].Rubric.Relevance != want[i].Rubric.Relevance || got[i].Rubric.Risk != want[i].Rubric.Risk {
			t.Errorf("edge %d: %+v, the rules say %+v", i, got[i].Rubric, want[i].Rubric)
		}
	}
	if e := s.Explain(q, scouttest.Edges(1)[0]); e != nil {
		t.Errorf("explained by %v", e)
	}
}

func TestExplain(t *testing.T) {
	s := learned.Scorer{Model: learned.Train(examples())}
	q := scout.Query{Text: "?", Change: scout.Change{Kind: scout.AddParameter}}
	call, other := s.Explain(q, examples()[0].Edge), s.Explain(q, examples()[1].Edge)
	if len(call) == 0 || len(other) == 0 {
		t.Fatal("not explained")
	}
	total := func(list []scout.Weighed) (sum float64) {
		for i, w := range list {
			sum += w.Value * w.Weight
			if i > 0 && abs(w.Value*w.Weight) > abs(list[i-1].Value*list[i-1].Weight) {
				t.Errorf("%v weighs more than %v before it", w, list[i-1])
			}
		}
		return sum
	}
	if total(call) <= 0 || total(other) >= 0 {
		t.Errorf("what breaks adds up to %.2f, what does not to %.2f", total(call), total(other))
	}
	if !strings.HasPrefix(call[0].Feature, "role call") && !strings.HasPrefix(call[0].Feature, "test") {
		t.Errorf("what counts most is %v", call[0])
	}
}

func abs(x float64) float64 { return max(x, -x) }

func TestModelsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"kinds\tdance\n":                "dance",
		"kinds\trename\nrole call\n":    "line 2",
		"kinds\trename\nrole call\tx\n": "line 2",
	} {
		if _, err := learned.ParseModel(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
