package lsp

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWatchOverflow makes more events than the kernel keeps: the next walk is one of everything.
func TestWatchOverflow(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "sub", "a.go"), "package a\n")
	d := newDisk(dir, Languages())
	defer d.unwatch()
	d.walk(nil)
	for range 20_000 { // 16,384 are kept
		for _, name := range []string{"x.txt", "y.txt"} {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(t, filepath.Join(dir, "sub", "a.go"), "package aa\n")
	put(t, filepath.Join(dir, "sub", "b.go"), "package aa\n")
	if got := d.walk(nil); len(got) != 2 {
		t.Errorf("changes %v, want two", got)
	}
}

// TestWatchLimit has no watch left for a directory: walks do without.
func TestWatchLimit(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "sub", "a.go"), "package a\n")
	d := newDisk(dir, Languages())
	defer d.unwatch()
	d.walk(nil)
	if d.watch == nil {
		t.Fatal("no watch")
	}
	d.watch.fd = -1 // the kernel refuses
	put(t, filepath.Join(dir, "new", "a.go"), "package a\n")
	if got := d.walk(nil); len(got) != 1 || d.watch != nil {
		t.Errorf("changes %v, watch %v", got, d.watch)
	}
	put(t, filepath.Join(dir, "new", "a.go"), "package aa\n")
	if got := d.walk(nil); len(got) != 1 {
		t.Errorf("changes %v, want one", got)
	}
}

// TestLocal trusts no watch on file systems that change by themselves.
func TestLocal(t *testing.T) {
	for _, dir := range []string{"/proc", "/sys", "/nonexistent"} {
		if w := newWatch(dir); w != nil {
			w.close()
			t.Errorf("%s is watched", dir)
		}
	}
}

// TestHeed hears of a change that no hook tells and nobody asks about.
func TestHeed(t *testing.T) {
	each(t, func(t *testing.T, b bench, p *Project, dir string) {
		uses(t, p)
		sent := func() int {
			live := current(p)
			live.progress.mu.Lock()
			defer live.progress.mu.Unlock()
			return live.progress.notified
		}
		before := sent()
		put(t, filepath.Join(dir, "more"+filepath.Ext(b.name)), b.more("Beta", 2, 0))
		eventually(t, "the server is told", func() bool { return sent() > before })
	})
}
