package syntax

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The operand's type is told where a function leaves no doubt about it, also in a file that is too large to be parsed for a question.
func TestOperand(t *testing.T) {
	for statement, want := range map[string]string{
		"func (t T) F() { t.M() }":                                                                 "T",
		"func (t *T) F() { t.M() }":                                                                "T",
		"func (t *T[K]) F() { t.M() }":                                                             "T",
		"func F(a int, t *T) { t.M() }":                                                            "T",
		"func F() { g(func(t T) { t.M() }) }":                                                      "T",
		"func F() { t := &T{a: 1}; t.M() }":                                                        "T",
		"func F() { t, u := T{}, 1; t.M() }":                                                       "T",
		"func F() { var t *T; go func() { t.M() }() }":                                             "T",
		"func F() { if t := (T{}); true { t.M() } }":                                               "T",
		"func F(t p.T) { t.M() }":                                                                  "p.T",
		"func F() { T{}.M() }":                                                                     "T",
		"func F() { (&T{}).M() }":                                                                  "T",
		"func F() { t := v.(*T); t.M() }":                                                          "T",
		"func F() { t, ok := v.(p.T); t.M() }":                                                     "p.T",
		"func F() { t := g(); t.M() }":                                                             "g()",
		"func F() { t, err := g(); t.M() }":                                                        "g()",
		"func F() { n, t := g(); t.M() }":                                                          "g()#1",
		"func F() { var n, t = g(); t.M() }":                                                       "g()#1",
		"func F() { t := g[int](); t.M() }":                                                        "g()",
		"func F() { p.G().M() }":                                                                   "p.G()",
		"func (s *S) F() { s.t.M() }":                                                              "S/t",
		"func (s *S) F() { s.t.u.M() }":                                                            "S/t/u",
		"func (s *S) F() { s.g().M() }":                                                            "S/g()",
		"func (s *S) F() { r, t := s.g(1); t.M() }":                                                "S/g()#1",
		"func F() { s := p.G(); t := s.t.g(); t.M() }":                                             "p.G()/t/g()",
		"func F() { if true { t := T{} }; t.M() }":                                                 "t.", // another t
		"func F() { { var t T }; t.M() }":                                                          "t.",
		"func F() { t.M(); t := T{} }":                                                             "t.",
		"func F() { for { t.M(); t := g() } }":                                                     "t.",
		"func F() { var t = s.g(); s := S{}; t.M() }":                                              "s.g()",
		"func F() { g(func(t T) {}); t.M() }":                                                      "t.",
		"func F(t T) { type T interface{ M() }; t.M() }":                                           "T",
		"func F(g int) { t := g(); t.M() }":                                                        "",
		"func F(p T) { p.g().M() }":                                                                "T/g()",
		"func F(p int, t p.T) { t.M() }":                                                           "p.T",
		"func F[T I](t T) { t.M() }":                                                               "",
		"func (t *G[T]) F(u T) { u.M() }":                                                          "",
		"func F(t ...T) { t.M() }":                                                                 "[]T",
		"func F(t **T) { t.u.M() }":                                                                "",
		"func F() { t := []T{}; t.M() }":                                                           "[]T",
		"func F() { t := all[0]; t.M() }":                                                          "",
		"func F() { t := <-c; t.M() }":                                                             "",
		"func F() { t, ok := all[0]; t.M() }":                                                      "",
		"func F() { t := func() T { return T{} }(); t.M() }":                                       "",
		"func F() { switch t := v.(type) { case T: t.M() } }":                                      "",
		"func F() { for _, t := range all { t.M() } }":                                             "",
		"func F() { select { case t := <-c: t.M() } }":                                             "",
		"func F() { t.M() }":                                                                       "t.",
		"func F(t T) { t, err := g(); t.M() }":                                                     "T", // one scope
		"func F() { t := T{}; t, err := g(); t.M() }":                                              "T",
		"func F(t T) { if t, err := g(); true { t.M() } }":                                         "g()",
		"func F(t T) { if t, err := g(); true {}; t.M() }":                                         "T",
		"func F(t T) { for t := g(); ; { t.M() } }":                                                "g()",
		"func F(t T) { switch t := g(); t { default: t.M() } }":                                    "g()",
		"func F(t T) { switch { case a: t := g(); default: t.M() } }":                              "T",
		"func F(t T) { switch { default: t := g(); t.M() } }":                                      "g()",
		"func F(t T) { g(func(t U) { t.M() }) }":                                                   "U",
		"func F(t T) { g(func(t U) { }, t.M()) }":                                                  "T",
		"func F(t T) { for t := range t.all { }; t.M() }":                                          "T",
		"func F(t T) { for _, t := range t.M() { } }":                                              "T",
		"func F(t T) { for _, t := range all { t.M() } }":                                          "",
		"func F(t T) { switch t := t.u.(type) { default: t.M() } }":                                "",
		"func F(t T) { select { case t := <-c: t.M() } }":                                          "",
		"func F(t T) { select { case c <- 1: t := g(); t.M(); case d <- 2: } }":                    "g()",
		"func F(t T) { l: t := g(); t.M() }":                                                       "T",
		"func F() { l: t := g(); t.M() }":                                                          "g()",
		"func F() { const t = 1; t.M() }":                                                          "",
		"func F() { type t struct{}; t.M() }":                                                      "",
		"func F() { type T struct{}; t := T{}; t.M() }":                                            "",
		"func F() { t := T{}; type T struct{}; t.M() }":                                            "T",
		"func (t *T[K, L]) F(u K, v L) { v.M() }":                                                  "",
		"func F(t ...T) { t[0].M() }":                                                              "T",
		"func F(t *[4]T) { t[0].M() }":                                                             "T",
		"func F(t []T) { t[1:][0].M() }":                                                           "T",
		"func F(t []T) { u := t[1:]; for _, v := range u { v.M() } }":                              "T",
		"func F(t map[string][]T) { for _, u := range t[a] { u.M() } }":                            "T",
		"func F(t map[string]*p.T) { u, ok := t[a]; u.M() }":                                       "p.T",
		"func F() { for _, t := range g() { t.M() } }":                                             "g()[]",
		"func F() { t, ok := p.G()[0]; t.M() }":                                                    "p.G()[]",
		"func (s S) F() { s.all[0][1].M() }":                                                       "S/all[][]",
		"func (s S) F() { for _, t := range s.all[1:] { t.u.M() } }":                               "S/all[]/u",
		"func F(t []T) { for t := range t { t.M() } }":                                             "",
		"func F[T any](t []T) { t[0].M() }":                                                        "",
		"func F() { for _, c := range []struct{ t T }{} { c.t.M() } }":                             "T",
		"func F() { all := map[string]struct{ t *p.T }{}; for _, c := range all { c.t.M() } }":     "p.T",
		"func F() { type c struct{ t T }; all := []*c{}; all[0].t.M() }":                           "T",
		"func F() { type c = []struct{ t []T }; var all c; for _, c := range all[0].t { c.M() } }": "T",
		"func F() { type T struct{ t U }; var all T; all.t.M() }":                                  "U",
		"func F(c *struct{ T }) { c.T.M() }":                                                       "T",
		"func F(c struct{ T }) { c.t.M() }":                                                        "",
		"func F(c struct{ all [2]struct{ t T } }) { (&c.all[0]).t.M() }":                           "T",
		"func F() { type T *T; var t T; t.u.M() }":                                                 "", // a circle
		"func F() { type T []T; var t T; t[0][0].M() }":                                            "",
		"func F() (t T) { return t.M() }":                                                          "T",
		"var v = func(t T) { t.M() }":                                                              "T",
		"var v = t.M()":                                                                            "t.",
	} {
		for _, padding := range []string{"", strings.Repeat("// padding\n", partFrom/10)} {
			src := "package a\n" + statement + "\n" + padding
			at := Position{2, strings.LastIndex(statement, ".M()") + 2}
			typing, ok := Parse("a.go", []byte(src)).Operand(at)
			if got := spelled(typing); got != want || ok != (want != "") {
				t.Errorf("%s: got %q, %t, want %q", statement, got, ok, want)
			}
		}
	}
}

