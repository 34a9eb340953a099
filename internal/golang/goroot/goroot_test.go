package goroot

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"
)

// A program that does not know where its Go lay takes that of PATH, and no src of the directory that it runs in.
func TestFindWithoutABuild(t *testing.T) {
	known := build.Default.GOROOT
	t.Cleanup(func() { build.Default.GOROOT = known })
	build.Default.GOROOT = ""
	t.Chdir(t.TempDir())
	if err := os.Mkdir("src", 0o700); err != nil {
		t.Fatal(err)
	}
	if root := Find(); !filepath.IsAbs(root) || !hasSource(root) {
		t.Errorf("found %q", root)
	}
}
