package main

import (
	"os"
	"path/filepath"
	"testing"

	"tidepool/lsp/lsptest"
)

// A directory is the user's own if git knows that it tracks nothing of it, wherever links lead.
func TestOwn(t *testing.T) {
	dir, plain := t.TempDir(), t.TempDir()
	lsptest.Git(t, dir, "init", "-q")
	for _, name := range []string{"came/lib/x.js", "linked/lib/x.js"} {
		lsptest.Put(t, filepath.Join(dir, name), "")
	}
	lsptest.Git(t, dir, "add", ".")
	lsptest.Put(t, filepath.Join(dir, "installed", "lib", "x.js"), "")
	lsptest.Put(t, filepath.Join(plain, "lib", "x.js"), "")
	if err := os.Symlink("came", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		filepath.Join(dir, "installed"): true, filepath.Join(dir, "came"): false, filepath.Join(dir, "link"): false,
		filepath.Join(dir, "nowhere"): false, plain: false,
	} {
		if got := (trustee{}).Own(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
