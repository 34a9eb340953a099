package golang_test

import (
	"fmt"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
)

func TestGoNamesOfNodes(t *testing.T) {
	code := langtest.Subject{Tree: toolstest.ServeFile(t, "go", "golang")}
	for name, want := range map[string]string{
		"road/road.go:25":          "Drive road/road.go:20",
		"tree/tree.go:24:2":        "If.Then tree/tree.go:24",
		"tree/tree.go:24":          "If.Then tree/tree.go:24",
		"tree.If.Base":             "If.Base tree/tree.go:23",
		"tree.Node.Pos":            "Node.Pos tree/tree.go:7",
		"light.Light.String":       "Light.String light/light.go:18",
		"If.Then":                  "If.Then tree/tree.go:24",
		"tree.For.Pos":             "Base.Pos tree/tree.go:19",
		"road_test.TestDrive":      "",
		"road.TestDrive":           "TestDrive road/road_test.go:9",
		"chain.Square.Double":      "Square.Double chain/chain.go:19",
		"tree/tree.go:Walk":        "Walk tree/tree.go:41",
		"light.Amber":              "Amber light/light.go:12",
		"example.test/m/light.Red": "Red light/light.go:11",
	} {
		g := code.Walk(t)
		nodes, err := g.Resolve(t.Context(), name)
		got := ""
		if len(nodes) > 0 {
			got = fmt.Sprintf("%s %s", nodes[0].Name, nodes[0].Location())
		}
		if got != want || len(nodes) > 1 || err != nil && want != "" {
			t.Errorf("%s: %s of %d, %v; want %s", name, got, len(nodes), err, want)
		}
	}
}

// Of a tree that is too large only what mentions the members is looked through, and that is said.
func TestGoVariantOfALargeTree(t *testing.T) {
	var archive strings.Builder
	archive.WriteString(`
-- go.mod --
module example.test/m

go 1.26
-- kind/kind.go --
package kind

type Kind int

const (
	One Kind = iota
	Two
)
-- use/use.go --
package use

import . "example.test/m/kind"

func Name(k interface{ Kind() Kind }) string {
	switch k.Kind() {
	case One:
		return "one"
	}
	return ""
}
`)
	for i := range 2000 { // beyond those of the module
		fmt.Fprintf(&archive, "-- filler/f%d.go --\npackage filler\n", i)
	}
	code := langtest.Subject{Tree: toolstest.Serve(t, t.TempDir(), "go", archive.String())}
	g := code.Walk(t)
	nodes, err := g.Resolve(t.Context(), "kind.Kind")
	if err != nil {
		t.Fatal(err)
	}
	edges, err := g.Edges(t.Context(), nodes[0], scout.Change{Kind: scout.AddVariant})
	if err != nil || len(edges) != 1 || edges[0].To.Location() != "use/use.go:6" || !strings.HasPrefix(langtest.Doubts(g), "of more than 2000 Go files ") {
		t.Errorf("%+v, %v, doubts %q", edges, err, langtest.Doubts(g))
	}
}
