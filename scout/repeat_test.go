package scout_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"tidepool/scout"
	"tidepool/scout/render"
)

// The same walk gives the same answer, and the same text of it.
func TestEveryWalkIsTheSameTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, q := scout.DrawChecker(t), scout.DrawQuery(t)
		byChance := rapid.Bool().Draw(t, "by chance")
		if first, second := walkWhole(t, g, byChance, q), walkWhole(t, g, byChance, q); first != second {
			t.Fatalf("two walks differ:\n%s\n%s", first, second)
		}
	})
}

// walkWhole returns all that a caller can see of an answer: its text and its JSON.
func walkWhole(t *rapid.T, g scout.Graph, byChance bool, q scout.Query) string {
	var s scout.Scorer = scout.Heuristic{}
	if byChance {
		s = scout.ByChance(t)
	}
	a, err := scout.Walk(t.Context(), g, s, q, scout.Options{})
	if err != nil {
		return err.Error()
	}
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return render.Text(a) + string(data)
}
