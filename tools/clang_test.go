package tools

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
)

// TestClang asks about testdata/clang.txtar, served by one clangd. The answers are in clang.answers.txtar, each below its
// question.
func TestClang(t *testing.T) {
	shapes := pythonCode{&Code{}}
	shapes.Project, shapes.Root = clangShapes(t)
	answers, err := txtar.ParseFile("testdata/clang.answers.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers.Files {
		if diff := cmp.Diff(string(a.Data), shapes.ask(t, a.Name)+"\n"); diff != "" {
			t.Errorf("%s:\n%s", a.Name, diff)
		}
	}
	// Where the system declares it, and what it does with it there, is its own business.
	out, err := shapes.FindCallers(t.Context(), FindCallersInput{Name: "printf", MaxResults: 50})
	if err != nil || len(out.CallSites) != 1 || out.CallSites[0].Enclosing != "show" {
		t.Errorf("callers of printf: %+v, %v; want one in show", out, err)
	}
}

func clangShapes(t *testing.T) (*lsp.Project, string) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/clang.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "shapes ü")
	for _, file := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var table []lsp.Language
	for _, l := range lsp.Languages() {
		if l.ID == "c" {
			l.Command[0] = lsptest.Program(t, l.Command[0])
			table = append(table, l)
		}
	}
	project, err := lsp.Open(lsp.Options{Root: dir, Languages: table, ReadyBudget: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := project.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return project, dir
}