// spelled writes a typing as "p.F()#1/field", one of slices as "[]T", one of elements as "F()[]".
func spelled(t *Typing) string {
	if t == nil {
		return ""
	}
	text := t.Name
	if t.Package != "" {
		text = t.Package + "." + text
	}
	if t.Of != nil {
		text = spelled(t.Of) + "/" + text
	}
	if t.Called {
		text += "()"
	}
	if t.Result > 0 {
		text += fmt.Sprint("#", t.Result)
	}
	return strings.Repeat("[]", max(t.Depth, 0)) + text + strings.Repeat("[]", max(-t.Depth, 0))
}

// A field of a struct that a function writes out is told from methods.
func TestOwnField(t *testing.T) {
	for statement, want := range map[string]bool{
		"func F(c struct{ M int }) { c.M() }":                               true,
		"func F(c *struct{ a, M int }) { c.M() }":                           true,
		"func F(c struct{ p.M }) { c.M() }":                                 true,
		"func F() { for _, c := range []struct{ M int }{} { c.M() } }":      true,
		"func F() { type c struct{ M int }; (&c{}).M() }":                   true,
		"func F() { type c struct{ d struct{ M int } }; c{}.d.M() }":        true,
		"func F(c struct{ m int }) { c.M() }":                               false,
		"func F(c struct{ T }) { c.M() }":                                   false, // T's, whatever it is
		"func F(c interface{ M() }) { c.M() }":                              false,
		"func F(c T) { c.M() }":                                             false,
		"func F() { for c := range map[struct{ M int }]T{} { c.M() } }":     false,
		"func F(c struct{ M int }) { { var c T; c.M() } }":                  false,
		"func F(c struct{ M int }) { go func(c T) { c.M() }(T{}) }":         false,
		"type T struct { M int }; func (t T) F() { t.M() }":                 false,
		"func F() { type c struct{ M int }; { type c T; var x c; x.M() } }": false,
	} {
		f := Parse("a.go", []byte("package a\n"+statement+"\n"))
		if got := f.OwnField(Position{2, strings.LastIndex(statement, ".M()") + 2}); got != want {
			t.Errorf("%s: %t", statement, got)
		}
	}
}

