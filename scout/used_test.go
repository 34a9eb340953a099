package scout_test

import (
	"slices"
	"testing"

	"tidepool/scout"
	"tidepool/scout/scouttest"
)

// What the symbol uses belongs to open questions alone, whatever a graph says of it.
func TestUsedDeclarations(t *testing.T) {
	for _, kind := range scout.ChangeKinds() {
		root := scout.Node{Name: "It", Path: "it.go", Line: 3, Column: 6} // of no kind, so that all changes make sense
		g := new(scouttest.Graph)
		g.Name("It", root)
		callee, deeper, other := at("write", "encode/write.go", 3), at("flush", "encode/flush.go", 5), at("other", "encode/other.go", 7)
		g.Link(root, scout.Edge{To: callee, Role: scout.RoleUsed, Certain: kind != scout.Other, Test: kind != scout.Other})
		g.Link(callee, scout.Edge{To: deeper, Role: scout.RoleUsed})
		g.Link(callee, scout.Edge{To: other, Role: scout.RoleCall})
		a := walk(t, g, scout.Query{Text: "?", Symbols: []string{"It"}, Change: scout.Change{Kind: kind}})
		open := kind == scout.Other
		for place, want := range map[string]bool{callee.Location(): open, deeper.Location(): open, other.Location(): false} {
			if got := slices.Contains(locations(a), place); got != want {
				t.Errorf("%s: %s is listed: %v, want %v", kind, place, got, want)
			}
		}
	}
}
