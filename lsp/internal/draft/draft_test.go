package draft

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
	"tidepool/lsp/lsptest"
)

func TestEdits(t *testing.T) {
	const text = "one two three"
	tests := []struct {
		name  string
		edits []Edit
		want  string
		home  map[int]int // offsets in the edited text, and on the disk
	}{
		{"put in", []Edit{{Start: 4, End: 4, New: "1½ "}}, "one 1½ two three", map[int]int{0: 0, 3: 3, 4: 4, 7: 4, 8: 4, 9: 5, 17: 13}},
		{"taken out", []Edit{{Start: 3, End: 7}}, "one three", map[int]int{2: 2, 3: 7, 4: 8}},
		{"replaced", []Edit{{Start: 4, End: 7, New: "2"}}, "one 2 three", map[int]int{4: 4, 5: 7, 6: 8}},
		{"in any order", []Edit{{Start: 8, End: 13, New: "3"}, {Start: 0, End: 3, New: "1"}}, "1 two 3", map[int]int{1: 3, 2: 4, 6: 8}},
		{"twice at a place", []Edit{{Start: 3, End: 3, New: "a"}, {Start: 3, End: 3, New: "b"}}, "oneab two three", map[int]int{3: 3, 4: 3, 5: 3}},
		{"side by side", []Edit{{Start: 0, End: 3, New: "1"}, {Start: 3, End: 4, New: "-"}}, "1-two three", map[int]int{1: 3, 2: 4}},
		{"before what is replaced", []Edit{{Start: 4, End: 7, New: "2"}, {Start: 4, End: 4, New: "+"}}, "one +2 three", map[int]int{4: 4, 5: 4, 6: 7}},
		{"one into another", []Edit{{Start: 0, End: 5, New: "1"}, {Start: 4, End: 7, New: "2"}}, "", nil},
		{"one inside another", []Edit{{Start: 0, End: 13, New: "1"}, {Start: 4, End: 4, New: "2"}}, "", nil},
	}
	path := filepath.Join(t.TempDir(), "text")
	lsptest.Put(t, path, text)
	for _, test := range tests {
		var f File
		var err error
		for _, e := range test.edits {
			e.Path = path
			if err == nil {
				f, err = f.With(e)
			}
		}
		if (err != nil) != (test.want == "") || err == nil && f.Text() != test.want {
			t.Errorf("%s: %q, %v", test.name, f.Text(), err)
		}
		for edited, disk := range test.home {
			if got := f.origin(edited); got != disk {
				t.Errorf("%s: byte %d comes from %d, want %d", test.name, edited, got, disk)
			}
		}
	}
}

// TestFresh has errors move with the text, and change their message with it.
func TestFresh(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	lsptest.Put(t, path, "one\n/* ü */ two\nthree\n")
	f, err := File{}.With(Edit{Path: path, Start: 0, End: 3, New: "1\n2"})
	if err != nil {
		t.Fatal(err)
	}
	faulty := func(problems ...session.Problem) session.Diagnostics {
		var all session.FileErrors
		for _, p := range problems {
			p.Path = path
			all.Add(p, 10)
		}
		return session.Diagnostics{path: all}
	}
	at := func(line, column int, message string) session.Problem {
		return session.Problem{At: text.Position{Line: line, Column: column}, Message: message}
	}
	tests := []struct {
		name        string
		before, now session.Diagnostics
		want        []string
	}{
		{"the same", faulty(at(2, 10, "bad")), faulty(at(3, 10, "bad")), nil},
		{"another", faulty(at(2, 10, "bad")), faulty(at(3, 10, "bad"), at(3, 10, "worse")), []string{"2:10 worse"}},
		{"one more of a kind", faulty(at(2, 10, "bad")), faulty(at(3, 10, "bad"), at(3, 10, "bad")), []string{"2:10 bad"}},
		{"one that stays in its line", faulty(at(2, 10, "bad")), faulty(at(2, 1, "bad")), []string{"1:1 bad"}},
		{"in what is replaced", faulty(at(1, 2, "bad")), faulty(at(2, 1, "bad")), nil},
		{"one that names a place", faulty(at(3, 1, "two in x:2:8 and y:1")), faulty(at(4, 1, "two in x:3:8 and y:2")), nil},
		{"gone", faulty(at(3, 1, "bad")), session.Diagnostics{}, nil},
		{"at the end", session.Diagnostics{}, faulty(at(9, 9, "end")), []string{"4:1 end"}},
	}
	for _, test := range tests {
		var got []string
		for _, p := range Fresh(test.before, test.now, map[string]File{path: f}) {
			got = append(got, fmt.Sprintf("%d:%d %s", p.At.Line, p.At.Column, p.Message))
		}
		if !cmp.Equal(got, test.want) {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}