func TestUnderlying(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\ntype (\n\tA []T\n\tB = map[string][]*p.T\n\tC[K any] [2]Box[K]\n\tD[K any] []K\n\tE struct{}\n\tF []struct{}\n)\n"))
	for i, want := range []string{"[]T", "[][]p.T", "[]Box", "", "", ""} {
		typing, ok := f.Underlying(Position{4 + i, 2})
		if got := spelled(typing); got != want || ok != (want != "") {
			t.Errorf("type %c: got %q, %t, want %q", 'A'+i, got, ok, want)
		}
	}
}

func TestResultTyping(t *testing.T) {
	f := Parse("a.go", []byte(`package a

func F() (n, m int, t *p.T, err error) { return }

func (s S) G(x T) T { return x }

func H[T any](x T) (T, *Box[T]) { return x, nil }

func I() {}

type J interface {
	K() (S, error)
}
`))
	for _, of := range []struct {
		at     Position
		result int
		want   string
	}{
		{Position{3, 6}, 1, "int"}, {Position{3, 6}, 2, "p.T"}, {Position{3, 6}, 3, "error"}, {Position{3, 6}, 4, ""},
		{Position{5, 12}, 0, "T"}, {Position{7, 6}, 0, ""}, {Position{7, 6}, 1, "Box"}, {Position{9, 6}, 0, ""},
		{Position{12, 2}, 0, "S"}, {Position{12, 3}, 1, "error"}, {Position{2, 1}, 0, ""},
	} {
		typing, ok := f.ResultTyping(of.at, of.result)
		if got := spelled(typing); got != of.want || ok != (of.want != "") {
			t.Errorf("result %d at %v: got %q, %t, want %q", of.result, of.at, got, ok, of.want)
		}
	}
}

func TestFieldTyping(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\ntype T[K any] struct {\n\ta, U *U\n\tk K\n\t*p.Inner\n\tf func()\n}\n\ntype V = T[int]\n"))
	for name, want := range map[string]string{"a": "U", "U": "U", "k": "", "Inner": "p.Inner", "f": "", "g": ""} {
		typing, ok := f.FieldTyping(Position{3, 6}, name)
		if got := spelled(typing); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %t, want %q", name, got, ok, want)
		}
	}
	if typing, ok := f.FieldTyping(Position{10, 6}, "a"); ok {
		t.Errorf("a type of another form has a field of %q", spelled(typing))
	}
}

