package scout_test

import (
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/scout/render"
	"tidepool/scout/scouttest"
)

func TestExplanationAddsUpToTheOrder(t *testing.T) {
	g := new(scouttest.Graph)
	root := scout.Node{Name: "Encode", Kind: "function", Path: "a.go", Line: 3, Column: 6}
	g.Name("Encode", root)
	g.Link(root, scout.Edge{To: scout.Node{Name: "main", Kind: "function", Path: "b.go", Line: 9}, Role: scout.RoleCall})
	query := scout.Query{Text: "Encode takes a context", Symbols: []string{"Encode"}, Change: scout.Change{Kind: scout.AddParameter}, Explain: true}
	a, err := scout.Walk(t.Context(), g, scout.Heuristic{}, query, scout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Pointers) != 2 || a.Pointers[0].Weighed != nil {
		t.Fatalf("%+v: want what the query names, unexplained, and the call", a.Pointers)
	}
	sum := 0.0
	for _, w := range a.Pointers[1].Weighed {
		sum += w.Value * w.Weight
	}
	if want := 2.*5 - 1 + 2*5 + 1.5*5 + 0.5*4 - 0.5*2; sum != want {
		t.Errorf("%v add up to %v, want %v", a.Pointers[1].Weighed, sum, want)
	}
	if text := render.Text(a); !strings.Contains(text, "b.go:9 because of rule of call +10.00 (5.00 × +2.00), step -1.00") {
		t.Errorf("text:\n%s", text)
	}
}
