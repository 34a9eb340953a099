package lsp

import (
	"os"
	"path/filepath"
	"testing"
)

// A revision stays as long as its file, and never comes again.
func TestRevision(t *testing.T) {
	t.Parallel()
	p, dir := toyProject(t)
	path := filepath.Join(dir, "r.toy")
	seen := map[int64]bool{}
	revision := func() (int64, bool) {
		t.Helper()
		v, err := p.View(t.Context(), ViewOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return v.Revision(path)
	}
	if _, ok := revision(); ok {
		t.Error("a file that is not there has a revision")
	}
	for _, text := range []string{"def A\n", "def B\n", "def A\n"} {
		put(t, path, text)
		now, ok := revision()
		if again, _ := revision(); !ok || again != now || seen[now] {
			t.Errorf("%q has revision %d and then %d, %t", text, now, again, ok)
		}
		seen[now] = true
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, ok := revision(); ok {
		t.Error("a file that is gone has a revision")
	}
	put(t, path, "def A\n")
	if now, ok := revision(); !ok || seen[now] {
		t.Errorf("the new file has revision %d, %t", now, ok)
	}
	v, err := p.View(t.Context(), ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := v.Revision(filepath.Join(dir, "notes.txt")); ok {
		t.Error("what is no source has a revision")
	}
}
