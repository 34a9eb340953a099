package syntax

import (
	"slices"
	"testing"
)

func TestNiladic(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\nvar x = y.Error()\n\n// z.Error\nfunc f() { t.Error(\"a\"); e.Errors(); é.Error ( ); _ = e.Error; e.\n\tError() }\n"))
	want := []Position{{3, 11}, {5, 6}, {6, 41}, {6, 58}, {7, 2}}
	if got := f.Niladic("Error"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOwnerAndTypeAround(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\ntype T[K any] struct{ b.Base }\n\nfunc (t *T[K]) M() { type local struct{ T[int] } }\n\nfunc F() {}\n"))
	if at, ok := f.Owner(Position{5, 16}); !ok || at != (Position{5, 10}) {
		t.Errorf("the owner of M is named at %v, %t", at, ok)
	}
	for _, none := range []Position{{7, 6}, {3, 6}, {9, 1}} {
		if at, ok := f.Owner(none); ok {
			t.Errorf("%v has an owner at %v", none, at)
		}
	}
	for at, want := range map[Position]string{{3, 25}: "T", {5, 42}: "local", {5, 16}: ""} {
		name := ""
		if d, ok := f.TypeAround(at); ok {
			name = d.Name
		}
		if name != want {
			t.Errorf("around %v is %q, want %q", at, name, want)
		}
	}
}

func TestMayDeclare(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\nfunc F() { G(H) }\n\nfunc (t *T[K]) M() {}\n\nvar a, b = 1, 2\n\nconst (\n\tc = iota\n)\n\ntype I interface{ N() }\n\ntype S struct { x, y int }\n"))
	for name, want := range map[string]bool{"F": true, "M": true, "a": true, "b": true, "c": true, "I": true, "N": true, "S": true, "y": true, "G": true, "H": false, "K": false, "iota": false, "Z": false} {
		if got := f.MayDeclare(name); got != want {
			t.Errorf("it may declare %s: %t, want %t", name, got, want)
		}
	}
}
