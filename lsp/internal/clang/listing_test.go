package clang

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A file that is too large to be read is noted, so that no answer about lists is called complete.
func TestListNotRead(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.def")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, maxList+1)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{large: large, filepath.Join(dir, "gone.def"): ""} {
		l := &listing{lists: &lists{}}
		if f := l.lexed(path); f != nil || l.left != want {
			t.Errorf("%s: read %t, left %q", path, f != nil, l.left)
		}
	}
}
