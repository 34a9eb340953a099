package lsp

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAnnex changes modules beside the tree that its manifests name.
func TestAnnex(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "repo")
	write(t, dir, `
-- go.work --
go 1.26

use (
	./shop
	./till
)
-- shop/go.mod --
module example.com/shop

go 1.26
-- shop/shop.go --
package shop

func Alpha() {}
-- till/go.mod --
module example.com/till

go 1.26
-- till/till.go --
package till

import "example.com/shop"

func F() { shop.Alpha() }
-- lib/go.mod --
module example.com/lib

go 1.26
-- lib/lib.go --
package lib

func F(func()) {}
-- other/go.mod --
module example.com/other

go 1.26
-- other/other.go --
package other

import "example.com/shop"

func F() { shop.Alpha() }
`)
	git(t, dir, "init", "-q")
	p := open(t, filepath.Join(dir, "shop"), gopls(t))
	file := func(name, text string) func() error {
		return func() error { return os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644) }
	}
	use := func(modules string) func() error { return file("go.work", "go 1.26\n\nuse (\n"+modules+")\n") }
	steps := []struct {
		name string
		do   func() error
		want int
		bad  bool
	}{
		{"nothing", func() error { return nil }, 1, false},
		{"a use that does not compile", file("till/more.go", "package till\n\nfunc G() { shop.Alpha() }\n"), 1, true},
		{"mended", file("till/more.go", "package till\n\nimport \"example.com/shop\"\n\nfunc G() { shop.Alpha() }\n"), 2, false},
		{"gone", func() error { return os.Remove(filepath.Join(dir, "till", "more.go")) }, 1, false},
		{"a module more", use("./shop\n./till\n./other\n"), 2, false},
		{"a module less", use("./shop\n./other\n"), 1, false},
		{"the other changed", file("other/other.go", "package other\n"), 0, false},
		{"a module in the place of another", file("shop/go.mod", "module example.com/shop\n\ngo 1.26\n\nreplace example.com/lib => ../lib\n\nrequire example.com/lib v0.0.0\n"), 0, false},
		{"used", file("shop/use.go", "package shop\n\nimport \"example.com/lib\"\n\nfunc F() { lib.F(Alpha) }\n"), 1, false},
		{"changed", file("lib/lib.go", "package lib\n\nfunc F() {}\n"), 1, true},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if got, c := uses(t, p); got != step.want || (c.State == Complete) == step.bad {
			t.Errorf("%s: %d uses, want %d; %s %s", step.name, got, step.want, c.State, c.Reason)
		}
	}
}
