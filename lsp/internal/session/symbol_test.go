package session

import (
	"fmt"
	"runtime"
	"strings"
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

// A tree takes memory in proportion to its text, however many of its lists are short.
func TestTreeOutline(t *testing.T) {
	const types = 2000
	const at = `"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}`
	var each []string
	for i := range types {
		each = append(each, fmt.Sprintf(`{"name":"T%d","kind":23,%s,"children":[{"name":"F","detail":"int","kind":8,%s}]}`, i, at, at))
	}
	tree := []byte("[" + strings.Join(each, ",") + "]")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := ReadOutline(tree, text.New("x\n"))
	runtime.ReadMemStats(&after)
	if err != nil || len(got) != types {
		t.Fatalf("%d types, %v", len(got), err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 20*uint64(len(tree)) {
		t.Errorf("%d bytes for an outline of %d", used, len(tree))
	}
	here := text.Range{Start: text.Position{Line: 1, Column: 1}, End: text.Position{Line: 1, Column: 2}}
	want := DocumentSymbol{Name: "T1999", Kind: KindStruct, Range: here, NameRange: here, Children: []DocumentSymbol{
		{Name: "F", Detail: "int", Kind: KindField, Range: here, NameRange: here, Children: []DocumentSymbol{}},
	}}
	if diff := cmp.Diff(want, got[types-1]); diff != "" {
		t.Error(diff)
	}
}
