package edit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/graph"
)

// revised plans a change of what stands behind the @ in src, a file beside other, and returns the text after it.
func revised(t *testing.T, src, other string, c scout.Change) (string, error) {
	t.Helper()
	before, after, _ := strings.Cut(src, "@")
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": before + after, "b.go": other} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	line := strings.Count(before, "\n") + 1
	at := syntax.Position{Line: line, Column: len(before) - strings.LastIndex(before, "\n")}
	files := new(syntax.Files).Read()
	f, err := files.Open(filepath.Join(dir, "a.go"))
	if err != nil {
		return "", err
	}
	subject, ok := SubjectAt(f, at)
	if !ok {
		return "", &graph.Refusal{Reason: "it is no declaration that could be changed"}
	}
	r, err := Of(f, "a.go", at, subject, c, files)
	if err != nil {
		return "", err
	}
	text := syntax.Apply(before+after, plainEdits(r.Edits))
	return strings.Join(append([]string{text}, r.Notes...), "\n! "), nil
}

func plainEdits(edits []lsp.Edit) []syntax.Edit {
	var plain []syntax.Edit
	for _, e := range edits {
		plain = append(plain, syntax.Edit{Start: e.Start, End: e.End, New: e.New})
	}
	return plain
}

func TestGoRevision(t *testing.T) {
	const u = syntax.Unfit
	to := func(typ string) scout.Change {
		return scout.Change{Kind: scout.ChangeType, Terms: scout.Terms{To: typ}}
	}
	detailed := func(kind scout.ChangeKind, detail string) scout.Change {
		return scout.Change{Kind: kind, Detail: detail}
	}
	asked := func(kind scout.ChangeKind, words string, to ...string) scout.Change {
		return scout.Change{Kind: kind, Words: words, Terms: scout.Terms{To: strings.Join(to, "")}}
	}
	tests := []struct {
		src    string
		change scout.Change
		want   string
	}{
		{"func @F(a int) {}", detailed(scout.AddParameter, "ctx context.Context, first"), "func F(_ " + u + ", a int) {}"},
		{"func @F(a int) {}", detailed(scout.AddParameter, "opts ...Option"), "func F(a int, _ ..." + u + ") {}"},
		{"func @F(a int) {}", detailed(scout.ChangeSignature, "it becomes F(s string) error, soon"), "func F(s string) error {}"},
		{"func @F(a int) {}", detailed(scout.ChangeSignature, "return another value"), "func F(a int) " + u + " {}"},
		{"func @F(a int) {}", detailed(scout.ChangeSignature, "(somehow"), "! the new signature is not said"},
		{"func @F(a int) int { return a }", asked(scout.ChangeSignature, "F should be F(a int) uint8, not F(a int) int?"), "! the new signature is not said"},
		{"func @F() string {}", asked(scout.ChangeSignature, "F should return (string, bool)", "string"), "func F() (string, bool) {}"},
		{"func @F() string {}", asked(scout.ChangeSignature, "is F returning string better, or should it return `(string, bool)`?"), "func F() (string, bool) {}"},
		{"func @F() string {}", asked(scout.ChangeSignature, "F returns (string)", "string"), "! it is string already"},
		{"func @F() (int, bool) {}", asked(scout.ChangeSignature, "F returns (int, bool)"), "! its results are (int, bool) already"},
		{"func @F() string {}", asked(scout.ChangeSignature, "F should return a string", "string"), "! it is string already"},
		{"func @F() {}", asked(scout.ChangeSignature, "F should return a bool", "bool"), "func F() bool {}"},
		{"func @F() string {}", asked(scout.ChangeSignature, "let F return a bool too", "bool"), "func F() (string, bool) {}"},
		{"func @F() (s string, err error) {}", asked(scout.ChangeSignature, "F also returns a bool", "bool"), "func F() (s string, _ bool, err error) {}"},
		{"func @F() {}", asked(scout.ChangeSignature, "F(opts ...string) error"), "func F(opts ...string) error {}"},
		{"func @F() {}", asked(scout.AddParameter, "F(opts ...string) error"), "func F(opts ...string) error {}"},
		{"func @F(a, b int) {}", asked(scout.AddParameter, "F(ctx, a, b int)"), "func F(_ " + u + ", a, b int) {}"},
		{"func @F(a, b int) {}", scout.Change{Kind: scout.AddParameter, Terms: scout.Terms{Position: -1}}, "func F(a int, b int, _ " + u + ") {}"},
		{"func @F(a int, b ...int) {}", scout.Change{Kind: scout.AddParameter, Terms: scout.Terms{Position: -1}}, "func F(a int, _ " + u + ", b ...int) {}"},
		{"func @F(n int, verbose bool) {}", detailed(scout.RemoveParameter, "verbose"), "func F(n int) {}"},
		{"func @F(n int, verbose bool) {}", asked(scout.RemoveParameter, "F does without its verbose flag"), "func F(n int) {}"},
		{"func @F(n int, to *T) {}", asked(scout.RemoveParameter, "we need no T to call F"), "func F(n int) {}"},
		{"func @F(n int, s bool) {}", asked(scout.RemoveParameter, "F has a parameter less"), "! which one of n int, s bool is not said"},
		{"func @F(n int, s bool) {}", scout.Change{Kind: scout.RemoveParameter, Terms: scout.Terms{Position: -1}}, "func F(n int) {}"},
		{"func @F() {}", detailed(scout.RemoveParameter, ""), "! there is none of them"},
		{"func @F(n int, s bool) {}", detailed(scout.RetypeParameter, "n int64"), "func F(n int64, s bool) {}"},
		{"func @F(n int) {}", detailed(scout.RetypeParameter, ""), "! the new type is not said"},
		{"func @F(a, b int) {}", asked(scout.ReorderParameters, "swap the parameters"), "func F(b int, a int) {}"},
		{"func @F(a int, b string, c bool) {}", detailed(scout.ReorderParameters, "c, a, b"), "func F(c bool, a int, b string) {}"},
		{"func @F(a int, b string, c bool) {}", asked(scout.ReorderParameters, "swap `a` and `c` of F"), "func F(c bool, b string, a int) {}"},
		{"func @F(a int, b string, c bool) {}", asked(scout.ReorderParameters, "another order"), "! the new order is not said"},
		{"func @F(in int) {}", asked(scout.RenameParameter, "rename the parameter of F"), "func F(inRenamed int) {}"},
		{"func @F(in int) {}", detailed(scout.RenameParameter, "in to source"), "func F(source int) {}"},
		{"func @F(a []int) {}", detailed(scout.MakeVariadic, ""), "func F(a ...int) {}"},
		{"func @F(a ...int) {}", detailed(scout.MakeVariadic, ""), "! it takes any number of arguments already"},
		{"func @F() (int, error) { return 0, nil }", asked(scout.RemoveResult, "F should not return an error any more"), "func F() int { return 0, nil }"},
		{"func (t *T) @F() {}", detailed(scout.ChangeReceiver, ""), "func (t T) F() {}"},
		{"func (t T) @F() {}", asked(scout.ChangeReceiver, "a pointer receiver for F"), "func (t *T) F() {}"},
		{"func (t T) @F() {}", asked(scout.ChangeReceiver, "a value receiver for F"), "! the receiver is T already"},
		{"type @S struct{ a int }", detailed(scout.AddField, "b time.Duration"), "; import time \"time\"\n\ntype S struct{ a int ; b time.Duration }"},
		{"type @S struct {\n\ta int // }\n}", detailed(scout.AddField, ""), "type S struct {\n\ta int // }\n NewField " + u + " }"},
		{"type @S struct{}", detailed(scout.AddMethod, "Close() error"), "type S struct{}\nfunc (S) Close() error { panic(0) }"},
		{"type @S[T any] struct{}", detailed(scout.AddMethod, ""), "type S[T any] struct{}\nfunc (S[_]) NewMethod() { panic(0) }"},
		{"func @F(a int) {}", detailed(scout.MakeGeneric, "[T any](a T)"), "func F[T any](a T) {}"},
		{"func @F(a int) {}", detailed(scout.MakeGeneric, ""), "! the generic signature is not said"},
		{"type @S struct{}", detailed(scout.MakeGeneric, ""), "type S[T any] struct{}"},
		{"type @N int", asked(scout.ChangeType, "make N an alias", "alias"), "type N = int"},
		{"func @F() {}", detailed(scout.Move, "internal/geo"), "func _() {}"},
		{"func @F() int { return 1 }", detailed(scout.ReturnError, ""), "func F() (int, error) { return 1 }"},
		{"type @I interface{}", detailed(scout.AddMethod, "Close() error"), "type I interface{ Close() error }"},
		{"type @I interface{}", detailed(scout.AddMethod, "a way to close it"), "type I interface{ NewMethod(" + u + ") }"},
		{"type @i interface{}", detailed(scout.AddMethod, ""), "type i interface{ newMethod(" + u + ") }"},
		{"type @S struct{ a, b int }", detailed(scout.RemoveField, "S.b"), "type S struct{ a int; _ " + u + " }"},
		{"type @S struct{ a int }", detailed(scout.RemoveField, ""), "! which field of S is not said"},
		{"type S struct{ @a int }", detailed(scout.RemoveField, ""), "type S struct{ _ " + u + " }"},
		{"func @F() {}", detailed(scout.Rename, "to something better"), "func FRenamed() {}"},
		{"func @F() {}", detailed(scout.Rename, "G"), "func G() {}"},
		{"func @F() {}", detailed(scout.Delete, ""), "func _() {}"},
		{"func @F() {}", detailed(scout.AddMethod, ""), "! it is not a type that may have methods"},
		{"type @I interface{}", detailed(scout.AddImplementation, ""), "! compiles"},
		{"var v = @f", detailed(scout.Delete, ""), "! no declaration"},
		{"type S struct{ @a int }", to("int64"), "type S struct{ a int64 }"},
		{"type S struct{ @a int }", to("`map[string] []p.U`"), "type S struct{ a map[string] []U }"},
		{"type S struct{ @a int }", detailed(scout.ChangeType, "from int to *uint8."), "type S struct{ a *uint8 }"},
		{"type S struct{ @a int }", detailed(scout.ChangeType, "something else"), "! \"something else\" is no type"},
		{"type S struct{ @a int }", detailed(scout.ChangeType, ""), "! the new type is not said"},
		{"type S struct{ @a int }", to("func(x ren.T) json.Number"),
			"; import ren \"example.test/m/v2\"; import json \"encoding/json\"\n\ntype S struct{ a func(x ren.T) json.Number }"},
		{"import \"time\"\n\ntype S struct{ @a int }", to("time.Time"), "import \"time\"\n\ntype S struct{ a time.Time }"},
		{"type S struct{ @a int }", to("nowhere.T"), "! \"nowhere.T\" means nothing in a.go"},
	}
	for _, tt := range tests {
		got, err := revised(t, "package p\n\n"+tt.src, "package p\n\nimport ren \"example.test/m/v2\"\n", tt.change)
		var not *graph.Refusal
		if problem, ok := strings.CutPrefix(tt.want, "! "); ok {
			if !errors.As(err, &not) || !strings.Contains(err.Error(), problem) {
				t.Errorf("%s of %s: %q, %v; want a refusal: %s", tt.change.Kind, tt.src, got, err, problem)
			}
			continue
		}
		if !strings.HasPrefix(tt.want, "; ") {
			tt.want = "\n\n" + tt.want
		}
		if want := "package p" + tt.want; got != want || err != nil {
			t.Errorf("%s of %s: %v\n got %s\nwant %s", tt.change.Kind, tt.src, err, got, want)
		}
	}
}

