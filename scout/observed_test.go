package scout_test

import (
	"context"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/scout/scouttest"
)

// A counting scorer calls everything irrelevant, and counts what it was asked about.
type counting struct{ asked int }

func (c *counting) Name() string { return "counting" }

func (c *counting) Score(_ context.Context, _ scout.Query, edges []scout.Edge) ([]scout.Score, error) {
	c.asked += len(edges)
	scores := make([]scout.Score, len(edges))
	for i := range scores {
		scores[i].Rubric = scout.Rubric{Relevance: 1, Risk: 1, Complexity: 1, Confidence: 5}
	}
	return scores, nil
}

// No scorer is asked about what was seen, and the summary tells it from what is likely.
func TestWhatWasSeen(t *testing.T) {
	for _, tt := range []struct {
		seen, likely, asked int
		scorer              func() scout.Scorer
		want                string
	}{
		{2, 0, 0, nil, "f (f.go:3) is run by 2 tests."},
		{0, 2, 2, nil, "f (f.go:3) may be run by 2 tests."},
		{1, 2, 2, nil, "f (f.go:3) is run by 1 test, and may be run by 2 tests."},
		{1, 2, 2, func() scout.Scorer { return new(counting) }, "f (f.go:3) is run by 1 test."},
	} {
		g, root := new(scouttest.Graph), at("f", "f.go", 3)
		g.Name("f", root)
		for i := range tt.seen + tt.likely {
			test := at("Test"+string(rune('A'+i)), "f_test.go", 10*i+1)
			g.Link(root, scout.Edge{To: test, Role: scout.RoleTest, Test: true, Last: true, Rank: i, Observed: i < tt.seen})
		}
		var scorer scout.Scorer = scout.Heuristic{}
		if tt.scorer != nil {
			scorer = tt.scorer()
		}
		a, err := scout.Walk(t.Context(), g, scorer, scout.Query{
			Text: "which tests?", Symbols: []string{"f"}, Change: scout.Change{Kind: scout.ChangeBehavior},
		}, scout.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(a.Summary, tt.want) {
			t.Errorf("%d seen, %d likely: %s", tt.seen, tt.likely, a.Summary)
		}
		if c, ok := scorer.(*counting); ok && c.asked != tt.asked {
			t.Errorf("the scorer was asked about %d, want %d", c.asked, tt.asked)
		}
		seen := 0
		for _, p := range a.Pointers {
			if p.Observed {
				seen++
			}
		}
		if seen != tt.seen {
			t.Errorf("%d pointers were seen, want %d", seen, tt.seen)
		}
	}
}
