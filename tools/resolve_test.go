package tools

import (
	"slices"
	"testing"
)

// A file before a name finds what a search by name does not, and every candidate means one.
func TestFileBeforeName(t *testing.T) {
	tests := []struct{ name, want string }{
		{"kinds/kinds.go:Color", "kinds/kinds.go:5"},
		{"kinds.go:Color", "kinds/kinds.go:5"},
	}
	q, err := zoo.inquire(t.Context(), Wait{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		r, err := q.resolve(t.Context(), tt.name, ofKind(typeKinds()...))
		if err != nil || !r.found {
			t.Errorf("%s: %+v, %v", tt.name, r, err)
			continue
		}
		if got := q.relative(r.symbol.Location.Path) + ":" + itoa(r.symbol.Location.Range.Start.Line); got != tt.want {
			t.Errorf("%s is at %s, want %s", tt.name, got, tt.want)
		}
	}
	if _, err := q.resolve(t.Context(), "nowhere.go:Color"); err == nil {
		t.Error("a file that is not there has declarations")
	}
	r, err := q.resolve(t.Context(), "kinds.go:Colour", ofKind(typeKinds()...))
	if err != nil || !slices.Contains(r.nearest, "Color") {
		t.Errorf("near kinds.go:Colour are %v, %v", r.nearest, err)
	}
}
