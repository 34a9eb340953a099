package syntax

import (
	"slices"
	"testing"
)

func TestLocalInterfaces(t *testing.T) {
	for src, want := range map[string][]Position{
		"package a\n\nvar x = y.(interface{ M() }).M()\n":                           {{3, 23}},
		"package a\n\nvar x = y.(interface{M()})\n":                                 {{3, 22}},
		"package a\n\nfunc f() {\n\ttype t interface {\n\t\tN()\n\t\tM()\n\t}\n}\n": {{6, 3}},
		"package a\n\ntype T[P interface{ ~int; M() }] struct{}\n":                  {{3, 27}},
		"package a\n\ntype T struct { m interface{ M() } }\n":                       {{3, 30}},
		"package a\n\ntype T = interface{ M() }\n":                                  {{3, 21}},
		"package a\n\ntype T interface{ M() }\n":                                    nil,
		"package a\n\ntype T interface{ N() }\n\nfunc M() { x.M() }\n":              nil,
		"package a\n\nvar x = y.(interface{ Mum(); OM(M) })\n":                      nil,
		"package a\n\nvar x interface{}\n":                                          nil,
	} {
		if got := Parse("a.go", []byte(src)).LocalInterfaces("M"); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", src, got, want)
		}
	}
}
