package syntax

import (
	"strings"
	"testing"
)

// Before each name of a type, /*keyed*/ and the like say how its literals are written.
const literalsSource = `package p

var (
	_ = /*unkeyed*/ T{1, 2}
	_ = &/*keyed*/ T{a: 1}
	_ = /*none*/ T{}
	_ = new(/*none*/ T)
	_ = []/*unkeyed*/ T{{1, 2}, {3, 4}}
	_ = []*/*keyed*/ T{{a: 1}, {}}
	_ = []/*unkeyed*/ T{{a: 1}, {2, 3}}
	_ = [...]/*keyed*/ T{4: {a: 1}}
	_ = map[string][]/*unkeyed*/ T{"a": {{1, 2}}}
	_ = map[/*none*/ T]int{{1, 2}: 3}
	_ = []/*none*/ T{x, T{1, 2}}
	_ = /*unkeyed*/ G[int]{1}
	_ = p./*keyed*/ T{a: 1}
	_ = /*none*/ T(x)
	_ = []/*none*/ I{}
)
`

func TestElements(t *testing.T) {
	f := Parse("p.go", []byte(literalsSource))
	if f.Broken() != nil {
		t.Fatal(f.Broken())
	}
	checked := 0
	for n := 1; n <= f.Lines(); n++ {
		before, after, found := strings.Cut(f.Line(n), "/*")
		if !found {
			continue
		}
		word, _, _ := strings.Cut(after, "*/")
		want := Elements(word)
		if word == "none" {
			want = NoElements
		}
		if use, ok := f.Use(Position{n, len(before) + len(word) + 6}); !ok || use.Elements != want {
			t.Errorf("%s: %q, %t", f.Line(n), use.Elements, ok)
		}
		checked++
	}
	if checked != 15 {
		t.Errorf("%d literals checked", checked)
	}
}

func TestWithin(t *testing.T) {
	f := Parse("p.go", []byte("package p\n\nvar v = []T{{1,\n2}, {a: 1,\nb: func() int { return 3 }},\n\n}\n"))
	for at, want := range map[Position]Elements{
		{3, 14}: Unkeyed, {4, 1}: Unkeyed, {4, 2}: Unkeyed, {4, 6}: Keyed, {5, 24}: NoElements, {3, 5}: NoElements, {1, 1}: NoElements, {9, 1}: NoElements,
	} {
		if got := f.Within(at); got != want {
			t.Errorf("%v is within %q, want %q", at, got, want)
		}
	}
}
