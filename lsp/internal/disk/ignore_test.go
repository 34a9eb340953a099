package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp/lsptest"
)

// walked are the files that a first walk finds, below dir.
func walked(t *testing.T, dir string) []string {
	t.Helper()
	selected := goFiles()
	selected.Suffixes = append(selected.Suffixes, ".ts")
	selected.Names = append(selected.Names, "tsconfig.json", "compile_commands.json")
	d := New(dir, selected)
	defer d.Unwatch()
	return describeChanges(dir, d.Walk(nil))
}

func created(names ...string) []string {
	for i := range names {
		names[i] = "created " + names[i]
	}
	slices.Sort(names)
	return names
}

const outputs = `
-- .gitignore --
build/
dist
gen/
/out/*
!/out/kept.ts
-- packages/a/.gitignore --
target/
-- build/copy.ts --
-- build/embed.go --
-- build/tsconfig.json --
-- build/1/2/3/deep.go --
-- dist/force/added.ts --
-- gen/api.ts --
-- out/kept.ts --
-- out/other.ts --
-- obj/source.ts --
-- coverage/report.ts --
-- packages/a/dist/copy.ts --
-- packages/a/target/copy.ts --
-- packages/b/target/source.ts --
-- native/build/compile_commands.json --
-- native/build/made.ts --
`

// TestOutputs walks what git ignores, except where the name says too that a tool has put it there.
func TestOutputs(t *testing.T) {
	dir := t.TempDir()
	lsptest.Write(t, dir, outputs)
	all := created("build/copy.ts", "build/embed.go", "build/tsconfig.json", "build/1/2/3/deep.go", "dist/force/added.ts", "gen/api.ts",
		"out/kept.ts", "out/other.ts", "obj/source.ts", "coverage/report.ts", "packages/a/dist/copy.ts", "packages/a/target/copy.ts",
		"packages/b/target/source.ts", "native/build/compile_commands.json", "native/build/made.ts")
	if diff := cmp.Diff(all, walked(t, dir)); diff != "" {
		t.Errorf("without a repository:\n%s", diff)
	}
	lsptest.Git(t, dir, "init", "-q")
	lsptest.Git(t, dir, "add", "-f", "dist/force/added.ts")
	lsptest.Put(t, filepath.Join(dir, ".git", "info", "exclude"), "coverage\n")
	want := created("build/embed.go", "build/tsconfig.json", "dist/force/added.ts", "gen/api.ts", "out/kept.ts", "out/other.ts",
		"obj/source.ts", "packages/b/target/source.ts", "native/build/compile_commands.json", "native/build/made.ts")
	if diff := cmp.Diff(want, walked(t, dir)); diff != "" {
		t.Errorf("in a repository:\n%s", diff)
	}
	if diff := cmp.Diff(created("target/source.ts"), walked(t, filepath.Join(dir, "packages", "b"))); diff != "" {
		t.Errorf("below the top of a repository:\n%s", diff)
	}
}

// TestForeign leaves out what tools have marked as theirs and other worktrees, but no submodules.
func TestForeign(t *testing.T) {
	library, dir := t.TempDir(), t.TempDir()
	lsptest.Write(t, library, "-- a.go --\n-- build/made.go --\n-- .gitignore --\nbuild\n")
	lsptest.Git(t, library, "init", "-q")
	lsptest.Git(t, library, "add", "-A")
	lsptest.Git(t, library, "commit", "-qm", "first")
	lsptest.Write(t, dir, `
-- main.ts --
-- env/pyvenv.cfg --
-- env/lib/a.ts --
-- cache/CACHEDIR.TAG --
-- cache/a.ts --
-- vendor/modules.txt --
-- vendor/a.go --
-- vendor.ts --
-- node_modules/a/index.ts --
-- nested/.git/HEAD --
-- nested/a.ts --
`)
	lsptest.Git(t, dir, "init", "-q")
	lsptest.Git(t, dir, "submodule", "--quiet", "add", library, "sub")
	lsptest.Git(t, dir, "commit", "-qm", "first")
	lsptest.Git(t, dir, "worktree", "add", "-q", "trees/feature")
	lsptest.Put(t, filepath.Join(dir, "trees", "feature", "b.ts"), "")
	want := created("main.ts", "vendor.ts", "vendor/modules.txt", "nested/a.ts", "sub/a.go")
	if diff := cmp.Diff(want, walked(t, dir)); diff != "" {
		t.Errorf("the primary tree:\n%s", diff)
	}
	if diff := cmp.Diff(created("b.ts"), walked(t, filepath.Join(dir, "trees", "feature"))); diff != "" {
		t.Errorf("a worktree of its own:\n%s", diff)
	}
}

// TestOutputAppears marks an output directory when it is made, and forgets it when it is gone.
func TestOutputAppears(t *testing.T) {
	dir := t.TempDir()
	lsptest.Write(t, dir, "-- .gitignore --\ndist\n-- main.ts --\n")
	lsptest.Git(t, dir, "init", "-q")
	d := New(dir, Selection{Suffixes: []string{".ts"}})
	defer d.Unwatch()
	d.Walk(nil)
	for range 2 {
		lsptest.Put(t, filepath.Join(dir, "dist", "copy.ts"), "")
		lsptest.Put(t, filepath.Join(dir, "dist", "sub", "copy.ts"), "")
		if got := describeChanges(dir, d.Walk(map[string]bool{filepath.Join(dir, "dist", "gone.txt"): true})); got != nil {
			t.Errorf("changes %q", got)
		}
		if err := os.RemoveAll(filepath.Join(dir, "dist")); err != nil {
			t.Fatal(err)
		}
		d.Walk(nil)
	}
}
