package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/lsptest"
)

// uses is how many references to Alpha a new View finds, and the completeness it claims.
func uses(t *testing.T, p *Project) (int, Completeness) {
	t.Helper()
	return usesOf(t, p, "Alpha")
}

func usesOf(t *testing.T, p *Project, name string) (int, Completeness) {
	t.Helper()
	v := view(t, p)
	refs, err := v.References(t.Context(), one(t, v, name).Location, false)
	if err != nil {
		t.Fatal(err)
	}
	return len(refs), v.Completeness()
}

// TestFreshness changes the disk behind the server's back and asks at once.
func TestFreshness(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		more := filepath.Join(dir, "more"+filepath.Ext(b.name))
		renamed := filepath.Join(dir, "renamed"+filepath.Ext(b.name))
		main := filepath.Join(dir, b.name)
		steps := []struct {
			name string
			do   func() error
			want int
			bad  bool
		}{
			{"nothing", func() error { return nil }, 1, false},
			{"a file more", func() error { put(t, more, b.more("Beta", 2, 0)); return nil }, 3, false},
			{"the file rewritten, of the same size", func() error { put(t, more, b.more("Bet2", 2, 0)); return nil }, 3, false},
			{"a use more in it", func() error { put(t, more, b.more("Beta", 3, 0)); return nil }, 4, false},
			{"the open file longer", func() error { put(t, main, "\n"+b.source); return os.Remove(more) }, 1, false},
			{"a file that does not compile", func() error { put(t, more, b.more("Beta", 2, 1)); return nil }, 3, true},
			{"renamed", func() error { return os.Rename(more, renamed) }, 3, true},
			{"repaired", func() error { put(t, renamed, b.more("Beta", 5, 0)); return nil }, 6, false},
			{"the open file as before", func() error { put(t, main, b.source); return os.Remove(renamed) }, 1, false},
		}
		for _, step := range steps {
			if err := step.do(); err != nil {
				t.Fatal(err)
			}
			got, c := uses(t, p)
			if got != step.want || (c.State == Partial) != step.bad || (c.State == Complete) == step.bad {
				t.Errorf("%s: %d uses, want %d; %s %s", step.name, got, step.want, c.State, c.Reason)
			}
			if step.bad && !strings.Contains(c.Reason, "compile") {
				t.Errorf("%s: reason %q", step.name, c.Reason)
			}
		}
	})
}

// TestSameStamp rewrites a file so that neither its size nor its time shows it; only the hint does. The time is long ago: servers may go by it.
func TestSameStamp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		path := filepath.Join(dir, "more"+filepath.Ext(b.name))
		old := time.Now().Add(-time.Hour)
		put(t, path, b.more("Beta", 1, 0))
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		if got, _ := uses(t, p); got != 2 {
			t.Fatalf("%d uses before", got)
		}
		text := strings.ReplaceAll(b.more("Beta", 1, 0), "Alpha", "Beta ")
		put(t, path, text)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		p.FilesChanged(filepath.Base(path))
		if got, _ := uses(t, p); got != 1 {
			t.Errorf("%d uses after, want 1", got)
		}
	})
}

// TestOpenDocuments uses more files than are held open, changes one that was closed again and one that is open.
func TestOpenDocuments(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		ext := filepath.Ext(b.name)
		for i := range session.OpenLimit + 4 {
			put(t, filepath.Join(dir, fmt.Sprintf("f%02d%s", i, ext)), b.more(fmt.Sprintf("F%02d", i), 1, 0))
		}
		v := view(t, p)
		for i := range 2 * (session.OpenLimit + 4) { // each twice: the first question may leave the file closed
			if _, err := v.Hover(t.Context(), one(t, v, fmt.Sprintf("F%02d", i/2)).Location); err != nil {
				t.Fatal(err)
			}
		}
		opened := 0
		for i := range session.OpenLimit + 4 {
			if current(p).IsOpen(filepath.Join(dir, fmt.Sprintf("f%02d%s", i, ext))) {
				opened++
			}
		}
		want := session.OpenLimit
		if b.language.Unit != nil {
			want = 1 // of their package
		}
		if opened != want {
			t.Errorf("%d documents open, want %d", opened, want)
		}
		put(t, filepath.Join(dir, "f00"+ext), b.more("F00", 3, 0))
		put(t, filepath.Join(dir, "f35"+ext), b.more("F35", 3, 0))
		if got, c := uses(t, p); got != 1+session.OpenLimit+4+4 || c.State != Complete {
			t.Errorf("%d uses, %+v", got, c)
		}
	})
}

