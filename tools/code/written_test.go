package code

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
)

// loading serves a module by a gopls that goes on loading it.
func loading(t *testing.T, files map[string]string) *Toolset {
	t.Helper()
	gopls, err := toolstest.Gopls()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	languages := lsp.Languages()
	for i := range languages {
		if languages[i].ID == "go" {
			languages[i].Command = []string{self, gopls}
		}
	}
	project, err := lsp.Open(lsp.Options{
		Root: dir, Languages: languages,
		Env: append(os.Environ(), "GOWORK=off", toolstest.StallOn+"=initialize", "GORACE=atexit_sleep_ms=0"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := project.Close(context.Background()); err != nil {
			t.Log(err) // the server cannot end in order
		}
	})
	return over(toolstest.Tree{Project: project, Root: dir})
}

// While gopls loads, a function is found by the text of its file, and the answer says what is not known yet.
func TestFoundByText(t *testing.T) {
	c := loading(t, map[string]string{
		"go.mod": "module example.test/m\n\ngo 1.26\n", "a_plan9.go": "package m\n\nfunc Elsewhere() {}\n",
		"a.go": "package m\n\ntype T struct{}\n\nfunc (T) Run() {}\n\nfunc use() { T{}.Run() }\n",
	})
	atOnce := 0.0
	for name, want := range map[string]string{
		"Run": "T.Run (a.go:5): calls not known yet", "T.Run": "T.Run (a.go:5): calls not known yet", "m.T.Run": "T.Run (a.go:5): calls not known yet",
		"Missing": "not known yet: no function or method named Missing", "other.Run": "not known yet: no", "Elsewhere": "not known yet: no",
	} {
		out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: name, MaxResults: 50, Wait: tools.Wait{WaitSeconds: &atOnce}})
		if err != nil || !strings.Contains(out.Text(), want) || out.Completeness.State != lsp.Indexing {
			t.Errorf("%s: %v %s\nwant %s", name, err, out.Text(), want)
		}
	}
}
