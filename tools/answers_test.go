package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidepool/scout"
	"tidepool/tools/internal/lang/golang"
	"tidepool/tools/internal/toolstest"
)

// serveIn serves the files of an archive, in a directory and in one language. Without a command it is the language's own
// server.
func serveIn(t *testing.T, dir, id, archive string, command ...string) *Code {
	t.Helper()
	return &Code{Project: toolstest.Serve(t, dir, id, archive, command...), Root: dir}
}

// serveFile serves the files of testdata/name.txtar in one language by its own server.
func serveFile(t *testing.T, id, name string) *Code {
	t.Helper()
	archive, err := os.ReadFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return serveIn(t, filepath.Join(t.TempDir(), "zoo ü"), id, string(archive))
}

// compareAnswers asks the questions of testdata/name.answers.txtar, each of which stands before its answer. Run it with
// -update to write the answers anew, and read each line that changes.
func compareAnswers(t *testing.T, code *Code, name string) {
	t.Helper()
	path := filepath.Join("testdata", name+".answers.txtar")
	answers, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, answer := range answers.Files {
		got := answerTo(t, code, answer.Name) + "\n"
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

// answerTo answers a question: "find_callers Animal.eat", "edges Animal", or with the kind of a change "add_variant Color".
func answerTo(t *testing.T, code *Code, question string) string {
	t.Helper()
	tool, name, _ := strings.Cut(question, " ")
	var out interface{ Text() string }
	var err error
	switch tool {
	case "find_callers":
		out, err = code.FindCallers(t.Context(), Call{}, FindCallersInput{Name: name, MaxResults: 50})
	case "show_fields":
		out, err = code.ShowFields(t.Context(), Call{}, ShowFieldsInput{TypeName: name})
	case "show_constructors":
		out, err = code.ShowConstructors(t.Context(), Call{}, ShowConstructorsInput{TypeName: name})
	default:
		return edgeLines(t, code, name, scout.ChangeKind(strings.TrimPrefix(tool, "edges")))
	}
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return out.Text()
}

// edgeLines writes the edges from what a name means under a kind of change, one to a line.
func edgeLines(t *testing.T, code *Code, name string, kind scout.ChangeKind) string {
	t.Helper()
	q, err := code.begin(t.Context(), Call{}, Wait{})
	if err != nil {
		t.Fatal(err)
	}
	g := graphOf(q, new(golang.Walk))
	nodes, err := g.Resolve(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, n := range nodes {
		edges, err := g.Edges(t.Context(), n, scout.Change{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edges {
			line := fmt.Sprintf("%s: %s in %s", e.To.Location(), e.Role, e.To.Name)
			if e.Reason != "" {
				line += " (" + e.Reason + ")"
			}
			line += traitText(e)
			if e.Test {
				line += " [test]"
			}
			if e.Last {
				line += " [last]"
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// traitText writes the traits of an edge: " <generated: stringer; left out>".
func traitText(e scout.Edge) string {
	var texts []string
	for _, t := range e.Traits {
		text := string(t.Name)
		if t.Detail != "" {
			text += ": " + t.Detail
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return ""
	}
	return " <" + strings.Join(texts, "; ") + ">"
}
