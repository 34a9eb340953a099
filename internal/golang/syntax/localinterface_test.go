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
		f := Parse("a.go", []byte(src))
		if got := f.LocalInterfaces("M"); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", src, got, want)
		}
		if want != nil && !f.MayHaveUnnamedInterface() {
			t.Errorf("%s: no unnamed interface", src)
		}
	}
}

// Files of which the text alone says that all their interfaces have names, and files where a look at the tree is needed.
func TestMayHaveUnnamedInterface(t *testing.T) {
	for src, want := range map[string]bool{
		"package a\n": false,
		"package a\n\n// the interface is { so }\n":                           false,
		"package a\n\nvar x interface{}\n":                                    false,
		"package a\n\nvar x interface {\n}\n":                                 false,
		"package a\n\ntype T interface{ M() }\n":                              false,
		"package a\n\ntype T  interface {\n\tM()\n}\n":                        false,
		"package a\n\ntype T interface{ interface{ M() } }\n":                 true,
		"package a\n\ntype T[P interface{ M() }] interface{ N() }\n":          true,
		"package a\n\ntype T = interface{ M() }\n":                            true,
		"package a\n\ntype (\n\tT interface{ M() }\n)\n":                      true,
		"package a\n\nvar x interface /* of */ { M() }\n":                     true,
		"package a\n\nfunc f() {\n\ttype t interface {\n\t\tM()\n\t}\n}\n":    true,
		"package a\n\ntype T interface{}\n\nvar x interface\n\t{\n\tM()\n}\n": true,
	} {
		if got := Parse("a.go", []byte(src)).MayHaveUnnamedInterface(); got != want {
			t.Errorf("%s: got %v", src, got)
		}
	}
}
