package syntax

import (
	"fmt"
	"strings"
	"testing"
)

func TestDeclarations(t *testing.T) {
	f := Parse("a.go", []byte(`package p

const A, B = 1, 2

type T[K any] struct {
	x, y int
	Other
	z struct{ no int }
}

func (t *T[K]) M(p int) {
	type local struct{ in int }
	var no int
	f := func() { type deep interface{ N() } }
}

var V = func() { var no int }
`))
	var got []string
	for _, d := range f.Declarations() {
		got = append(got, fmt.Sprintf("%s %s %d", d.Name, d.Sort, d.At.Line))
	}
	want := `A constant 3
B constant 3
T type 5
T.x field 6
T.y field 6
T.z field 8
T.M method 11
T.M.local type 12
T.M.local.in field 12
T.M.deep type 14
T.M.deep.N interface method 14
V variable 17`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s", s)
	}
}
