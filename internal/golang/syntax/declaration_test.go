package syntax

import "testing"

const declarationsSource = `package p

type T struct {
	A, B int
}

type I interface{ M() }

func F(x int) { y := x; _ = y }

func (t *T) M() {
	switch x {
	case Red, -Blue:
	case p.Green:
	}
	_ = map[Color]string{Red: "red"}
	_ = []Color{Blue}
	use(Red)
}

var v, w = F, 2

const (
	Red = iota
	Blue
)

func TestT(t *testing.T) {}
`

func TestDeclares(t *testing.T) {
	tests := []struct {
		at   Position
		name string
		sort Sort
	}{
		{Position{3, 6}, "T", SortType},
		{Position{4, 5}, "T.B", SortField},
		{Position{7, 19}, "I.M", SortInterfaceMethod},
		{Position{9, 6}, "F", SortFunction},
		{Position{9, 8}, "x", SortVariable},
		{Position{9, 17}, "y", SortVariable},
		{Position{11, 13}, "T.M", SortMethod},
		{Position{21, 8}, "w", SortVariable},
		{Position{25, 2}, "Blue", SortConstant},
		{Position{21, 12}, "", ""},
		{Position{1, 9}, "", ""},
		{Position{2, 1}, "", ""},
	}
	f := Parse("p_test.go", []byte(declarationsSource))
	for _, tt := range tests {
		got, ok := f.Declares(tt.at)
		if got.Name != tt.name || got.Sort != tt.sort || ok != (tt.name != "") {
			t.Errorf("%v: got %+v, %v; want %s %s", tt.at, got, ok, tt.sort, tt.name)
		}
	}
}

func TestOuter(t *testing.T) {
	f := Parse("p_test.go", []byte(declarationsSource))
	for at, want := range map[Position]Decl{
		{4, 7}:   {Name: "T", Sort: SortType, Form: Struct, At: Position{3, 6}},
		{9, 22}:  {Name: "F", Sort: SortFunction, At: Position{9, 6}},
		{13, 7}:  {Name: "T.M", Sort: SortMethod, At: Position{11, 13}},
		{12, 2}:  {Name: "T.M", Sort: SortMethod, At: Position{11, 13}}, // a keyword
		{21, 12}: {Name: "v", Sort: SortVariable, At: Position{21, 5}},
		{28, 15}: {Name: "TestT", Sort: SortFunction, At: Position{28, 6}},
		{1, 9}:   {},
	} {
		got, _ := f.Outer(at)
		if got != want {
			t.Errorf("%v: got %+v, want %+v", at, got, want)
		}
		if got.Tests() != (want.Name == "TestT") {
			t.Errorf("%s: Tests is %v", got.Name, got.Tests())
		}
	}
}

func TestWhole(t *testing.T) {
	f := Parse("p.go", []byte(declarationsSource))
	for at, want := range map[Position]Position{
		{13, 7}:  {12, 2}, // case Red
		{13, 13}: {12, 2}, // case -Blue
		{14, 9}:  {12, 2}, // case p.Green
		{16, 23}: {16, 6}, // a key
		{17, 14}: {17, 6}, // an element
		{18, 6}:  {},
	} {
		if use, ok := f.Use(at); !ok || use.Whole != want {
			t.Errorf("%v is part of %v, want %v", at, use.Whole, want)
		}
	}
}
