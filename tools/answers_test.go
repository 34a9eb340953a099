package tools_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/code"
	"tidepool/tools/internal/lang/langtest"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
	scouttools "tidepool/tools/scout"
)

// compareAnswers asks the questions of testdata/name.answers.txtar about the files of testdata/name.txtar, which are served in
// one language by its own server.
func compareAnswers(t *testing.T, id, name string) toolstest.Tree {
	t.Helper()
	served := toolstest.ServeFile(t, id, name)
	s := &langtest.Subject{Tree: served}
	about := &code.Toolset{Project: served.Project, Root: served.Root, Memory: new(lang.Memory)}
	toolstest.CompareAnswers(t, filepath.Join("testdata", name+".answers.txtar"), func(question string) string { return answerTo(t, about, s, question) })
	return served
}

// answerTo answers a question: "find_callers Animal.eat", "edges Animal", or with the kind of a change "add_variant Color".
func answerTo(t *testing.T, about *code.Toolset, s *langtest.Subject, question string) string {
	t.Helper()
	tool, name, _ := strings.Cut(question, " ")
	var out interface{ Text() string }
	var err error
	switch tool {
	case "find_callers":
		out, err = about.FindCallers(t.Context(), tools.Call{}, code.FindCallersInput{Name: name, MaxResults: 50})
	case "show_fields":
		out, err = about.ShowFields(t.Context(), tools.Call{}, code.ShowFieldsInput{TypeName: name})
	case "show_constructors":
		out, err = about.ShowConstructors(t.Context(), tools.Call{}, code.ShowConstructorsInput{TypeName: name})
	default:
		return s.EdgeLines(t, name, scout.ChangeKind(strings.TrimPrefix(tool, "edges")))
	}
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return out.Text()
}

// TestLanguages asks each language's own server about testdata/name.txtar: what calls and declares names, and what each
// language tells of roles and traits.
func TestLanguages(t *testing.T) {
	for name, id := range map[string]string{
		"golang": "go", "python": "python", "typescript": "typescript",
		"rolesgo": "go", "rolespython": "python", "rolestypescript": "typescript", "rolesclang": "c",
	} {
		t.Run(name, func(t *testing.T) { compareAnswers(t, id, name) })
	}
}

func TestClang(t *testing.T) {
	served := compareAnswers(t, "c", "clang")
	// Where the system declares it, and what it does with it there, is its own business.
	about := &code.Toolset{Project: served.Project, Root: served.Root, Memory: new(lang.Memory)}
	out, err := about.FindCallers(t.Context(), tools.Call{}, code.FindCallersInput{Name: "printf", MaxResults: 50})
	if err != nil || len(out.CallSites) != 1 || out.CallSites[0].Enclosing != "show" {
		t.Errorf("callers of printf: %+v, %v; want one in show", out, err)
	}
}

func TestConcurrentCalls(t *testing.T) {
	r := tools.NewRegistry()
	memory := new(lang.Memory)
	for _, toolset := range []tools.Toolset{
		&code.Toolset{Project: zoo.Project, Root: zoo.Root, Memory: memory},
		&scouttools.Toolset{Project: zoo.Project, Root: zoo.Root, Memory: memory, Scorer: scout.Heuristic{}},
	} {
		if err := r.Discover(toolset); err != nil {
			t.Fatal(err)
		}
	}
	calls := map[string]string{
		"find_callers": `{"name":"zoo.Dog.Sound"}`, "show_fields": `{"type_name":"model.Server"}`,
		"show_constructors": `{"type_name":"Color"}`, "scout": `{"query":"what breaks","symbols":"kinds.Shape","change":"add_method"}`,
	}
	var running sync.WaitGroup
	for name, arguments := range calls {
		first, err := r.Call(t.Context(), tools.Call{Tool: name}, json.RawMessage(arguments))
		for err == nil && strings.Contains(first.Text, "type-checked") {
			first, err = r.Call(t.Context(), tools.Call{Tool: name}, json.RawMessage(arguments)) // each gets further than the one before
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			running.Go(func() {
				again, err := r.Call(t.Context(), tools.Call{Tool: name}, json.RawMessage(arguments))
				if err != nil || again.Text != first.Text {
					t.Errorf("%s: %v\n%s", name, err, again.Text)
				}
			})
		}
	}
	running.Wait()
}
