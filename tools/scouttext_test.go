package tools

import (
	"errors"
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

// What a model reads. Each file of testdata/scout.answers.txtar is named after its question, a kind of change and a
// name. Run it with -update to write the answers anew, and read each line that changes.
func TestScoutText(t *testing.T) {
	path := filepath.Join("testdata", "scout.answers.txtar")
	answers, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "zoo ü")
	if err := os.CopyFS(dir, os.DirFS("testdata/zoo")); err != nil {
		t.Fatal(err)
	}
	project, err := openProject(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { toolstest.Close(t, project) })
	s := &Scout{Project: project, Root: dir, Scorer: scout.Heuristic{}}
	view, err := look(t.Context(), Call{}, project, Wait{})
	if err != nil {
		t.Fatal(err)
	}
	know(t, &s.graph(view, new(golang.Walk)).Query, &s.packages)
	for i, answer := range answers.Files {
		got := scoutText(t, s, answer.Name)
		if diff := cmp.Diff(string(answer.Data), got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", answer.Name, diff)
		}
		answers.Files[i].Data = []byte(got)
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(answers), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// scoutText answers "rename zoo.Feed": the text, or the error and its hint.
func scoutText(t *testing.T, s *Scout, question string) string {
	t.Helper()
	kind, name, _ := strings.Cut(question, " ")
	out, err := s.Scout(t.Context(), Call{}, ScoutInput{
		Query: "what is touched?", Symbols: scoutNames{name}, Change: scoutChange{Kind: scout.ChangeKind(kind)},
	})
	if err != nil {
		text := "error: " + err.Error() + "\n"
		var hinted interface{ Hint() string }
		if errors.As(err, &hinted) {
			text += "hint: " + hinted.Hint() + "\n"
		}
		return text
	}
	return out.Text() + "\n"
}

// Of a name that is used often, an answer is far shorter than the lines that mention it.
func TestScoutIsTerse(t *testing.T) {
	gopls, err := findGopls()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"f.go": "package m\n\nfunc Compute(x int) int { return x }\n"}
	grep := 0
	for i := range 10 {
		name := fmt.Sprintf("user%d.go", i)
		files[name] = "package m\n"
		for j := range 3 {
			body := strings.Repeat("\ttotal += Compute(total) // and once more, with Compute\n", 8)
			files[name] += fmt.Sprintf("\nfunc user%d_%d() (total int) {\n%s\treturn total\n}\n", i, j, body)
		}
		for line := range strings.Lines(files[name]) {
			if strings.Contains(line, "Compute") {
				grep += len(name) + len(":12:") + len(line)
			}
		}
	}
	c := newCode(t, gopls, files)
	s := &Scout{Project: c.Project, Root: c.Root, Scorer: scout.Heuristic{}}
	text := scoutText(t, s, "add_parameter Compute")
	if len(text) > grep/10 {
		t.Errorf("%d characters where grep prints %d:\n%s", len(text), grep, text)
	}
}
