package scout_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/scout/render"
)

// A judge is a scorer made of a function per edge.
type judge func(scout.Edge) scout.Score

func (judge) Name() string { return "judge" }

func (j judge) Score(_ context.Context, _ scout.Query, edges []scout.Edge) ([]scout.Score, error) {
	scores := make([]scout.Score, len(edges))
	for i, e := range edges {
		scores[i] = j(e)
	}
	return scores, nil
}

// A batch is a scorer made of a function per call.
type batch func([]scout.Edge) ([]scout.Score, error)

func (batch) Name() string { return "batch" }

func (b batch) Score(_ context.Context, _ scout.Query, edges []scout.Edge) ([]scout.Score, error) {
	return b(edges)
}

func fine(relevance int) scout.Score {
	return scout.Score{Rubric: scout.Rubric{Relevance: relevance, Risk: 3, Complexity: 3, Confidence: 3}}
}

var errModel = errors.New("the model wrote no call")

func TestOneEdgeUnscoredDoesNotSinkTheWalk(t *testing.T) {
	g, _ := encoder()
	s := judge(func(e scout.Edge) scout.Score {
		if e.Role == scout.RoleImplementation {
			return scout.Score{Err: errModel}
		}
		return fine(5)
	})
	a, err := scout.Walk(t.Context(), g, s,
		scout.Query{Text: "?", Symbols: []string{"Encoder.Encode"}, Change: scout.Change{Kind: scout.AddParameter}}, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	unscored := a.Pointers[2] // after what has a score
	if unscored.Role != scout.RoleImplementation || unscored.Risk != 0 || unscored.Relevance != 0 || !strings.HasPrefix(unscored.Reason, "not scored: ") {
		t.Errorf("%+v, want the unscored edge", unscored)
	}
	if a.Unscored != (scout.Failures{Count: 1, Reason: errModel.Error()}) {
		t.Errorf("unscored %+v", a.Unscored)
	}
	if len(a.TrainingExamples) != a.NodesVisited-2 {
		t.Errorf("%d training examples of %d nodes, one of them unscored and one named", len(a.TrainingExamples), a.NodesVisited)
	}
	if !slices.Contains(g.Asked(), unscored.Location) {
		t.Error("the walk did not go on from an edge whose role is enough")
	}
	if text := render.Text(a); !strings.Contains(text, "judge could not score 1 edge: "+errModel.Error()) {
		t.Errorf("text does not tell what was not scored:\n%s", text)
	}
}

// Where scores lead the way, nothing leads on from what has none.
func TestUnscoredEdgesAreNotFollowed(t *testing.T) {
	g, _ := encoder()
	s := judge(func(e scout.Edge) scout.Score {
		if e.Role == scout.RoleImplementation {
			return scout.Score{Err: errModel}
		}
		return fine(5)
	})
	a, err := scout.Walk(t.Context(), g, s, scout.Query{Text: "`Encoder.Encode`"}, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := a.Pointers[len(a.Pointers)-1]
	if last.Role != scout.RoleImplementation || slices.Contains(g.Asked(), last.Location) {
		t.Errorf("last pointer %+v, asked about %v; want the unscored edge, not asked about", last, g.Asked())
	}
}

func TestScorerThatScoresNothing(t *testing.T) {
	for name, s := range map[string]scout.Scorer{
		"error":         batch(func([]scout.Edge) ([]scout.Score, error) { return nil, errModel }),
		"every edge":    judge(func(scout.Edge) scout.Score { return scout.Score{Err: errModel} }),
		"too few":       batch(func([]scout.Edge) ([]scout.Score, error) { return make([]scout.Score, 1), nil }),
		"out of range":  judge(func(scout.Edge) scout.Score { return fine(6) }),
		"nothing at 0":  judge(func(scout.Edge) scout.Score { return fine(0) }),
		"a foreign tag": judge(func(scout.Edge) scout.Score { s := fine(3); s.Rubric.Tags = []scout.Tag{"Pretty"}; return s }),
	} {
		g, _ := encoder()
		a, err := scout.Walk(t.Context(), g, s, scout.Query{Text: "`Encoder.Encode`"}, scout.Options{})
		if err != nil {
			t.Errorf("%s: %v; want an answer without scores", name, err)
			continue
		}
		for _, p := range a.Pointers {
			if p.Depth > 0 && (p.Relevance != 0 || !strings.HasPrefix(p.Reason, "not scored: ")) {
				t.Errorf("%s: %+v has a score that nobody gave", name, p)
			}
		}
		if places := len(a.Pointers) - 1; places == 0 || a.Unscored.Count < places || a.Unscored.Reason == "" {
			t.Errorf("%s: %d places, unscored %+v", name, places, a.Unscored)
		}
	}
}

// An away error says what to do.
type away struct{}

func (away) Error() string { return "the model is away" }
func (away) Hint() string  { return "call it back" }

// What nobody scored is listed all the same, with what mends it.
func TestScorerThatIsAway(t *testing.T) {
	g, _ := encoder()
	s := batch(func([]scout.Edge) ([]scout.Score, error) { return nil, away{} })
	a, err := scout.Walk(t.Context(), g, s, scout.Query{Text: "`Encoder.Encode`"}, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"batch could not score", "the model is away", "by their role alone", "call it back"} {
		if !strings.Contains(render.Text(a), want) {
			t.Errorf("the text lacks %q:\n%s", want, render.Text(a))
		}
	}
}

func TestScorerThatDiesLater(t *testing.T) {
	g, _ := encoder()
	calls := 0
	s := batch(func(edges []scout.Edge) ([]scout.Score, error) {
		if calls++; calls > 1 {
			return nil, errModel
		}
		scores := make([]scout.Score, len(edges))
		for i := range scores {
			scores[i] = fine(5)
		}
		return scores, nil
	})
	a, err := scout.Walk(t.Context(), g, s, scout.Query{Text: "`Encoder.Encode`"}, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Unscored.Count == 0 || a.Unscored.Reason != errModel.Error() {
		t.Errorf("unscored %+v, want the edges of the later batches", a.Unscored)
	}
}

func TestScorerDecidesWhatIsExpandedAndLeftOut(t *testing.T) {
	for relevance, want := range map[int]struct{ visited, irrelevant, asked int }{
		1: {1, 3, 1}, // nothing but the root
		2: {4, 0, 1}, // shown, not followed
		3: {6, 0, 4}, // followed, but for the test
	} {
		g, _ := encoder()
		s := judge(func(e scout.Edge) scout.Score {
			if e.Depth == 0 {
				return fine(5)
			}
			return fine(relevance)
		})
		a, err := scout.Walk(t.Context(), g, s, scout.Query{Text: "`Encoder.Encode`"}, scout.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a.NodesVisited != want.visited || a.LeftOut.Irrelevant != want.irrelevant || len(g.Asked()) != want.asked {
			t.Errorf("relevance %d: visited %d, irrelevant %d, expanded %v; want %+v",
				relevance, a.NodesVisited, a.LeftOut.Irrelevant, g.Asked(), want)
		}
	}
}
