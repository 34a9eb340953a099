package lsp

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// git runs git as a user would, with nothing of the user's own.
func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(environment(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// walked are the files that a first walk finds, below dir.
func walked(t *testing.T, dir string) []string {
	t.Helper()
	typescript := Language{ID: "typescript", Extensions: []string{".ts"}, Manifests: []string{"tsconfig.json", "compile_commands.json"}}
	d := newDisk(dir, []Language{golang(), typescript})
	defer d.unwatch()
	return describeChanges(dir, d.walk(nil))
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
	write(t, dir, outputs)
	all := created("build/copy.ts", "build/embed.go", "build/tsconfig.json", "build/1/2/3/deep.go", "dist/force/added.ts", "gen/api.ts",
		"out/kept.ts", "out/other.ts", "obj/source.ts", "coverage/report.ts", "packages/a/dist/copy.ts", "packages/a/target/copy.ts",
		"packages/b/target/source.ts", "native/build/compile_commands.json", "native/build/made.ts")
	if diff := cmp.Diff(all, walked(t, dir)); diff != "" {
		t.Errorf("without a repository:\n%s", diff)
	}
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-f", "dist/force/added.ts")
	put(t, filepath.Join(dir, ".git", "info", "exclude"), "coverage\n")
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
	write(t, library, "-- a.go --\n-- build/made.go --\n-- .gitignore --\nbuild\n")
	git(t, library, "init", "-q")
	git(t, library, "add", "-A")
	git(t, library, "commit", "-qm", "first")
	write(t, dir, `
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
	git(t, dir, "init", "-q")
	git(t, dir, "submodule", "--quiet", "add", library, "sub")
	git(t, dir, "commit", "-qm", "first")
	git(t, dir, "worktree", "add", "-q", "trees/feature")
	put(t, filepath.Join(dir, "trees", "feature", "b.ts"), "")
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
	write(t, dir, "-- .gitignore --\ndist\n-- main.ts --\n")
	git(t, dir, "init", "-q")
	d := newDisk(dir, []Language{{ID: "typescript", Extensions: []string{".ts"}}})
	defer d.unwatch()
	d.walk(nil)
	for range 2 {
		put(t, filepath.Join(dir, "dist", "copy.ts"), "")
		put(t, filepath.Join(dir, "dist", "sub", "copy.ts"), "")
		if got := describeChanges(dir, d.walk(map[string]bool{filepath.Join(dir, "dist", "gone.txt"): true})); got != nil {
			t.Errorf("changes %q", got)
		}
		if err := os.RemoveAll(filepath.Join(dir, "dist")); err != nil {
			t.Fatal(err)
		}
		d.walk(nil)
	}
}
