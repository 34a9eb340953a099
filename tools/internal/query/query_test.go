package query

import (
	"path/filepath"
	"testing"
)

func TestCleanPaths(t *testing.T) {
	for _, path := range []string{"/a", "/a/b.go", "/a/", "/a//b", "/a/./b", "/a/../b", "/.github/a", "/a/...", "/a/..", "/", "//"} {
		if got, want := clean(path), filepath.Clean(path) == path; got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}