// TestLargeDocumentsAreFewer uses files of three megabytes: the texts of all of them are not kept, and each is asked about all the same.
func TestLargeDocumentsAreFewer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		ext, padding := filepath.Ext(b.name), strings.Repeat(strings.Repeat(" ", 127)+"\n", 3<<13)
		for i := range 4 {
			put(t, filepath.Join(dir, fmt.Sprintf("f%d%s", i, ext)), b.more(fmt.Sprintf("F%d", i), 1, 0)+padding)
		}
		v := view(t, p)
		for i := range 8 { // each twice: the first question may leave the file closed
			if _, err := v.Hover(t.Context(), one(t, v, fmt.Sprintf("F%d", i/2)).Location); err != nil {
				t.Fatal(err)
			}
		}
		var opened []int
		for i := range 4 {
			if current(p).IsOpen(filepath.Join(dir, fmt.Sprintf("f%d%s", i, ext))) {
				opened = append(opened, i)
			}
		}
		want := []int{2, 3}
		if b.language.Unit != nil {
			want = []int{0} // of their package
		}
		if !slices.Equal(opened, want) {
			t.Errorf("open are %v, want %v: of 8 MB, those that were used last", opened, want)
		}
		put(t, filepath.Join(dir, "f0"+ext), b.more("F0", 3, 0)+padding)
		put(t, filepath.Join(dir, "f3"+ext), b.more("F3", 3, 0)+padding)
		if got, c := uses(t, p); got != 1+4+4 || c.State != Complete {
			t.Errorf("%d uses, %+v", got, c)
		}
	})
}

// TestAnEditClosesDocuments asks gopls about files and edits one: what is open would be analyzed again after each edit.
func TestAnEditClosesDocuments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- a/a.go --\npackage a\n\nfunc A() {}\n-- b/b.go --\npackage b\n\nfunc B() {}\n")
	p := open(t, dir, gopls(t))
	uses := func(name string, want int) {
		v := view(t, p)
		found, err := v.References(t.Context(), one(t, v, name).Location, false)
		if c := v.Completeness(); err != nil || len(found) != want || c.State != Complete {
			t.Errorf("%s: %v, %v, %+v", name, found, err, c)
		}
	}
	open := func() (all []string) {
		for _, name := range []string{"a", "b"} {
			if current(p).IsOpen(filepath.Join(dir, name, name+".go")) {
				all = append(all, name)
			}
		}
		return all
	}
	for _, name := range []string{"A", "B", "A", "B"} { // the first question leaves the file closed
		uses(name, 0)
	}
	if got := open(); len(got) != 2 {
		t.Errorf("open after two questions each: %v", got)
	}
	put(t, filepath.Join(dir, "a", "a.go"), "package a\n\nfunc A() {}\n\nfunc More() { A() }\n")
	uses("A", 1)
	if got := open(); len(got) != 0 {
		t.Errorf("open after the edit and one question: %v", got)
	}
	put(t, filepath.Join(dir, "b", "b.go"), "package b\n\nfunc B() { B() }\n")
	uses("A", 1)
	uses("B", 1)
}

// TestNothingIsOpenedDuringACheck asks a server that is at work on a change: what is opened then has gopls begin again.
func TestNothingIsOpenedDuringACheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "-- toy.mod --\n-- main.toy --\ndef Alpha\nuse Alpha\n")
	language := toy(lsptest.HoldsCheck)
	language.AnswersUnopened, language.Drafting = true, &session.Drafting{}
	p, path := open(t, dir, language), filepath.Join(dir, "main.toy")
	view(t, p)
	put(t, path, "def Alpha\nuse Alpha\nuse Alpha\n")
	ask := func(v *View) bool {
		if _, err := v.Hover(t.Context(), At(path, 1, 5)); err != nil {
			t.Fatal(err)
		}
		return current(p).IsOpen(path)
	}
	for range 3 {
		if ask(hasty(t, p)) {
			t.Fatal("the document was opened")
		}
	}
	if err := syscall.Kill(p.Status()[0].PID, syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if !ask(view(t, p)) {
		t.Error("the document was not opened once the server had looked at the change")
	}
}

// TestChangeWhileLoading breaks the project in the moment in which its server starts.
func TestChangeWhileLoading(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		put(t, filepath.Join(dir, "more"+filepath.Ext(b.name)), b.more("Beta", 2, 1))
		if got, c := uses(t, p); got != 3 || c.State != Partial {
			t.Errorf("%d uses, %s %s", got, c.State, c.Reason)
		}
	})
}
