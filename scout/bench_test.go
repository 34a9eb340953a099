package scout_test

import (
	"fmt"
	"testing"

	"tidepool/scout"
	"tidepool/scout/scouttest"
)

// A walk of 100 nodes over declarations with 200 callers each: what it costs
// beside the language server.
func BenchmarkWalk100NodesOf200Edges(b *testing.B) {
	g := new(scouttest.Graph)
	g.Name("F", at("F", "f0.go", 1))
	for n := range 100 {
		for e := range 200 {
			g.Link(at("", "f0.go", n+1), scout.Edge{
				To: at("call", fmt.Sprintf("c%d.go", e), n+1), Into: at("", fmt.Sprintf("f%d.go", e), n+2), Role: scout.RoleCall,
			})
		}
	}
	q := scout.Query{Text: "?", Symbols: []string{"F"}, Depth: scout.High}
	for b.Loop() {
		if a, err := scout.Walk(b.Context(), g, scout.Heuristic{}, q, scout.Options{MaxDepth: 200}); err != nil || a.NodesVisited != 100 {
			b.Fatal(a, err)
		}
	}
}
