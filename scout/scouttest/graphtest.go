package scouttest

import (
	"errors"
	"path"
	"reflect"
	"slices"
	"testing"

	"tidepool/scout"
)

// TestGraph checks what a walk relies on in a graph. names have to resolve, and
// g must not change while the test runs.
func TestGraph(t *testing.T, g scout.Graph, names ...string) {
	t.Helper()
	t.Run("unknown name", func(t *testing.T) {
		var missing *scout.NotFoundError
		if nodes, err := g.Resolve(t.Context(), "NoSuchThing_0"); !errors.As(err, &missing) || len(nodes) > 0 {
			t.Errorf("Resolve of an unknown name = %v, %v; want a *scout.NotFoundError", nodes, err)
		}
	})
	for _, name := range names {
		t.Run(name, func(t *testing.T) { testNodes(t, g, name) })
	}
}

func testNodes(t *testing.T, g scout.Graph, name string) {
	nodes, err := g.Resolve(t.Context(), name)
	if err != nil || len(nodes) == 0 {
		t.Fatalf("Resolve = %v, %v; want nodes", nodes, err)
	}
	for _, n := range nodes {
		checkNode(t, n)
		change := scout.Change{Kind: scout.Other}
		edges, err := g.Edges(t.Context(), n, change)
		if err != nil {
			t.Errorf("Edges(%s): %v", n.Location(), err)
		}
		again, _ := g.Edges(t.Context(), n, change)
		if !reflect.DeepEqual(edges, again) {
			t.Errorf("Edges(%s) differs from call to call", n.Location())
		}
		for _, e := range edges {
			checkNode(t, e.To)
			testTraits(t, e)
			if !slices.Contains(scout.Roles(), e.Role) {
				t.Errorf("%s: role %q is not one of scout's", e.To.Location(), e.Role)
			}
			if e.Into.Path != "" {
				checkNode(t, e.Into)
			}
		}
	}
}

func checkNode(t *testing.T, n scout.Node) {
	t.Helper()
	if n.Path == "" || path.IsAbs(n.Path) || path.Clean(n.Path) != n.Path || n.Line < 1 || n.Column < 0 {
		t.Errorf("%+v: want a clean path below the project, a line from 1, a column from 0", n)
	}
}

func testTraits(t *testing.T, e scout.Edge) {
	t.Helper()
	for i, trait := range e.Traits {
		again := slices.ContainsFunc(e.Traits[:i], func(other scout.Trait) bool { return other.Name == trait.Name })
		if again || !slices.Contains(scout.TraitNames(), trait.Name) {
			t.Errorf("%s has the traits %v", e.To.Location(), e.Traits)
		}
	}
}
