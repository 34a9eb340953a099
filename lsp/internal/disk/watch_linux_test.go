package disk

import (
	"os"
	"path/filepath"
	"testing"

	"tidepool/lsp/lsptest"
)

// TestWatchOverflow makes more events than the kernel keeps: the next walk is one of everything.
func TestWatchOverflow(t *testing.T) {
	dir := t.TempDir()
	lsptest.Put(t, filepath.Join(dir, "sub", "a.go"), "package a\n")
	d := New(dir, goFiles())
	defer d.Unwatch()
	d.Walk(nil)
	for range 20_000 { // 16,384 are kept
		for _, name := range []string{"x.txt", "y.txt"} {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	lsptest.Put(t, filepath.Join(dir, "sub", "a.go"), "package aa\n")
	lsptest.Put(t, filepath.Join(dir, "sub", "b.go"), "package aa\n")
	if got := d.Walk(nil); len(got) != 2 {
		t.Errorf("changes %v, want two", got)
	}
}

// TestWatchLimit has no watch left for a directory: walks do without.
func TestWatchLimit(t *testing.T) {
	dir := t.TempDir()
	lsptest.Put(t, filepath.Join(dir, "sub", "a.go"), "package a\n")
	d := New(dir, goFiles())
	defer d.Unwatch()
	d.Walk(nil)
	if d.watch == nil {
		t.Fatal("no watch")
	}
	d.watch.fd = -1 // the kernel refuses
	lsptest.Put(t, filepath.Join(dir, "new", "a.go"), "package a\n")
	if got := d.Walk(nil); len(got) != 1 || d.watch != nil {
		t.Errorf("changes %v, watch %v", got, d.watch)
	}
	lsptest.Put(t, filepath.Join(dir, "new", "a.go"), "package aa\n")
	if got := d.Walk(nil); len(got) != 1 {
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
