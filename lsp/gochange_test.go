package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestNewPackages makes directories to packages in every way, and asks at once.
func TestNewPackages(t *testing.T) {
	const use = "package p\n\nimport \"example.com/shop/alpha\"\n\nfunc F() { alpha.Alpha() }\n"
	p, dir := project(t, `
-- go.mod --
module example.com/shop

go 1.26
-- alpha/alpha.go --
package alpha

func Alpha() {}
`)
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	each := func(n int, name string, do func(path string)) {
		for i := range n {
			do(path(fmt.Sprintf("made%d/%s", i, name)))
		}
	}
	try := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		name    string
		do      func()
		want    int
		partial bool // a file that is not loaded mentions it
	}{
		{"nothing", func() {}, 0, false},
		{"one", func() { put(t, path("one/f.go"), use) }, 1, false},
		{"a file more in it", func() { put(t, path("one/g.go"), "package p\n\nfunc G() { F() }\n") }, 1, false},
		{"renamed", func() { try(os.Rename(path("one"), path("two"))) }, 1, false},
		{"gone", func() { try(os.RemoveAll(path("two"))) }, 0, false},
		{"back", func() { put(t, path("two/f.go"), use) }, 1, false},
		{"left out of the build", func() { put(t, path("two/f.go"), "//go:build never\n\n"+use) }, 0, true},
		{"in it again", func() { put(t, path("two/f.go"), use) }, 1, false},
		{"beside one that is left out", func() { put(t, path("three/x_plan9.go"), use); put(t, path("three/f.go"), use) }, 2, true},
		{"many", func() { each(40, "f.go", func(path string) { put(t, path, use) }) }, 42, true},
		{"all renamed", func() {
			try(os.Mkdir(path("in"), 0o755))
			each(40, "", func(from string) { try(os.Rename(from, path("in/"+filepath.Base(from)))) })
		}, 42, true},
		{"a module of its own", func() { put(t, path("in/go.mod"), "module example.com/in\n\ngo 1.26\n") }, 2, true},
		{"no more", func() { try(os.Remove(path("in/go.mod"))) }, 42, true},
		{"few of many left", func() { each(38, "", func(gone string) { try(os.RemoveAll(path("in/" + filepath.Base(gone)))) }) }, 4, true},
	}
	for _, step := range steps {
		step.do()
		got, c := uses(t, p)
		if got != step.want || (c.State == Complete) == step.partial {
			t.Errorf("%s: %d uses, want %d; %s %s", step.name, got, step.want, c.State, c.Reason)
		}
	}
}
