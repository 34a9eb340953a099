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

// TestPython asks about testdata/python.txtar, served by one pyright. The answers are in python.answers.txtar, each
// below its question.
func TestPython(t *testing.T) {
	zoo := pythonZoo(t)
	answers, err := txtar.ParseFile("testdata/python.answers.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers.Files {
		if diff := cmp.Diff(string(a.Data), zoo.ask(t, a.Name)+"\n"); diff != "" {
			t.Errorf("%s:\n%s", a.Name, diff)
		}
	}
}

type pythonCode struct{ *Code }

func pythonZoo(t *testing.T) pythonCode {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/python.txtar")
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
	var table []lsp.Language
	for _, l := range lsp.Languages() {
		if l.ID == "python" {
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
	return pythonCode{&Code{Project: project, Root: dir}}
}

// ask puts a question as it stands before an answer: "find_callers zoo.feed".
func (z pythonCode) ask(t *testing.T, question string) string {
	t.Helper()
	tool, name, _ := strings.Cut(question, " ")
	var out interface{ Text() string }
	var err error
	switch tool {
	case "find_callers":
		out, err = z.FindCallers(t.Context(), FindCallersInput{Name: name, MaxResults: 50})
	case "show_fields":
		out, err = z.ShowFields(t.Context(), ShowFieldsInput{TypeName: name})
	case "show_constructors":
		out, err = z.ShowConstructors(t.Context(), ShowConstructorsInput{TypeName: name})
	case "edges":
		return z.edges(t, name)
	}
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return out.Text()
}

// edges writes the edges of a name, one to a line.
func (z pythonCode) edges(t *testing.T, name string) string {
	t.Helper()
	q, err := z.inquire(t.Context(), Wait{})
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
			line := fmt.Sprintf("%s: %s %s", e.To.Location(), e.Role, e.To.Name)
			if e.Reason != "" {
				line += " (" + e.Reason + ")"
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
