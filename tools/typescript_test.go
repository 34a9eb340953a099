package tools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
)

// TestTypeScript asks the questions of testdata/typescript.answers.txtar about testdata/typescript.txtar, served by one
// tsserver. Run it with -update to write the answers anew, and read each line that changes.
func TestTypeScript(t *testing.T) {
	code := openTypeScript(t)
	path := "testdata/typescript.answers.txtar"
	answers, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, answer := range answers.Files {
		got := askTypeScript(t, code, answer.Name) + "\n"
		if diff := cmp.Diff(string(answer.Data), got); diff != "" && !*update {
			t.Errorf("%s:\n%s", answer.Name, diff)
		}
		answers.Files[i].Data = []byte(got)
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(answers), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func openTypeScript(t *testing.T) *Code {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/typescript.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "zoo ü")
	for _, file := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var served []lsp.Language
	for _, l := range lsp.Languages() {
		if l.ID == "typescript" {
			l.Command[0] = lsptest.Program(t, l.Command[0])
			served = append(served, l)
		}
	}
	project, err := lsp.Open(lsp.Options{Root: dir, Languages: served, ReadyBudget: time.Minute})
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
	return &Code{Project: project, Root: dir}
}

// askTypeScript puts a question as it stands before its answer: "find_callers Animal.eat".
func askTypeScript(t *testing.T, code *Code, question string) string {
	t.Helper()
	tool, name, _ := strings.Cut(question, " ")
	var out interface{ Text() string }
	var err error
	switch tool {
	case "find_callers":
		out, err = code.FindCallers(t.Context(), FindCallersInput{Name: name, MaxResults: 50})
	case "show_fields":
		out, err = code.ShowFields(t.Context(), ShowFieldsInput{TypeName: name})
	case "show_constructors":
		out, err = code.ShowConstructors(t.Context(), ShowConstructorsInput{TypeName: name})
	default:
		return typescriptEdges(t, code, name)
	}
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return out.Text()
}

// typescriptEdges writes the edges from what a name means, one to a line.
func typescriptEdges(t *testing.T, code *Code, name string) string {
	t.Helper()
	q, err := code.inquire(t.Context(), Wait{})
	if err != nil {
		t.Fatal(err)
	}
	g := &graph{inquiry: *q}
	nodes, err := g.Resolve(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, n := range nodes {
		edges, err := g.Edges(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edges {
			line := fmt.Sprintf("%s: %s in %s", e.To.Location(), e.Role, e.To.Name)
			if e.Reason != "" {
				line += " (" + e.Reason + ")"
			}
			if e.Test {
				line += " [test]"
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
