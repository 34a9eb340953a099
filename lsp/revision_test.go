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

// Views share the revision of their tree until a file that the servers read is found changed, added or removed.
func TestTreeRevision(t *testing.T) {
	t.Parallel()
	p, dir := toyProject(t)
	path := filepath.Join(dir, "r.toy")
	seen := map[int64]bool{}
	revision := func() int64 {
		t.Helper()
		v, err := p.View(t.Context(), ViewOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return v.TreeRevision()
	}
	for i, change := range []func(){
		func() {}, func() { put(t, path, "def A\n") }, func() { put(t, path, "def B\n") }, func() {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
	} {
		change()
		now := revision()
		put(t, filepath.Join(dir, "notes.txt"), "what no server reads")
		if again := revision(); again != now || seen[now] {
			t.Errorf("after change %d: %d, then %d; before %v", i, now, again, seen)
		}
		seen[now] = true
	}
}
