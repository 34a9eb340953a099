package render

import (
	"testing"

	"tidepool/scout"
)

// The note of most declarations stands above them without a mark, however short that note is.
func TestWhatIsUsualNeedsNoMark(t *testing.T) {
	a := &scout.Answer{Summary: "Many."}
	a.Understood.Change = scout.AddVariant
	for _, at := range []struct{ place, in, action string }{
		{"a.go:1", "A", "add a case"}, {"b.go:2", "B", "add a case"}, {"c.go:3", "C", "regenerate with a program of a long name"},
		{"d.go:4", "D", "add an entry"}, {"e.go:5", "E", "add an entry"}, {"f.go:6", "F", "add a case"},
	} {
		a.Pointers = append(a.Pointers, scout.Pointer{Location: at.place, In: at.in, Depth: 1, Role: scout.Role(at.action), Action: at.action})
	}
	want := `Many.

add a case (*: add an entry):
a.go:1 A
b.go:2 B
c.go:3 C: regenerate with a program of a long name
d.go:4 D *
e.go:5 E *
f.go:6 F
`
	if got := Text(a); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A test to be edited is only a line; a test to be run has its name.
func TestNamesOfTests(t *testing.T) {
	p := scout.Pointer{Location: "a_test.go:7", In: "TestA", Depth: 1, Role: scout.RoleTest, Action: "act", Traits: []scout.Trait{{Name: scout.TraitTest}}}
	for kind, want := range map[scout.ChangeKind]string{
		scout.ReturnError:    "One.\n\nact:\na_test.go:7\n",
		scout.ChangeBehavior: "One.\n\nact:\na_test.go:7 TestA\n()\n",
		scout.Other:          "One.\n\na_test.go:7 TestA: test\n()\n",
	} {
		a := &scout.Answer{Summary: "One.", Understood: scout.Understood{Change: kind}, Pointers: []scout.Pointer{p}}
		if got := Text(a); got != want {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
}
