package wasmtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// unpack writes the files of an archive below a new directory.
func unpack(t *testing.T, archive string) string {
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
	return dir
}

// What belongs to a module is found in workspaces, those that do not know it, and with its dependencies beside it.
func TestList(t *testing.T) {
	for name, test := range map[string]struct{ files, want string }{
		"in a workspace": {`
-- go.work --
go 1.24

use ./m
use ./other
-- m/go.mod --
module example.com/m

go 1.24

require example.com/other v1.0.0
-- m/a/x_test.go --
package x

import _ "example.com/other"
-- m/b/x/x.go --
package x
-- m/inner/go.mod --
module example.com/inner
-- m/inner/inner.go --
package inner
-- other/go.mod --
module example.com/other

go 1.24
-- other/other.go --
package other
`, "a b/x"},
		"in a workspace of others": {`
-- go.work --
go 1.24

use ./other
-- m/go.mod --
module example.com/m

go 1.24
-- m/m_test.go --
package m
-- other/go.mod --
module example.com/other

go 1.24
`, "."},
		"with its dependencies": {`
-- m/go.mod --
module example.com/m

go 1.24

require example.com/other v1.0.0
-- m/vendor/modules.txt --
# example.com/other v1.0.0
## explicit; go 1.24
example.com/other
-- m/vendor/example.com/other/other.go --
package other
-- m/m_test.go --
package m

import _ "example.com/other"
`, "."},
	} {
		dir := unpack(t, test.files)
		golang, err := findGo(t.Context(), filepath.Join(dir, "m"), dir, new(Runner))
		if err != nil {
			t.Fatal(err)
		}
		list, err := golang.list(t.Context())
		var got []string
		for _, p := range list {
			rel, err := filepath.Rel(golang.module, p.Dir)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rel)
			if tests := p.TestGoFiles; len(tests) > 0 {
				if err := golang.build(t.Context(), p.ImportPath, filepath.Join(dir, "binary")); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// The go command runs nothing of a module, whatever the user's or the module's settings say.
func TestBuildRunsNothing(t *testing.T) {
	dir := unpack(t, `
-- go.mod --
module example.com/m

go 1.24
-- m_test.go --
package m
-- cgo.go --
package m

// #cgo CFLAGS: -fplugin=/tmp/plugin.so
import "C"
-- program --
#!/bin/sh
touch "$0.ran"
exit 1
-- .git/config --
[core]
	fsmonitor = ./program
	repositoryformatversion = 0
-- .git/HEAD --
ref: refs/heads/main
-- .git/objects/keep --
-- .git/refs/keep --
`)
	program := filepath.Join(dir, "program")
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-toolexec="+program)
	t.Setenv("CC", program)
	t.Setenv("CGO_ENABLED", "1")
	golang, err := findGo(t.Context(), dir, t.TempDir(), new(Runner))
	if err != nil {
		t.Fatal(err)
	}
	list, err := golang.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if err := golang.build(t.Context(), p.ImportPath, filepath.Join(dir, "binary")); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(program + ".ran"); !os.IsNotExist(err) {
		t.Errorf("a program of the module ran: %v", err)
	}
}
