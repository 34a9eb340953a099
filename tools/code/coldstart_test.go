package code

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tidepool/internal/sample"
	"tidepool/tools/internal/query"
)

// sampleWorld is a generated project: its truth is known by construction.
func sampleWorld(t *testing.T, p *sample.Project) *world {
	t.Helper()
	w := &world{language: p.Language, dir: t.TempDir()}
	if err := p.Write(w.dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range p.Functions()[:6] {
		q := w.callersOf(name)
		q.truth = strings.Join(padded(p.Callers[name]), " ")
		w.questions = append(w.questions, q)
	}
	for _, name := range p.Types()[:3] {
		q := w.fieldsOf(name)
		q.truth = strings.Join(p.Fields[name], " ")
		w.questions = append(w.questions, q, w.constructorsOf(name))
	}
	w.change = func() error { return w.repeatCall(p) }
	return w
}

// repeatCall writes the first call of the first question twice, in one step of the file system.
func (w *world) repeatCall(p *sample.Project) error {
	path, text, line := p.Repeat(p.Functions()[0], 2)
	q := &w.questions[0]
	first := siteAt(path, line)
	q.next = strings.Replace(q.truth, first, first+" "+siteAt(path, line+1), 1)
	temporary := filepath.Join(w.dir, ".changed")
	if err := os.WriteFile(temporary, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, filepath.Join(w.dir, filepath.FromSlash(path)))
}

// padded writes lines as siteAt does.
func padded(sites []string) []string {
	var all []string
	for _, site := range sites {
		path, number, _ := strings.Cut(site, ":")
		all = append(all, path+":"+strings.Repeat("0", 4-len(number))+number)
	}
	return all
}

// goWorld is a module as people have written it; its truth is what the compiler says.
func goWorld(t *testing.T, module string) *world {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{language: "go", dir: t.TempDir(), partly: "left out of the build"}
	if err := os.CopyFS(w.dir, os.DirFS(strings.TrimSpace(string(out)))); err != nil {
		t.Fatal(err)
	}
	functions := functionsOf(loadModule(t, w.dir, "./..."), w.dir)
	for at, name := range functions.names {
		uses := functions.uses[at]
		slices.SortFunc(uses, query.CompareSpots)
		if uses = slices.Compact(uses); len(uses) < 2 {
			continue
		}
		q := w.callersOf(name)
		for _, use := range uses {
			q.truth += " " + siteAt(query.Relative(w.dir, use.Path), use.Line)
		}
		q.truth = strings.TrimSpace(q.truth)
		w.questions = append(w.questions, q)
	}
	slices.SortFunc(w.questions, func(a, b question) int { return strings.Compare(a.what, b.what) })
	return w
}

func kill(c *Toolset) error {
	for {
		if pid := c.Project.Status()[0].PID; pid != 0 {
			return syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// An answer that claims to be complete is the truth: asked from the first millisecond of a cold start on, with warm
// caches, while the project changes, and while the server dies.
func TestColdStart(t *testing.T) {
	t.Run("go-cmp", func(t *testing.T) { goWorld(t, "github.com/google/go-cmp").coldStarts(t) })
	for _, p := range []*sample.Project{sample.Go(300), sample.TypeScript(300), sample.Python(300), sample.C(120)} {
		t.Run(p.Language, func(t *testing.T) { sampleWorld(t, p).coldStarts(t) })
	}
}

func (w *world) coldStarts(t *testing.T) {
	w.chill(t)
	t.Run("cold", func(t *testing.T) { w.run(t, nil).judge(t, false) })
	if w.language == "go" || w.language == "c" { // other servers keep nothing
		t.Run("warm", func(t *testing.T) { w.run(t, nil).judge(t, false) })
	}
	if w.change == nil { // the generated project of the language has the rest
		return
	}
	w.chill(t)
	t.Run("killed", func(t *testing.T) { w.run(t, kill).judge(t, false) })
	w.chill(t)
	t.Run("changed", func(t *testing.T) { w.run(t, func(*Toolset) error { return w.change() }).judge(t, true) })
}