func TestTypeTyping(t *testing.T) {
	for line, want := range map[string]string{
		"type S struct {\n\tT\n}":                "T",
		"type S struct {\n\t*p.T\n}":             "p.T",
		"type S = T":                             "T",
		"type S[K any] T[K]":                     "T",
		"func (t *T[K]) M() {}":                  "T",
		"func (t T) M() {}":                      "T",
		"func F() { type X int; type S = T }":    "T",
		"func F() { type T int; type S = T }":    "",
		"type S[T any] struct {\n\tof T\n}":      "",
		"func F(p int) { type S struct{ p.T } }": "",
		"type T int":                             "",
	} {
		src := "package a\n\n" + line + "\n"
		before := src[:strings.LastIndex(src, "T")]
		at := Position{strings.Count(before, "\n") + 1, len(before) - strings.LastIndex(before, "\n")}
		typing, ok := Parse("a.go", []byte(src)).TypeTyping(at)
		if got := spelled(typing); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %t, want %q", line, got, ok, want)
		}
	}
}

func TestImported(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\nimport (\n\t\"m/p\"\n\t\"m/q/v2\"\n\tr \"m/s\"\n)\n"))
	for name, want := range map[string]string{"p": "m/p", "q": "m/q/v2", "r": "m/s given", "s": "", "t": ""} {
		path, given := f.Imported(name)
		if given {
			path += " given"
		}
		if path != want {
			t.Errorf("%s: got %q, want %q", name, path, want)
		}
	}
}

func TestDeclaredNamed(t *testing.T) {
	f := Parse("a.go", []byte("package a\n\nfunc F() { F() }\n\ntype T struct{ F int }\n\n// func F, type T\nfunc (t T) F() {}\n\nfunc G() {\n\ttype T int\n}\n"))
	if got := f.FuncsNamed("F"); len(got) != 1 || got[0] != (Position{3, 6}) {
		t.Errorf("functions at %v", got)
	}
	if got := f.TypesNamed("T"); len(got) != 1 || got[0] != (Position{5, 6}) {
		t.Errorf("types at %v", got)
	}
}

func TestMethodsNamed(t *testing.T) {
	f := Parse("a.go", []byte(`package a

func (t *T[K]) M() {}

// func (d D) M() {}
func (u U) M(v T) { u.M(v) }

func M() {}

type I interface {
	M()
	// M(
}

type S struct {
	of interface {
		M()
	}
}

func G() {
	type L interface {
	M()
	}
	M()
	var M = 1
}

const (
	M(
`))
	got := f.MethodsNamed("M")
	if len(got) != 3 || got["T"] != (Position{3, 16}) || got["U"] != (Position{6, 12}) || got["I"] != (Position{11, 2}) {
		t.Errorf("got %v", got)
	}
}

