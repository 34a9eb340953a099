package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, path, src string, changed time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, changed, changed); err != nil {
		t.Fatal(err)
	}
}

func TestPackage(t *testing.T) {
	dir := t.TempDir()
	for name, src := range map[string]string{
		"a.go": "package a", "b.go": "package a", "b_test.go": "package a", "x_test.go": "package a_test",
		"c_plan9.go": "package a", "g.go": "//go:build plan9\n\npackage a", "d.go": "//go:build ignore\n\npackage main", "e.txt": "package a", "f.go": "package other",
	} {
		write(t, filepath.Join(dir, name), src+"\n", time.Unix(1, 0))
	}
	var files Files
	for of, want := range map[string]string{"a.go": "a.go b.go", "b_test.go": "a.go b.go b_test.go", "x_test.go": "x_test.go", "none.go": ""} {
		var got []string
		for _, f := range files.Read().Package(filepath.Join(dir, of)) {
			got = append(got, filepath.Base(f.Path))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("with %s: %v, want %s", of, got, want)
		}
	}
}
