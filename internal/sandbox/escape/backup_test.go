//go:build linux

package escape

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// described is what must be as before of all that is in a tree, links and directories among it, with the times of files.
func described(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, path)
		if err == nil {
			all[below], err = describe(path, entry, true)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Whatever a command does to a tree, restore makes it what it was.
func TestRestore(t *testing.T) {
	dir := t.TempDir()
	b := &backup{kept: filepath.Join(dir, "kept"), tree: filepath.Join(dir, "tree")}
	run := func(line string) {
		t.Helper()
		cmd := exec.Command("sh", "-ec", line)
		cmd.Dir = b.tree
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
	}
	if err := os.Mkdir(b.tree, 0o755); err != nil {
		t.Fatal(err)
	}
	run(`mkdir -p a/b empty; echo one > a/one; echo two > a/b/two; chmod 4755 a/b/two; chmod 700 a/b; ln -s one a/link; ln -s . here; touch -d 2020-01-01 a/one`)
	if err := copyTree(t.Context(), b.tree, b.kept); err != nil {
		t.Fatal(err)
	}
	want := described(t, b.tree)
	if err := b.restore(); err != nil { // it knows the files of the tree from here on
		t.Fatal(err)
	}
	for _, line := range []string{
		`true`, `echo six > a/one; touch -d 2020-01-01 a/one`, `touch a/one`, `chmod 600 a/one`, `chmod 777 a a/b`, `echo x >> a/b/two`, `rm a/one`, `rm -r a`,
		`mv a c; mkdir a; echo one > a/one`, `rm -r a; ln -s empty a`, `rm a/link; mkdir a/link`, `ln -sfn b a/link`, `rm a/one; ln -s b/two a/one`,
		`rm a/one; mkfifo a/one`, `rmdir empty; echo x > empty`, `mkdir -p new/in; echo x > new/in/file; chmod 0 new`, `chmod 0 a/b a`, `ln a/one other; echo x >> other`,
		`mv a/one was; cp -p was a/one; rm was`, `mv a/one o; mv a/b/two a/one; mv o a/b/two`,
		`rm -r a; ln -s "$PWD/../kept/a" a`,
	} {
		run(line)
		if err := b.restore(); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if got := described(t, b.tree); !maps.Equal(got, want) {
			t.Errorf("after %s:\n%q\nwant\n%q", line, got, want)
		}
		if kept := described(t, b.kept); !maps.Equal(kept, want) {
			t.Fatalf("%s: the copy has changed:\n%q", line, kept)
		}
	}
}
