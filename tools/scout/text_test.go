package scout

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
)

// What a model reads. Each file of testdata/scout.answers.txtar is named after its question, a kind of change and a
// name. Run it with -update to write the answers anew, and read each line that changes.
func TestScoutText(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "zoo ü")
	if err := os.CopyFS(dir, os.DirFS(toolstest.Testdata("zoo"))); err != nil {
		t.Fatal(err)
	}
	project, err := toolstest.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { toolstest.Close(t, project) })
	s := &Toolset{Project: project, Root: dir, Memory: langtest.Memory(t), Scorer: scout.Heuristic{}}
	view, err := tools.Look(t.Context(), tools.Call{}, project, tools.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	langtest.Know(t, s.Memory, view)
	toolstest.CompareAnswers(t, "testdata/scout.answers.txtar", func(question string) string { return scoutText(t, s, question) })
}

// scoutText answers "rename zoo.Feed Give", the last being the detail: the text, or the error and its hint.
func scoutText(t *testing.T, s *Toolset, question string) string {
	t.Helper()
	kind, name, _ := strings.Cut(question, " ")
	name, detail, _ := strings.Cut(name, " ")
	out, err := s.Scout(t.Context(), tools.Call{}, Input{
		Query: "what is touched?", Symbols: query.Names{name}, Change: change{Kind: scout.ChangeKind(kind), Detail: detail},
	})
	if err != nil {
		text := "error: " + err.Error()
		var hinted interface{ Hint() string }
		if errors.As(err, &hinted) {
			text += "\nhint: " + hinted.Hint()
		}
		return text
	}
	return out.Text()
}

// Of a name that is used often, an answer is far shorter than the lines that mention it.
func TestScoutIsTerse(t *testing.T) {
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
	c := toolstest.Module(t, files)
	s := &Toolset{Project: c.Project, Root: c.Root, Memory: langtest.Memory(t), Scorer: scout.Heuristic{}}
	text := scoutText(t, s, "add_parameter Compute")
	if len(text) > grep/10 {
		t.Errorf("%d characters where grep prints %d:\n%s", len(text), grep, text)
	}
}