func TestWritten(t *testing.T) {
	for _, tt := range []struct {
		src    string
		change scout.Change
		want   string
	}{
		{"func (c *C) @Name() string { return \"\" }", scout.Change{Kind: scout.ChangeReceiver}, "func (c *C) Name() string → func (c C) Name() string"},
		{"func @F(a int) {}", scout.Change{Kind: scout.AddParameter}, "func F(a int) → func F(new NEW, a int)"},
		{"func @F(a int) {}", scout.Change{Kind: scout.AddParameter, Detail: "ctx context.Context, first"}, "func F(a int) → func F(ctx context.Context, a int)"},
		{"func @F(a ...any) {}", scout.Change{Kind: scout.AddParameter, Detail: "format string"}, "func F(a ...any) → func F(new NEW, a ...any)"},
		{"func @F() int { return 1 }", scout.Change{Kind: scout.ReturnError}, "func F() int → func F() (int, error)"},
		{"type S struct{ @a int }", scout.Change{Kind: scout.ChangeType, Detail: "int64"}, "a int → a int64"},
		{"type S struct{ @a int }", scout.Change{Kind: scout.RemoveField}, "a int → (removed)"},
		{"type @S struct{ a int }", scout.Change{Kind: scout.RemoveField, Detail: "a"}, "type S struct → { … } without a"},
		{"type @S struct{ a int }", scout.Change{Kind: scout.AddField, Detail: "b bool"}, "type S struct → type S struct { …; b bool }"},
		{"type @S struct{ a int }", scout.Change{Kind: scout.AddMethod, Detail: "Close() error"}, "type S struct → type S struct + func (S) Close() error"},
		{"type @I interface{ M() }", scout.Change{Kind: scout.AddMethod}, "type I interface → type I interface { …; NewMethod(NEW) }"},
		{"type @N int", scout.Change{Kind: scout.AddVariant}, "type N int → + const NewN N"},
		{"const @max = 3", scout.Change{Kind: scout.ChangeValue, Terms: scout.Terms{To: "4"}}, "const max = 3 → const max = 4"},
		{"func @F() {}", scout.Change{Kind: scout.Deprecate}, "func F() → // Deprecated: … func F()"},
		{"func @F() {}", scout.Change{Kind: scout.Delete}, "func F() → (deleted)"},
		{"func @F() {}", scout.Change{Kind: scout.Rename, Terms: scout.Terms{To: "G"}}, "func F() → func G()"},
		{"func @F() {}", scout.Change{Kind: scout.Move, Terms: scout.Terms{To: "internal/geo"}}, "func F() → geo.F"},
		{"func @F() {}", scout.Change{Kind: scout.ChangeSignature}, ""},
	} {
		before, after, _ := strings.Cut("package p\n\n"+tt.src+"\n", "@")
		f := syntax.Parse("a.go", []byte(before+after))
		at := syntax.Position{Line: 3, Column: len(before) - strings.LastIndex(before, "\n")}
		s, _ := SubjectAt(f, at)
		if got := Written(f, "a.go", at, s, tt.change, new(syntax.Files).Read()); got != tt.want {
			t.Errorf("%s of %s:\n got %s\nwant %s", tt.change.Kind, tt.src, got, tt.want)
		}
	}
}
