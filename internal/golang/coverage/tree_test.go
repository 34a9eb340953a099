package coverage

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

func keyOf(t *testing.T, module, dir string) string {
	t.Helper()
	tree, err := readTree(t.Context(), module, &statCache{known: make(map[string]*file)})
	if err != nil {
		t.Fatal(err)
	}
	return tree.key(filepath.Join(module, dir))
}

// Packages of modules beside the one that is asked about count as its own do, if they are compiled with it.
func TestModulesBeside(t *testing.T) {
	for name, rule := range map[string]struct{ path, text string }{
		"replaced": {"m/go.mod", "module example.test/m\n\nrequire example.test/lib v0.0.0\n\nreplace example.test/lib => ../lib\n"},
		"used":     {"go.work", "go 1.26\n\nuse (\n\t./m\n\t./lib\n)\n"},
	} {
		dir := t.TempDir()
		lay(t, dir, `
-- m/go.mod --
module example.test/m
-- m/a_test.go --
package m

import "example.test/lib/deep"
-- lib/go.mod --
module example.test/lib
-- lib/deep/deep.go --
package deep
-- lib/other/other.go --
package other
`)
		write(t, filepath.Join(dir, rule.path), rule.text)
		before := keyOf(t, filepath.Join(dir, "m"), ".")
		write(t, filepath.Join(dir, "lib", "other", "other.go"), "package other // changed\n")
		if keyOf(t, filepath.Join(dir, "m"), ".") != before {
			t.Errorf("%s: what is not imported counts", name)
		}
		write(t, filepath.Join(dir, "lib", "deep", "deep.go"), "package deep // changed\n")
		if keyOf(t, filepath.Join(dir, "m"), ".") == before {
			t.Errorf("%s: what is imported does not count", name)
		}
	}
}

// Files that a package embeds count for those that import it.
func TestEmbeddedFiles(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, `
-- go.mod --
module example.test/m
-- a/a_test.go --
package a

import "example.test/m/b"
-- b/b.go --
package b

import _ "embed"
-- b/text/en.txt --
yes
`)
	before := keyOf(t, dir, "a")
	write(t, filepath.Join(dir, "b", "text", "en.txt"), "no")
	if keyOf(t, dir, "a") == before {
		t.Error("an embedded file does not count")
	}
}

func TestLinksAndLargeFiles(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, archive)
	large := filepath.Join(dir, "a", "testdata", "large")
	write(t, large, "")
	if err := errors.Join(os.Truncate(large, maxContent+1), os.Symlink("../b/b.go", filepath.Join(dir, "a", "linked.go")),
		os.Symlink("nothing", filepath.Join(dir, "a", "broken"))); err != nil {
		t.Fatal(err)
	}
	before := keyOf(t, dir, "a")
	if keyOf(t, dir, "a") != before {
		t.Error("the same files have two keys")
	}
	if err := os.Truncate(large, maxContent+2); err != nil {
		t.Fatal(err)
	}
	if keyOf(t, dir, "a") == before {
		t.Error("a large file does not count")
	}
	before = keyOf(t, dir, "a")
	write(t, filepath.Join(dir, "b", "b.go"), "package b // changed\n")
	if keyOf(t, dir, "a") == before {
		t.Error("what a link leads to does not count")
	}
}

func TestModuleOf(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, "-- go.mod --\n-- a/b/c.go --\n-- n/go.mod --\n-- n/x/y.go --\n")
	for from, want := range map[string]string{"a/b": "", "n/x": "n", "n": "n", ".": ""} {
		if got := ModuleOf(filepath.Join(dir, from), dir); got != filepath.Join(dir, want) {
			t.Errorf("%s: %s", from, got)
		}
	}
	if got := ModuleOf(filepath.Join(dir, "a", "b"), filepath.Join(dir, "a")); got != "" {
		t.Errorf("beyond the root: %s", got)
	}
}

func TestCompiled(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]bool{"a.go": true, "a_linux.go": false, "a_wasip1.go": true, "b.go": false, "c.go": false} {
		text := map[string]string{"b.go": "//go:build !wasip1\n\npackage a\n", "c.go": "package a\n\nimport \"C\"\n"}[name]
		if text == "" {
			text = "package a\n"
		}
		path := filepath.Join(dir, name)
		write(t, path, text)
		if Compiled(path) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

// Joined lists each function that tests of several packages ran once, without its line where the files have changed.
func TestJoined(t *testing.T) {
	do, both, file := Function{"/m/a/a.go", 10, "(*S).Do"}, Function{"/m/b.go", 20, "Do"}, "/m/b.go"
	a, b := newRecorder("/m", "/m/a", "k"), newRecorder("/m", "/m/b", "old")
	a.add(Result{Test: "TestA", Passed: true, Ran: []Function{do, both}})
	a.add(Result{Test: "TestB", Ran: []Function{both}})
	b.add(Result{Test: "TestC", Passed: true, Ran: []Function{both, {file, 30, "Do"}}})
	of := func(r *recorder, dir string) Package {
		return (&state{key: "k", record: &r.record}).tell("/m", dir, Target{})
	}
	tests, ran := Joined([]Package{of(a, "/m/a"), of(b, "/m/b"), (&state{key: "k"}).tell("/m", "/m/c", Target{})})
	want := []Ran{{Function{"/m/a/a.go", 10, "S.Do"}, []int{0}}, {both, []int{0, 1}}, {Function{file, 0, "Do"}, []int{2}}}
	if !slices.Equal(tests, []Name{{"/m/a", "TestA"}, {"/m/a", "TestB"}, {"/m/b", "TestC"}}) || !reflect.DeepEqual(ran, want) {
		t.Errorf("%q ran %+v", tests, ran)
	}
}

// Functions are told apart by their lines, and where these have changed by their names.
func TestRuns(t *testing.T) {
	r := newRecorder("/m", "/m/a", "k")
	r.add(Result{Package: "/m/a", Test: "T", Passed: true, Ran: []Function{
		{"/m/a/a.go", 10, "(*S).Do"}, {"/m/a/a.go", 20, "Do"}, {"/m/a/a.go", 30, "*R.Do"}, {"/m/a/a.go", 30, "*R.Do"}, {"/etc/x.go", 1, "X"},
	}})
	if !r.record.sound() || len(r.record.Functions) != 3 || len(r.record.Tests[0].Ran) != 3 {
		t.Errorf("%+v", r.record)
	}
	for _, tt := range []struct {
		target     Target
		fresh, ran bool
	}{
		{Target{"/m/a/a.go", "S.Do", 10, 20}, true, true},
		{Target{"/m/a/a.go", "S.Do", 9, 10}, true, false},
		{Target{"/m/a/a.go", "Last", 31, 0}, true, false},
		{Target{"/m/a/a.go", "Last", 30, 0}, true, true},
		{Target{"/m/b/a.go", "S.Do", 10, 20}, true, false},
		{Target{"/m/a/a.go", "S.Do", 100, 120}, false, true},
		{Target{"/m/a/a.go", "Generic.Do", 100, 120}, false, true},
		{Target{"/m/a/a.go", "R.Done", 30, 0}, false, false},
	} {
		if got := r.record.runs("/m", tt.target, tt.fresh)[0].Ran; got != tt.ran {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}