// Of a large file the text says which type declares a method, and what looks like a method and is none.
func TestMethodsNamedInALargeFile(t *testing.T) {
	f := Parse("a.go", []byte("package a\n"+strings.Repeat("// padding\n", partFrom/10)+`
// M is documented.
func (t *T) M() {}

func (U) M() {}

func (*V) M() {}

func (g G[K]) M() {}

/* func (x X) M() {} */
func (w W) M() { _ = 1 }

const text = `+"`\nfunc (d D) M() {}\n`"+`

func (e E) M[K any]() {}

func (h H) N() {
	func (i I) M() {}
}
`))
	var names []string
	for name := range f.MethodsNamed("M") {
		names = append(names, name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "G T U V W" && got != "E G T U V W" {
		t.Errorf("methods of %s", got)
	}
}

// The receiver is told without parsing where nothing can declare its name again.
func TestReceiverOperand(t *testing.T) {
	for text, want := range map[string]string{
		"// F is documented.\nfunc (t *T) F() { return t.M() }": "T",
		"func (t T) F(n int) { t.a(); tt := t.b; t.M() }":       "T",
		"func (größe T) F() { größe.M() }":                      "T",
		"func (t *T) F() { t.M()":                               "",
		"func (t *T) F(t int) { t.M() }":                        "",
		"func (t *T) F() { t := 1; t.M() }":                     "",
		"func (t *T) F() { var t, u int; t.M() }":               "",
		"func (t *T) F() { g(func(t U) { t.M() }) }":            "",
		"func (t *T) F() { x.t.M() }":                           "",
		"func (t *T) F() { at.M() }":                            "",
		"func (t *T) F() { t().M() }":                           "",
		"func (t T[K]) F() { t.M() }":                           "",
		"func (T) F() { T.M() }":                                "",
		"func (_ T) F() { _.M() }":                              "",
		"func F(t T) { t.M() }":                                 "",
		"func (t *T) F() {}\n\nvar v = t.M()":                   "",
	} {
		f := Parse("a.go", []byte("package a\n"+text+"\n\n"+strings.Repeat("// padding\n", partFrom/10)))
		line := 2 + strings.Count(text[:strings.LastIndex(text, ".M()")], "\n")
		at := Position{line, strings.LastIndex(f.Line(line), ".M()") + 2}
		if got, ok := f.ReceiverOperand(at); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %t", text, got, ok)
		}
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
		"type S struct {\n\tT // why\n}":   true,
		"type S struct{ p.T }":             true,
		"type S (T)":                       true,
		"type S = (*T)":                    true,
		"type S[K any] T":                  true,
		"type S[K any]T":                   true,
		"type S map[string]T":              true,
		"type (\n\tT = S\n)":               true,
		"type S []T":                       false,
		"type S []*T":                      false,
		"type S map[string]*T":             false,
		"type S *T":                        false,
		"func f() {\n\tT, err := g()\n}":   false,
		"func f() {\n\tT.M()\n}":           false,
		"// see &S{T}":                     false,
	} {
		f := Parse("a.go", []byte("package a\n\n"+line+"\n"))
		if got := f.MayMake("T"); got != want {
			t.Errorf("%s: %t, want %t", line, got, want)
		}
		if strings.HasPrefix(line, "//") || want && regexp.MustCompile(`(type|\t)\s*T.* = `).MatchString(line) { // it gives a name to another type
			continue
		}
		if got := slices.ContainsFunc(f.words("T"), f.MayMakeAt); got != want {
			t.Errorf("%s: %t at a place, want %t", line, got, want)
		}
	}
	for _, at := range []Position{{}, {0, 1}, {1, 0}, {1, 99}, {5, 1}} {
		if Parse("a.go", []byte("package a\n\ntype S T\n")).MayMakeAt(at) {
			t.Errorf("%v is no place", at)
		}
	}
}

func TestMembersByText(t *testing.T) {
	f := Parse("a.go", []byte(`package a

type S struct {
	a, b int
	*p.E
	T[int]
}

type I interface {
	error
	p.J
	M()
}

type U interface{ ~int | ~string }

type N interface{ M() }
`))
	var fields []string
	for _, name := range []string{"a", "b", "E", "T", "p", "int", "S"} {
		if f.HasField(Position{3, 6}, name) {
			fields = append(fields, name)
		}
	}
	if got := strings.Join(fields, " "); got != "a b E T" {
		t.Errorf("fields %s", got)
	}
	for line, want := range map[int]string{3: "no", 9: "error p.J", 15: "no", 17: ""} {
		all, ok := f.Embedding(Position{line, 6})
		var names []string
		for _, one := range all {
			names = append(names, spelled(one))
		}
		if got := strings.Join(names, " "); ok && got != want || ok == (want == "no") {
			t.Errorf("line %d embeds %q, %t; want %s", line, got, ok, want)
		}
	}
}

// Whether a file declares a type is seen however that is written.
func TestDeclaresType(t *testing.T) {
	for text, want := range map[string]bool{
		"type error struct{}":                     true,
		"type error = string":                     true,
		"type (\n\ta int\n\terror interface{}\n)": true,
		"type (a int; error int)":                 true,
		"type ( error int )":                      true,
		"type\nerror int":                         true,
		"type /* which */ error int":              true,
		"func f() { type error int }":             true,
		"type I interface {\n\terror\n}":          false,
		"func f(\n\terror int,\n) error":          false,
		"var x error":                             false,
		"// type error int":                       false,
		"const s = `\ntype error int\n`":          false,
		"func f() (error, int)":                   false,
		"type f func(error) int":                  false,
		"type terror int":                         false,
	} {
		for _, padding := range []string{"", strings.Repeat("// padding\n", partFrom/10)} {
			if got := Parse("a.go", []byte("package a\n\n"+text+"\n"+padding)).DeclaresType("error"); got != want {
				t.Errorf("%s: %t", text, got)
			}
		}
	}
}
