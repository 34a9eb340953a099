package render

import (
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
		a.Pointers = append(a.Pointers, scout.Pointer{Location: at.place, In: at.in, Certain: true, Depth: 1, Role: scout.RoleCall, Action: "act"})
	}
	a.Pointers = append(a.Pointers,
		scout.Pointer{Location: "z_test.go:3", In: "TestA", Certain: true, Depth: 1, Role: scout.RoleCall, Action: "act", Traits: []scout.Trait{{Name: scout.TraitTest}}},
		scout.Pointer{Location: "z_test.go:9", In: "TestB", Certain: true, Depth: 1, Role: scout.RoleCall, Action: "act", Traits: []scout.Trait{{Name: scout.TraitTest}}},
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
