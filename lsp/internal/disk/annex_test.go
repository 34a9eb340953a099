package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tidepool/lsp/lsptest"
)

// beside selects what Go needs, and follows the directory dir as well while there is a go.mod.
func beside(dir string) Selection {
	selected := goFiles()
	selected.Manifests = []string{"go.mod"}
	selected.Beyond = func(_ string, manifests []string) []string {
		if len(manifests) == 0 {
			return nil
		}
		return []string{dir}
	}
	return selected
}

// TestAnnex follows a directory beside the tree for as long as a manifest names it.
func TestAnnex(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	path := filepath.Join(other, "sub", "a.go")
	lsptest.Put(t, path, "package a\n")
	lsptest.Put(t, filepath.Join(root, "go.mod"), "")
	d := New(root, beside(other))
	defer d.Unwatch()
	if got := describeChanges(root, d.Walk(nil)); !slices.Equal(got, []string{"created go.mod"}) {
		t.Errorf("at first %q", got)
	}
	lsptest.Put(t, path, "package aa\n")
	if got := describeChanges(other, d.Walk(nil)); !slices.Equal(got, []string{"changed sub/a.go"}) {
		t.Errorf("after a change beside the tree %q", got)
	}
	if got := slices.Collect(d.Files); len(got) != 1 {
		t.Errorf("files of the tree: %q, want go.mod alone", got)
	}
	if err := os.Remove(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	d.Walk(nil)
	lsptest.Put(t, path, "package aaa\n")
	if got := d.Walk(nil); got != nil {
		t.Errorf("without a manifest: %v", got)
	}
}

// TestNoAnnex trusts the watch although a manifest names a directory that is not there.
func TestNoAnnex(t *testing.T) {
	root := t.TempDir()
	lsptest.Put(t, filepath.Join(root, "go.mod"), "")
	d := New(root, beside(filepath.Join(root, "none")))
	defer d.Unwatch()
	d.Walk(nil)
	if d.Walk(nil); d.watch != nil && !time.Now().Before(d.trusted) {
		t.Error("every walk is one of everything")
	}
}
