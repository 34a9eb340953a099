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
	tests := []struct {
		src    string
		change scout.Change
		want   string
	}{
		{"func @F(a int) {}", detailed(scout.AddParameter, "ctx context.Context, first"), "func F(_ " + u + ", a int) {}"},
		{"func @F(a int) {}", detailed(scout.AddParameter, "opts ...Option"), "func F(a int, _ ..." + u + ") {}"},
		{"func @F(a int) {}", detailed(scout.ChangeSignature, "it becomes F(s string) error, soon"), "func F(s string) error {}"},
		{"func @F(a int) {}", detailed(scout.ChangeSignature, "return another value"), "func F(a int) " + u + " {}"},
		{"func @F(a int) {}", detailed(scout.ChangeSignature, "(somehow"), "func F(_ " + u + ", a int) {}"},
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
		{"func @F() {}", detailed(scout.AddMethod, ""), "! it is not a type"},
		{"type @I interface{}", detailed(scout.AddImplementation, ""), "! compiles"},
		{"var v = @f", detailed(scout.Delete, ""), "! no declaration"},
		{"type S struct{ @a int }", to("int64"), "type S struct{ a int64 }"},
		{"type S struct{ @a int }", to("`map[string] []p.U`"), "type S struct{ a map[string] []U }"},
		{"type S struct{ @a int }", detailed(scout.ChangeType, "from int to *uint8."), "type S struct{ a *uint8 }"},
		{"type S struct{ @a int }", detailed(scout.ChangeType, "something else"), "! \"something else\" is no type"},
		{"type S struct{ @a int }", detailed(scout.ChangeType, ""), "type S struct{ a " + u + " }"},
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
