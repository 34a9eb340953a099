package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/scout"
)

func TestMermaid(t *testing.T) {
	a := &scout.Answer{
		Symbols: []scout.Symbol{{Name: "Mux.handle"}},
		Pointers: []scout.Pointer{
			{Location: "mux.go:10", In: "Mux.handle", Certain: true},
			{Location: "mux.go:20", In: "serve", Certain: true, Depth: 1},
			{Location: "mux.go:22", In: "serve", Certain: true, Depth: 1},
			{Location: "a\"b.go:3", Certain: true, Depth: 1},
			{Location: "mux.go:30", In: "Mux[T].close", Depth: 1},
		},
	}
	want := `flowchart LR
  change(["Mux.handle"])
  subgraph f1["mux.go"]
    n1["serve: 20 22"]:::breaks
    n3["Mux#91;T#93;.close: 30"]:::look
  end
  subgraph f2["a#34;b.go"]
    n2["line 3"]:::breaks
  end
  change ==> n1
  change ==> n2
  change -.-> n3
  classDef breaks stroke:#cc3311,stroke-width:3px
  classDef look stroke:#767676,stroke-dasharray:4
`
	if diff := cmp.Diff(want, Mermaid(a)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMermaidIsBounded(t *testing.T) {
	a := &scout.Answer{}
	for i := range 3 * maxNodes {
		a.Pointers = append(a.Pointers, scout.Pointer{Location: fmt.Sprintf("f%d.go:1", i), In: "f", Depth: 1})
	}
	got := Mermaid(a)
	if n := strings.Count(got, ":::"); n != maxNodes || !strings.Contains(got, fmt.Sprintf("and %d more", 2*maxNodes)) || !strings.Contains(got, "the question") {
		t.Errorf("%d nodes in\n%s", n, got)
	}
}
