package teach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/teach"
)

func TestMermaid(t *testing.T) {
	hostile := `operator<"x">` + "\n`]; click"
	code := fakeSource{
		"Run":   uses(teach.Body, "Graph", hostile, "Node", "Größe"),
		"Graph": uses(teach.Signature, "Node"), "Node": uses(teach.Signature, "Graph", "Größe"), "Größe": {}, hostile: uses(teach.Dispatch, "Task"),
		"Task": {},
	}
	plan, err := teach.Explore(t.Context(), code, selectAll{100}, topic(9, "Run"))
	if err != nil {
		t.Fatal(err)
	}
	want := `flowchart LR
  n3["3 Node"] --> n2["2 Graph"]
  n1["1 Größe"] & n2 --> n3
  n2 & n3 & n4["4 operator#60;#34;x#34;#62;#96;#93;#59; click"] --> n5(["5 Run"])
  n4 -.-> n6["6 Task"]
`
	if diff := cmp.Diff(want, plan.Mermaid()); diff != "" {
		t.Error(diff)
	}
	alone, err := teach.Explore(t.Context(), fakeSource{"A": {}}, selectAll{100}, topic(9, "A"))
	if err != nil || alone.Mermaid() != "flowchart LR\n  n1([\"1 A\"])\n" {
		t.Errorf("%v %s", err, alone.Mermaid())
	}
}
