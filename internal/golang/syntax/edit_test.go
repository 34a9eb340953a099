package syntax

import (
	"strings"
	"testing"
)

// marked returns src without its @, and where that stood.
func marked(t *testing.T, src string) (string, Position) {
	t.Helper()
	before, after, ok := strings.Cut(src, "@")
	if !ok {
		t.Fatalf("no @ in %q", src)
	}
	line := strings.Count(before, "\n")
	return before + after, Position{line + 1, len(before) - strings.LastIndex(before, "\n")}
}

func TestEdits(t *testing.T) {
	type edit = func(*File, Position) (Revision, error)
	optional, param, remove, drop := (*File).AddOptional, (*File).AddParameter, (*File).RemoveMember, (*File).Delete
	result := func(f *File, at Position) (Revision, error) { return f.AddResult(at, "error") }
	method := func(f *File, at Position) (Revision, error) { return f.AddMethod(at, "M()") }
	rename := func(f *File, at Position) (Revision, error) { return f.Rename(at, "New") }
	to := func(typ string) edit {
		return func(f *File, at Position) (Revision, error) { return f.Retype(at, typ) }
	}
	sign := func(signature string) edit {
		return func(f *File, at Position) (Revision, error) { return f.Signature(at, signature) }
	}
	const u = Unfit
	tests := []struct {
		edit      edit
		src, want string
	}{
		{param, "func @F() {}", "func F(_ " + u + ") {}"},
		{param, "func (t T) @F(a int) {}", "func (t T) F(_ " + u + ", a int) {}"},
		{param, "func @F[T any](\n\ta T,\n) {}", "func F[T any](_ " + u + ", \n\ta T,\n) {}"},
		{param, "func @F(int, ...any) {}", "func F(" + u + ", int, ...any) {}"},
		{param, "type I interface { A(); @B(int) }", "type I interface { A(); B(" + u + ", int) }"},
		{param, "type @F func(x int)", "type F func(_ " + u + ", x int)"},
		{param, "type S struct { @F (func()) }", "type S struct { F (func(_ " + u + ")) }"},
		{param, "var @f func() = func() {}", "var f func(_ " + u + ") = func(_ " + u + ") {}"},
		{param, "var a, @f = 1, func(x int) {}", "var a, f = 1, func(_ " + u + ", x int) {}"},
		{param, "func g() { @f := func() {} }", "func g() { f := func(_ " + u + ") {} }"},
		{param, "type @T struct{}", "it is not declared with parameters of its own"},
		{param, "var @v = f", "it is not declared with parameters of its own"},
		{param, "var @f F = func() {}", "it is not declared with parameters of its own"},
		{param, "var v = @f", "no declaration stands there"},
		{optional, "func @F() {}", "func F(_ ..." + u + ") {}"},
		{optional, "func @F(a int,\n) {}", "func F(a int, _ ..." + u + ",\n) {}"},
		{optional, "func @F(a ...int) {}", "it takes any number of arguments already"},
		{result, "func @F() {}", "func F() error {}"},
		{result, "func @F() int {}", "func F() (int, error) {}"},
		{result, "func @F() (a, b int) {}", "func F() (a, b int, _ error) {}"},
		{result, "func @F() (\n\tint,\n) {}", "func F() (\n\tint, error,\n) {}"},
		{sign("func(s string) (int, error)"), "func @F(a int) {}", "func F(s string) (int, error) {}"},
		{sign("func(s string) (int, error)"), "func (t T) @F(\n\ta int,\n) (x int,\n\ty int) {}", "func (t T) F(s string,\n\n\n) (int, error) {}"},
		{method, "type @I interface{}", "type I interface{ M() }"},
		{method, "type (\n\t@I[T any] interface {\n\t\tA(T)\n\t}\n)", "type (\n\tI[T any] interface { M(); \n\t\tA(T)\n\t}\n)"},
		{method, "type @S struct{}", "it is not declared as an interface"},
		{method, "func @F() {}", "it is not a type"},
		{remove, "type S struct { @a int `tag` }", "type S struct { _ " + u + " }"},
		{remove, "type S struct { a, @b, c int `tag` }", "type S struct { a int `tag`; _ " + u + "; c int `tag` }"},
		{remove, "type S struct { a, @b int }", "type S struct { a int; _ " + u + " }"},
		{remove, "type S struct {\n\t@a struct {\n\t\tb int\n\t} // it\n}", "type S struct {\n\t_ " + u + "\n\n // it\n}"},
		{remove, "type S struct { *p.@T }", "type S struct { _ " + u + " }"},
		{remove, "type S struct { @G[int] }", "type S struct { _ " + u + " }"},
		{remove, "type I interface { @A(int); B() }", "type I interface { interface{}; B() }"},
		{remove, "func @F() {}", "it is not a member of a type"},
		{drop, "type S struct { @a int }", "type S struct { _ " + u + " }"},
		{drop, "func (t *T) @F() {}", "func (t *T) _() {}"},
		{drop, "type @T int", "type _ int"},
		{drop, "const (\n\tA = iota\n\t@B\n)", "const (\n\tA = iota\n\t_\n)"},
		{rename, "func @F() {}", "func New() {}"},
		{rename, "type S struct { a, @b int }", "type S struct { a, New int }"},
		{rename, "type S struct { @T }", "an embedded type is called as its declaration says"},
		{to("[]string"), "type S struct { @a int `tag` }", "type S struct { a []string }"},
		{to("string"), "type S struct { @a, b int }", "type S struct { a string; b int }"},
		{to("*p.U"), "type S struct { *@T }", "type S struct { *p.U }"},
		{to("[]U"), "type S struct { p.@T }", "type S struct { T []U }"},
		{to("int"), "type @T struct {\n\ta int\n}", "type T int\n\n"},
		{to("string"), "var @a int = 1", "var a string = 1"},
		{to("string"), "var @a = 1", "var a string = 1"},
		{to("string"), "var a, @b int", "var a int; var b string"},
		{to("string"), "var (\n\t@a, b int\n)", "var (\n\ta string; b int\n)"},
		{to("string"), "var @a, b = f()", "it is declared together with other names"},
		{to("string"), "func @F() {}", "it is not declared with a type of its own"},
		{to("string"), "type I interface { @M() }", "a member of an interface has no type of its own"},
		{to("int int"), "var @a int", "the result would not parse"},
	}
	for _, tt := range tests {
		src, at := marked(t, "package p\n\n"+tt.src)
		f := Parse("p.go", []byte(src))
		r, err := tt.edit(f, at)
		got := strings.TrimPrefix(Apply(src, r.Edits), "package p\n\n")
		if err != nil {
			got = err.Error()
			if !strings.Contains(got, tt.want) {
				t.Errorf("%s: %s, want %s", tt.src, got, tt.want)
			}
			continue
		}
		if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

func TestEditKeepsLines(t *testing.T) {
	src, at := marked(t, "package p // of it\n\ntype S struct {\n\t@f func(\n\t\tint,\n\t) // here\n\tg int\n}\n")
	f := Parse("p.go", []byte(src))
	imported, err := f.Import("q", "x/q")
	if err != nil {
		t.Fatal(err)
	}
	retyped, err := f.Retype(at, "q.T")
	if err != nil {
		t.Fatal(err)
	}
	want := "package p; import q \"x/q\" // of it\n\ntype S struct {\n\tf q.T\n\n // here\n\tg int\n}\n"
	if got := Apply(src, append(retyped.Edits, imported.Edits...)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEditOwnErrors(t *testing.T) {
	src, at := marked(t, "package p\n\nfunc @F() int {\n\treturn 1\n}\n")
	f := Parse("p.go", []byte(src))
	if r, err := f.AddResult(at, "error"); err != nil || r.From != (Position{3, 14}) || r.To != (Position{5, 2}) {
		t.Errorf("a result: %+v, %v; want the body to be its own", r, err)
	}
	if r, err := f.Delete(at); err != nil || r.From != (Position{3, 1}) || r.To != (Position{5, 2}) {
		t.Errorf("deleted: %+v, %v; want the declaration to be its own", r, err)
	}
	if r, err := f.AddParameter(at); err != nil || r.From != (Position{}) {
		t.Errorf("a parameter: %+v, %v; want a call in the body to count", r, err)
	}
}

func TestRenameUse(t *testing.T) {
	src, at := marked(t, "package p\n\nvar v q.@T\n")
	f := Parse("p.go", []byte(src))
	edit, ok := f.RenameUse(at, "New")
	if got := Apply(src, []Edit{edit}); !ok || got != "package p\n\nvar v q.New\n" {
		t.Errorf("got %q, %v", got, ok)
	}
	if _, ok := f.RenameUse(Position{1, 1}, "New"); ok {
		t.Error("a keyword is no use of a name")
	}
}
