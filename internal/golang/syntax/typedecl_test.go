package syntax

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const typesSource = `package p

// Server serves.
type Server[K comparable, V any] struct {
	// Addr is where.
	Addr, Port string ` + "`json:\"addr,omitempty\"`" + ` // host
	Inner      map[K][]V
	fn         func(
		a int,
	) error
	*pkg.Base[K, *V]
	sync.Mutex
}

type (
	// ReadCloser is both.
	ReadCloser interface {
		Reader
		// Close ends.
		Close() error
		Get(k int) (v string, err error)
	}
	Alias   = *pkg.Base[int]
	Count   int
	Handler func(w int)
	Table   map[string]int
	Grid    [3][]int
	Events  chan<- int
	Ref     *Server[int, int]
	Level   pkg.Level
	Number  *int
)
`

func declared(t *testing.T, f *File, name string) *TypeDecl {
	t.Helper()
	for n := 1; n <= f.Lines(); n++ {
		line := f.Line(n)
		for i := range line {
			if strings.HasPrefix(line[i:], name) {
				if d, ok := f.Type(Position{n, i + 1}); ok && d.Name == name {
					return d
				}
			}
		}
	}
	t.Fatalf("%s is not declared", name)
	return nil
}

func TestStruct(t *testing.T) {
	f := Parse("p.go", []byte(typesSource))
	got := declared(t, f, "Server")
	tag := `json:"addr,omitempty"`
	want := []Member{
		{Name: "Addr", Type: "string", Tag: tag, Doc: "Addr is where.\n", Comment: "host\n", At: Position{6, 2}},
		{Name: "Port", Type: "string", Tag: tag, Doc: "Addr is where.\n", Comment: "host\n", At: Position{6, 8}},
		{Name: "Inner", Type: "map[K][]V", At: Position{7, 2}},
		{Name: "fn", Type: "func(a int) error", At: Position{8, 2}},
		{Name: "Base", Type: "*pkg.Base[K, *V]", Embedded: true, At: Position{11, 2}, Target: Position{11, 7}, Args: []string{"K", "*V"}},
		{Name: "Mutex", Type: "sync.Mutex", Embedded: true, At: Position{12, 2}, Target: Position{12, 7}},
	}
	if diff := cmp.Diff(want, got.Members); diff != "" {
		t.Error(diff)
	}
	if got.Form != Struct || got.Doc != "Server serves.\n" || !cmp.Equal(got.Params, []string{"K", "V"}) || got.At != (Position{4, 6}) {
		t.Errorf("got %+v", got)
	}
	if !strings.HasPrefix(got.Raw, "type Server[K comparable, V any] struct {\n") || !strings.HasSuffix(got.Raw, "\n}") {
		t.Errorf("Raw = %q", got.Raw)
	}
}

func TestInterface(t *testing.T) {
	got := declared(t, Parse("p.go", []byte(typesSource)), "ReadCloser")
	want := []Member{
		{Name: "Reader", Type: "Reader", Embedded: true, At: Position{18, 3}, Target: Position{18, 3}},
		{Name: "Close", Type: "func() error", Doc: "Close ends.\n", At: Position{20, 3}},
		{Name: "Get", Type: "func(k int) (v string, err error)", At: Position{21, 3}},
	}
	if diff := cmp.Diff(want, got.Members); diff != "" || got.Form != Interface || got.Doc != "ReadCloser is both.\n" {
		t.Errorf("%+v\n%s", got, diff)
	}
}

func TestInterfaceOf(t *testing.T) {
	f := Parse("p.go", []byte(typesSource))
	if name, ok := f.InterfaceOf(Position{20, 3}); !ok || name != "ReadCloser" {
		t.Errorf("Close belongs to %q, %v", name, ok)
	}
	anonymous := Parse("p.go", []byte("package p\nvar X interface{ Text() string }\n"))
	if name, ok := anonymous.InterfaceOf(Position{2, 18}); !ok || name != "interface{…}" {
		t.Errorf("Text belongs to %q, %v", name, ok)
	}
	for _, at := range []Position{{6, 2}, {18, 3}, {4, 6}, {1, 1}} {
		if name, ok := f.InterfaceOf(at); ok {
			t.Errorf("%v belongs to %q", at, name)
		}
	}
}

