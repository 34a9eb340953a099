package typing

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"tidepool/internal/golang/syntax"
)

// readerOf is a Reader of files that an archive says.
func readerOf(t *testing.T, archive string) (*Reader, string) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &Reader{Files: new(syntax.Files).Read(), LeftOut: func(string) bool { return false }, Memory: new(Memory)}, dir
}

func TestReaches(t *testing.T) {
	const files = `-- a/a.go --
package a
-- b/b.go --
package b

import _ "example.test/m/a"
-- c/c.go --
package c
-- c/c_test.go --
package c_test

import (
	_ "example.test/m/b"
	_ "example.test/m/d"
)
-- d/d.go --
package d

import _ "example.test/m/c"
-- e/e.go --
package e

import _ "example.test/mother/a"
`
	for name, tt := range map[string]struct {
		module           string
		reaches, imports string // directories
	}{
		"one module":      {"-- go.mod --\nmodule example.test/m\n", "abcd", "ab"},
		"a replacement":   {"-- go.mod --\nmodule example.test/m\n\nreplace x.test/y => ../y\n", "abcde", "abcde"},
		"a workspace":     {"-- go.mod --\nmodule example.test/m\n-- go.work --\n", "abcde", "abcde"},
		"no module":       {"", "abcde", "abcde"},
		"a module beside": {"-- go.mod --\nmodule example.test/m\n-- e/go.mod --\nmodule example.test/m/e\n", "abcde", "abe"},
		"a module within": {"-- go.mod --\nmodule example.test/m\n-- d/go.mod --\nmodule example.test/m/d\n", "abcd", "abd"},
	} {
		r, dir := readerOf(t, tt.module+files)
		reaches, imports := "", ""
		for _, of := range []string{"a", "b", "c", "d", "e"} {
			file := filepath.Join(dir, of, of+".go")
			if r.Reaches(file, filepath.Join(dir, "a")) {
				reaches += of
			}
			if r.Imports(file, filepath.Join(dir, "a")) {
				imports += of
			}
		}
		if reaches != tt.reaches || imports != tt.imports {
			t.Errorf("%s: %s reach it and %s import it, want %s and %s", name, reaches, imports, tt.reaches, tt.imports)
		}
	}
}
