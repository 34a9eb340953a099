package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/scout"
)

// The path of a directory is said once for files that follow each other; a file of one declaration, or of tests that break, takes one line.
func TestDirectoriesAreSaidOnce(t *testing.T) {
	a := &scout.Answer{Summary: "Many."}
	a.Understood.Change = scout.AddParameter
	for _, at := range []struct{ place, in string }{
		{"a.go:1", "A"}, {"b.go:2", "B"}, {"in/c.go:3", "C"}, {"in/c.go:5", "D"}, {"in/d.go:4", "T.M"}, {"in/d.go:7", "T.N"},
		{"in/e.go:6", "E"}, {"in/deep/f.go:8", "F"}, {"x/g.go:9", ""},
	} {
		a.Pointers = append(a.Pointers, scout.Pointer{Location: at.place, In: at.in, Depth: 1, Role: scout.RoleCall, Action: "act"})
	}
	a.Pointers = append(a.Pointers,
		scout.Pointer{Location: "z_test.go:3", In: "TestA", Depth: 1, Role: scout.RoleCall, Action: "act", Traits: []scout.Trait{{Name: scout.TraitTest}}},
		scout.Pointer{Location: "z_test.go:9", In: "TestB", Depth: 1, Role: scout.RoleCall, Action: "act", Traits: []scout.Trait{{Name: scout.TraitTest}}},
	)
	want := `Many.

act:
a.go:1 A
b.go:2 B
in/
 c.go
  3 C
  5 D
 d.go
  4 T.M
  7 .N
 e.go:6 E
in/deep/f.go:8 F
x/g.go:9
z_test.go:3,9
`
	if diff := cmp.Diff(want, Text(a)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Where more than one declaration no longer compiles the lines are enough; of what only may have to change each is named.
func TestManyCertainPlacesAreLines(t *testing.T) {
	for _, tt := range []struct {
		certain bool
		count   int
		want    string
	}{
		{true, 1, "a.go:1 F1\n"},
		{true, 2, "a.go:1,2\n"},
		{false, 2, "a.go\n 1 F1\n 2 F2\n"},
	} {
		a := &scout.Answer{Summary: "Many."}
		a.Understood.Change = scout.AddParameter
		for i := range tt.count {
			a.Pointers = append(a.Pointers, scout.Pointer{
				Location: fmt.Sprintf("a.go:%d", i+1), In: fmt.Sprintf("F%d", i+1), Certain: tt.certain, Depth: 1, Role: scout.RoleCall, Action: "act",
			})
		}
		if got := Text(a); !strings.Contains(got, tt.want) {
			t.Errorf("certain %t, %d places: %q is not in\n%s", tt.certain, tt.count, tt.want, got)
		}
	}
}
