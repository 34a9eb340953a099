package git

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The list is the repository's own, from a directory of it and from a linked worktree, too.
func TestExclude(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Exclude(t.Context(), root); !errors.Is(err, ErrNoRepository) {
		t.Errorf("without a repository: %v", err)
	}
	main, tree := filepath.Join(root, "main"), filepath.Join(root, "tree")
	write(t, main, "a/b", "")
	run(t, main, "init", "-q")
	run(t, main, "add", ".")
	run(t, main, "commit", "-qm", "x")
	run(t, main, "worktree", "add", "-q", tree)
	list := filepath.Join(main, ".git", "info", "exclude")
	for dir, want := range map[string]string{main: main, filepath.Join(main, "a"): main, tree: tree} {
		top, got, err := Exclude(t.Context(), dir)
		if err != nil || top != want || got != list {
			t.Errorf("of %s: %s, %s, %v", dir, top, got, err)
		}
	}
}

func TestIgnored(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "not", "yet", "mine.json")
	if is, err := Ignored(t.Context(), file); is || err != nil {
		t.Errorf("without a repository: %t, %v", is, err)
	}
	run(t, dir, "init", "-q")
	if is, err := Ignored(t.Context(), file); is || err != nil {
		t.Errorf("before: %t, %v", is, err)
	}
	index := Index{Limit: time.Minute}
	write(t, dir, ".git/info/exclude", "/not/yet/mine.json\n")
	if ignored, err := index.Ignored(file); !ignored || err != nil {
		t.Errorf("of the index: %t, %v", ignored, err)
	}
	if tracked, err := index.Tracked(file); tracked || err != nil {
		t.Errorf("a file without a directory is tracked: %t, %v", tracked, err)
	}
	if is, err := Ignored(t.Context(), file); !is || err != nil {
		t.Errorf("listed: %t, %v", is, err)
	}
	if err := os.Remove(filepath.Join(dir, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	if is, err := Ignored(t.Context(), file); err == nil {
		t.Errorf("in a broken repository: %t", is)
	}
}