func TestOtherForms(t *testing.T) {
	f := Parse("p.go", []byte(typesSource))
	tests := []struct {
		name, underlying string
		form             Form
		alias, followed  bool
	}{
		{"Alias", "*pkg.Base[int]", Pointer, true, true},
		{"Count", "int", Named, false, false},
		{"Handler", "func(w int)", Func, false, false},
		{"Table", "map[string]int", Map, false, false},
		{"Grid", "[3][]int", Array, false, false},
		{"Events", "chan<- int", Chan, false, false},
		{"Ref", "*Server[int, int]", Pointer, false, true},
		{"Number", "*int", Pointer, false, false},
		{"Level", "pkg.Level", Named, false, true},
	}
	for _, tt := range tests {
		got := declared(t, f, tt.name)
		if got.Form != tt.form || got.Underlying != tt.underlying || got.Alias != tt.alias || (got.Target != Position{}) != tt.followed {
			t.Errorf("%s: got %+v", tt.name, got)
		}
	}
	if _, ok := f.Type(Position{7, 2}); ok {
		t.Error("a field is no type declaration")
	}
}

func TestInstantiate(t *testing.T) {
	tests := []struct{ text, want string }{
		{"map[K][]V", "map[string][]*int"},
		{"func(K K, v *V) pkg.V", "func(K string, v **int) pkg.V"},
		{"struct{K V}", "struct{K *int}"},
		{"chan K", "chan string"},
		{"not a type!", "not a type!"},
	}
	for _, tt := range tests {
		if got := Instantiate(tt.text, []string{"K", "V"}, []string{"string", "*int"}); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
	}
	if got := Instantiate("K", []string{"K"}, nil); got != "K" {
		t.Errorf("without arguments: %s", got)
	}
}

func TestConstants(t *testing.T) {
	f := Parse("p.go", []byte(`package p
// Alone stands alone.
const Alone Color = 1
const (
	// Red is warm.
	Red Color = iota + 1
	_
	Blue // cold
	a, b = pkg.Level(1), "x"
	c, d
)
const other = 3
func f() { const Local Color = 9 }
`))
	want := []Constant{
		{Name: "Alone", Value: "1", Doc: "Alone stands alone.\n", Type: Position{3, 13}, Of: "Color", At: Position{3, 7}},
		{Name: "Red", Value: "iota + 1", Type: Position{6, 6}, Of: "Color", Doc: "Red is warm.\n", At: Position{6, 2}},
		{Name: "Blue", Value: "iota + 1", Iota: 2, Type: Position{6, 6}, Of: "Color", Comment: "cold\n", At: Position{8, 2}},
		{Name: "a", Value: "pkg.Level(1)", Iota: 3, Type: Position{9, 13}, Of: "Level", At: Position{9, 2}},
		{Name: "b", Value: `"x"`, Iota: 3, At: Position{9, 5}},
		{Name: "c", Value: "pkg.Level(1)", Iota: 4, Type: Position{9, 13}, Of: "Level", At: Position{10, 2}},
		{Name: "d", Value: `"x"`, Iota: 4, At: Position{10, 5}},
		{Name: "other", Value: "3", At: Position{12, 7}},
	}
	if diff := cmp.Diff(want, f.Constants()); diff != "" {
		t.Error(diff)
	}
}

func TestFunctions(t *testing.T) {
	f := Parse("p.go", []byte(`package p
// New makes.
func New(a, b int, opts ...Option) (s *Server, err error) { return }
func (s *Server[K]) Clone() map[string][]Server { f := func() Server { panic(0) }; _ = f; return nil }
func Later() func() Server { return nil }
`))
	tests := []struct {
		at     Position
		name   string
		result string
	}{
		{Position{3, 40}, "New", "*Server"},
		{Position{4, 42}, "Server.Clone", "map[string][]Server"},
		{Position{4, 63}, "", ""},
		{Position{5, 21}, "Later", "func() Server"},
		{Position{4, 10}, "", ""},
	}
	for _, tt := range tests {
		fn, result, ok := f.ResultOf(tt.at)
		if fn.Name != tt.name || result != tt.result || ok != (tt.name != "") {
			t.Errorf("%v: got %+v, %q", tt.at, fn, result)
		}
	}
	fn, _, _ := f.ResultOf(Position{3, 40})
	want := Function{Name: "New", Params: []string{"int", "int", "...Option"}, Results: []string{"*Server", "error"}, Doc: "New makes.\n", At: Position{3, 6}}
	if diff := cmp.Diff(want, fn); diff != "" {
		t.Error(diff)
	}
	if m := f.Methods("Server"); len(m) != 1 || m[0].Name != "Server.Clone" {
		t.Errorf("Methods = %+v", m)
	}
}
