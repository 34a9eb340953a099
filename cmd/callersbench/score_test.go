package main

import (
	"strings"
	"testing"

	"tidepool/internal/checkout"
	"tidepool/lsp"
)

// An answer with a place too many and one missing is false where it is called complete, and only there.
func TestCompare(t *testing.T) {
	at := func(line int) place { return place{"a.go", line, 1} }
	f := function{Name: "T.M", At: at(1), Calls: []place{at(2), at(3)}, Values: []place{at(4)}, Through: []place{at(5)}, May: []place{at(6)}}
	c := &subject{Checkout: &checkout.Checkout{Dir: "/p"}}
	answered := func(state lsp.State, kinds map[int]string) answer {
		a := answer{File: new(string), Completeness: lsp.Completeness{State: state}}
		for line, kind := range kinds {
			site := struct {
				File   string `json:"file"`
				Line   int    `json:"line"`
				Column int    `json:"column"`
				Kind   string `json:"kind"`
			}{"/p/a.go", line, 1, kind}
			a.Sites = append(a.Sites, site)
		}
		return a
	}
	truth := map[int]string{2: "call", 3: "defer", 4: "value", 5: "interface call", 6: "interface call"}
	wrong := map[int]string{2: "call", 4: "value", 5: "interface call", 9: "call"}
	for _, tt := range []struct {
		answer                   answer
		falsely, missing, failed int
	}{
		{answered(lsp.Complete, truth), 0, 0, 0},
		{answered(lsp.Complete, wrong), 1, 1, 0},
		{answered(lsp.Partial, wrong), 0, 1, 0},
		{answer{text: "not found"}, 0, 0, 1},
	} {
		s := &score{}
		s.compare(c, f, "by file", tt.answer)
		if s.falsely != tt.falsely || s.uses[calling].missing != tt.missing || s.uses[calling].wrong != tt.missing || s.failed != tt.failed {
			t.Errorf("%+v: %+v", tt.answer, s)
		}
		if (s.told() == "") != (tt.missing+tt.failed == 0) {
			t.Errorf("it tells %q", s.told())
		}
	}
}

func TestRows(t *testing.T) {
	s := &score{project: project{language: "Go", source: "m@v1"}, functions: 3, falsely: 1}
	s.uses[calling] = tally{right: 98, missing: 2}
	s.uses[taking] = tally{right: 98, missing: 2}
	var held []string
	for _, row := range s.rows() {
		if row.Held {
			held = append(held, row.What)
		}
	}
	if got := strings.Join(held, ", "); got != "Go, `m@v1`: values, Go, `m@v1`: not found, or an error; both ways of asking differ" {
		t.Errorf("held: %s", got)
	}
}

// The same seed draws the same functions, each place once.
func TestDraw(t *testing.T) {
	var all []function
	for i := range 50 {
		f := function{At: place{"a.go", i + 1, 1}}
		all = append(all, f, f)
	}
	first, second := draw(all, 20), draw(all, 20)
	seen := map[place]bool{}
	for i, f := range first {
		if f.At != second[i].At || seen[f.At] {
			t.Errorf("%v and %v", f.At, second[i].At)
		}
		seen[f.At] = true
	}
	if len(draw(all, 100)) != 50 {
		t.Error("places are drawn twice")
	}
}
