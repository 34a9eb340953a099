package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidepool/lsp/internal/session"
)

// TestNewPackages makes directories to packages in every way, and asks at once.
func TestNewPackages(t *testing.T) {
	t.Parallel()
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

// TestVendoring brings the vendor directory out of step with go.mod and into it again. Meanwhile gopls loads nothing,
// which it says in its log.
func TestVendoring(t *testing.T) {
	t.Parallel()
	p, dir := project(t, `
-- go.mod --
module example.com/shop

go 1.26

require example.com/one v0.0.0

replace example.com/one => ./mods/one

replace example.com/two => ./mods/two
-- main.go --
package main

import "example.com/one"

func Alpha() {}

func main() { Alpha(); one.One() }
-- mods/one/go.mod --
module example.com/one

go 1.26
-- mods/one/one.go --
package one

func One() {}
-- mods/two/go.mod --
module example.com/two

go 1.26
-- mods/two/two.go --
package two

func Two() {}
`)
	command := func(args ...string) func() {
		return func() {
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir, cmd.Env = dir, environment("GOWORK=off")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
		}
	}
	more := func() {
		put(t, filepath.Join(dir, "more.go"), "package main\n\nimport \"example.com/two\"\n\nfunc more() { two.Two(); Alpha() }\n")
	}
	steps := []struct {
		name   string
		do     func()
		uses   int    // -1: nothing is known of Alpha
		reason string // a part of why the answer is partial
	}{
		{"nothing", func() {}, 1, ""},
		{"vendored", command("go", "mod", "vendor"), 1, ""},
		{"a package that no module brings", more, -1, "updates to go.mod needed"},
		{"a module that is not vendored", command("go", "mod", "edit", "-require", "example.com/two@v0.0.0"), -1, "inconsistent vendoring"},
		{"all vendored", command("go", "mod", "vendor"), 2, ""},
		{"nothing vendored", command("rm", "-r", "vendor"), 2, ""},
	}
	for _, step := range steps {
		step.do()
		v, got := view(t, p), -1
		if found, err := v.Symbols(t.Context(), "Alpha"); err != nil {
			t.Fatal(err)
		} else if len(found) == 1 {
			refs, err := v.References(t.Context(), found[0].Location, false)
			if got = len(refs); err != nil {
				t.Fatal(err)
			}
		}
		c := v.Completeness()
		if got != step.uses || (c.State == Complete) != (step.reason == "") || !strings.Contains(c.Reason, step.reason) {
			t.Errorf("%s: %d uses, want %d; %s %q, want %q", step.name, got, step.uses, c.State, c.Reason, step.reason)
		}
	}
}

// racingGo puts a go command first on PATH that, once there is the file race, lists packages while dir is not there.
func racingGo(t *testing.T, race, dir string) (path string) {
	t.Helper()
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin, away := t.TempDir(), filepath.Join(t.TempDir(), "away")
	script := fmt.Sprintf(`#!/bin/sh
case "$1 $*" in
list*builtin*)
	if mv %[1]q %[1]q.taken 2>/dev/null; then
		cp -R %[2]q %[3]q && rm -r %[2]q
		%[4]q "$@"
		status=$?
		cp -R %[3]q %[2]q
		exit $status
	fi
esac
exec %[4]q "$@"
`, race, dir, away, real)
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return bin + string(filepath.ListSeparator) + os.Getenv("PATH")
}

// A package goes and comes back while gopls lists all packages because of another change, as when one branch is left and
// another entered: the answer is about the disk as it is.
func TestPackageBackWhileListing(t *testing.T) {
	t.Parallel()
	dir, race := t.TempDir(), filepath.Join(t.TempDir(), "race")
	write(t, dir, "-- go.mod --\nmodule example.com/shop\n\ngo 1.26\n-- user/user.go --\npackage user\n\nfunc Name() {}\n"+
		"-- main.go --\npackage main\n\nimport \"example.com/shop/user\"\n\nfunc main() { user.Name() }\n")
	path := racingGo(t, race, filepath.Join(dir, "user"))
	p := openWith(t, Options{Root: dir, Languages: []Language{gopls(t)}, Env: environment("GOWORK=off", "PATH="+path)})
	if got, c := usesOf(t, p, "Name"); got != 1 || c.State != Complete {
		t.Fatalf("%d uses, %+v", got, c)
	}
	put(t, race, "")
	put(t, filepath.Join(dir, "guest", "guest.go"), "package guest\n\nimport \"example.com/shop/user\"\n\nfunc F() { user.Name() }\n")
	if got, c := usesOf(t, p, "Name"); got != 2 || c.State != Complete {
		t.Errorf("%d uses, %+v", got, c)
	}
	if !vanished(race) {
		t.Error("gopls has listed nothing meanwhile")
	}
	check := p.Check(patient(t), filepath.Join(dir, "main.go"))
	for _, errors := range check.Now {
		if !check.Over || len(errors.Problems) > 0 {
			t.Errorf("over %v, errors %+v", check.Over, errors)
		}
	}
}

// Who waits for a session that ends meanwhile hears why, and does not wait for another one.
func TestCatchUpWithWhatHasEnded(t *testing.T) {
	t.Parallel()
	p, _ := toyProject(t)
	view(t, p)
	live := current(p)
	live.Kill()
	isEnded(t, live)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var exit *session.ExitError
	if err := p.workspace.Servers()[0].CatchUp(ctx, live, p.workspace.Main.Part(), func() {}); !errors.As(err, &exit) {
		t.Errorf("error %v", err)
	}
}
