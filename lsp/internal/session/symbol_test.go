package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp/internal/text"
)

// What a server tells as a flat list becomes a tree.
func TestFlatOutline(t *testing.T) {
	in := text.New("class Outer {\n  def inner() {\n  }\n}\ndef after\n")
	flat := `[
	{"name":"after","kind":12,"location":{"uri":"file:///x","range":{"start":{"line":4,"character":0},"end":{"line":4,"character":9}}}},
	{"name":"Outer","kind":5,"location":{"uri":"file:///x","range":{"start":{"line":0,"character":0},"end":{"line":3,"character":1}}}},
	{"name":"inner","kind":6,"location":{"uri":"file:///x","range":{"start":{"line":1,"character":2},"end":{"line":2,"character":3}}}}]`
	got, err := ReadOutline([]byte(flat), in)
	if err != nil {
		t.Fatal(err)
	}
	at := func(line, from, to int) text.Range {
		return text.Range{Start: text.Position{Line: line, Column: from}, End: text.Position{Line: line, Column: to}}
	}
	want := []DocumentSymbol{
		{Name: "Outer", Kind: KindClass, Range: text.Range{Start: text.Position{Line: 1, Column: 1}, End: text.Position{Line: 4, Column: 2}}, NameRange: at(1, 7, 12), Children: []DocumentSymbol{
			{Name: "inner", Kind: KindMethod, Range: text.Range{Start: text.Position{Line: 2, Column: 3}, End: text.Position{Line: 3, Column: 4}}, NameRange: at(2, 7, 12), Children: []DocumentSymbol{}},
		}},
		{Name: "after", Kind: KindFunction, Range: at(5, 1, 10), NameRange: at(5, 5, 10), Children: []DocumentSymbol{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, nothing := range []string{"", "null", "[]"} {
		if got, err := ReadOutline([]byte(nothing), in); len(got) != 0 || err != nil {
			t.Errorf("%q: %v, %v", nothing, got, err)
		}
	}
	if _, err := ReadOutline([]byte(`{"no":"list"}`), in); err == nil {
		t.Error("no error")
	}
}
