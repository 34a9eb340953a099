package syntax

import (
	"strings"
	"testing"
)

// The operand's type is told where a function leaves no doubt about it, also in a file that is too large to be parsed for a question.
func TestOperandType(t *testing.T) {
	for statement, want := range map[string]string{
		"func (t T) F() { t.M() }":                            "T",
		"func (t *T) F() { t.M() }":                           "T",
		"func (t *T[K]) F() { t.M() }":                        "T",
		"func F(a int, t *T) { t.M() }":                       "T",
		"func F() { g(func(t T) { t.M() }) }":                 "T",
		"func F() { t := &T{a: 1}; t.M() }":                   "T",
		"func F() { t, u := T{}, 1; t.M() }":                  "T",
		"func F() { var t *T; go func() { t.M() }() }":        "T",
		"func F() { if t := (T{}); true { t.M() } }":          "T",
		"func F() { if true { t := T{} }; t.M() }":            "", // another t
		"func F() { { var t T }; t.M() }":                     "",
		"func F() { t.M(); t := T{} }":                        "",
		"func F() { g(func(t T) {}); t.M() }":                 "",
		"func F(t T) { t := t.u; t.M() }":                     "",
		"func F(t T) { type T interface{ M() }; t.M() }":      "",
		"func F[T I](t T) { t.M() }":                          "",
		"func (t *G[T]) F(u T) { u.M() }":                     "",
		"func F(t ...T) { t.M() }":                            "",
		"func F(t p.T) { t.M() }":                             "",
		"func F(t **T) { t.u.M() }":                           "",
		"func F() { t := g(); t.M() }":                        "",
		"func F() { t := []T{}; t.M() }":                      "",
		"func F() { switch t := v.(type) { case T: t.M() } }": "",
		"func F() { for _, t := range all { t.M() } }":        "",
		"var v = t.M()":                                       "",
	} {
		for _, padding := range []string{"", strings.Repeat("// padding\n", partFrom/10)} {
			src := "package a\n" + statement + "\n" + padding
			at := Position{2, strings.LastIndex(statement, ".M()") + 2}
			name, ok := Parse("a.go", []byte(src)).OperandType(at)
			if name != want || ok != (want != "") {
				t.Errorf("%s: got %q, %t, want %q", statement, name, ok, want)
			}
		}
	}
}

func TestMethodsNamed(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\nfunc (t *T[K]) M() {}\n\n// func (d D) M() {}\nfunc (u U) M(v T) { u.M(v) }\n\nfunc M() {}\n\ntype I interface{ M() }\n"))
	got := f.MethodsNamed("M")
	if len(got) != 2 || got["T"] != (Position{3, 16}) || got["U"] != (Position{6, 12}) {
		t.Errorf("got %v", got)
	}
}

// What may be made of a type is told from the text: too much rather than too little.
func TestMayMake(t *testing.T) {
	for line, want := range map[string]bool{
		"type S struct { T }":              true,
		"type S struct {\n\t*p.T `tag`\n}": true,
		"type S struct {\n\tT[int]\n}":     true,
		"type S struct { a int; T }":       true,
		"type S T":                         true,
		"type S = p.T":                     true,
		"type T = S":                       true,
		"type T[K any] = S[K]":             true,
		"type (\n\tS T\n)":                 true,
		"type (\n\tS = *T\n)":              true,
		"type T struct{ a int }":           false,
		"type S struct {\n\tt T\n}":        false,
		"type S struct {\n\tt *T\n}":       false,
		"func F(t *T) *T { return &T{} }":  false,
		"// T is what F takes.":            false,
		"type S struct {\n\tTs\n}":         false,
		"func (t *T) M() {}":               false,
	} {
		if got := Parse("a.go", []byte("package a\n\n"+line+"\n")).MayMake("T"); got != want {
			t.Errorf("%s: %t, want %t", line, got, want)
		}
	}
}
