package clang

import (
	"os"
	"testing"

	"tidepool/internal/lexer"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
)

// What the text says for certain to be declared is what the server lists, and in functions the text says of nothing that it is.
func TestDeclaredAgreesWithServer(t *testing.T) {
	for _, name := range []string{"hardclang", "clang"} {
		archive, err := os.ReadFile(toolstest.Testdata(name + ".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			project := toolstest.Serve(t, dir, "c", string(archive)).Project
			if err := project.WaitReady(t.Context()); err != nil {
				t.Fatal(err)
			}
			view, err := project.View(t.Context(), lsp.ViewOptions{})
			if err != nil {
				t.Fatal(err)
			}
			q := new(query.Memory).Query(view, dir, func(string) query.Language { return Language().Language })
			certain := 0
			for _, path := range view.Sources("") {
				certain += declaredIn(t, q, path)
			}
			if certain == 0 {
				t.Error("nothing is certain")
			}
		})
	}
}

// declaredIn compares for each name in a file, and counts those of which the text says that they are declared.
func declaredIn(t *testing.T, q *query.Query, path string) (certain int) {
	t.Helper()
	f, err := open(q.Lexed, path)
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := q.Outline(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range f.Tokens() {
		if name.Kind() != lexer.Name || name.Is("inactive") {
			continue
		}
		line, column := name.Position()
		at := lsp.At(path, line, column)
		declares, sure := surelyDeclares(q, at, name, useOf(name))
		_, listed := declaredAt(symbols, at.Range.Start)
		if sure && declares != listed && (declares || q.Inside(at) != "") {
			t.Errorf("%s:%d: %s is declared: %t, and by the server: %t", q.Relative(path), line, name.Text(), declares, listed)
		}
		if sure && declares {
			certain++
		}
	}
	return certain
}
