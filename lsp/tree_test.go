package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folded is the toy language, of which one process serves all trees, each nested toy.mod a root of its own.
func folded() Language {
	language := toy()
	language.Folders = true
	language.Nested = func(outer, marker string) bool { return true }
	return language
}

// found are the places of the symbols that a new View of the tree around a directory finds, with what that is worth.
func found(t *testing.T, p *Project, dir, name string) ([]string, Completeness) {
	t.Helper()
	v, err := p.View(t.Context(), ViewOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := v.Symbols(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	places := []string{}
	for _, s := range symbols {
		places = append(places, v.tree.Relative(s.Location.Path))
	}
	slices.Sort(places)
	return places, v.Completeness()
}

// Two modules that have nothing to do with each other, none in the root, beside sources of something else.
func TestNestedModules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, `
-- package.json --
-- a/go.mod --
module example.com/a

go 1.26
-- a/a.go --
package a

func Same() {}

func A() { Same() }
-- deep/b/go.mod --
module example.com/b

go 1.26
-- deep/b/b.go --
package b

func Same() {}
-- deep/b/testdata/x/go.mod --
module example.com/x
-- deep/b/testdata/x/x.go --
package x

func Same() {}
-- stray.go --
package stray

func Lost() {}
`)
	p := open(t, dir, gopls(t))
	if got, c := found(t, p, "", "Same"); !slices.Equal(got, []string{"a/a.go", "deep/b/b.go"}) || c.State != Complete {
		t.Errorf("%s, %+v", got, c)
	}
	if got, c := usesOf(t, p, "example.com/a.Same"); got != 1 || c.State != Complete {
		t.Errorf("%d uses, %+v", got, c)
	}
	if _, c := found(t, p, "", "Lost"); c.State != Partial || !strings.Contains(c.Reason, "stray.go mentions Lost but lies below no go.work or go.mod") {
		t.Errorf("a file of no module: %+v", c)
	}
	status := p.Status()
	if len(status) != 1 || !slices.Equal(status[0].Roots, []string{filepath.Join(dir, "a"), filepath.Join(dir, "deep", "b")}) {
		t.Errorf("status %+v", status)
	}
}

// What one module declares another may use; gopls answers from the module of the file asked about.
func TestModulesThatUseEachOther(t *testing.T) {
	t.Parallel()
	p, dir := project(t, twoModules+`
-- third/go.mod --
module example.com/third

go 1.26
-- third/third.go --
package third

// F is only called so.
func F() {}
`)
	for _, at := range []Location{At(filepath.Join(dir, "a.go"), 3, 6), At(filepath.Join(dir, "sub", "main.go"), 5, 17)} {
		v := view(t, p)
		refs, err := v.References(t.Context(), at, true)
		got := brief(dir, refs)
		slices.Sort(got)
		if diff := cmp.Diff([]string{"a.go:3:6", "sub/main.go:5:17"}, got); err != nil || diff != "" {
			t.Errorf("from %s: %v %s", briefly(dir, at), err, diff)
		}
		if c := v.Completeness(); c.State != Complete {
			t.Errorf("from %s: %+v", briefly(dir, at), c)
		}
	}
}

// Modules that come and go while the server runs.
func TestRootsComeAndGo(t *testing.T) {
	t.Parallel()
	for name, b := range benches(t) {
		t.Run(name, func(t *testing.T) {
			if name == "toy" {
				b.language = folded()
			}
			dir := t.TempDir()
			write(t, dir, b.manifest)
			put(t, filepath.Join(dir, b.name), b.source)
			p := open(t, dir, b.language)
			if got, c := found(t, p, "", "Alpha"); len(got) != 1 || c.State != Complete {
				t.Fatalf("before: %s, %+v", got, c)
			}
			pid := p.Status()[0].PID
			more := filepath.Join(dir, "more")
			for round := range 2 {
				write(t, more, strings.ReplaceAll(b.manifest, "bench", "more"))
				put(t, filepath.Join(more, b.name), b.source)
				if got, c := found(t, p, "", "Alpha"); len(got) != 2 || c.State != Complete {
					t.Errorf("round %d, it came: %s, %+v", round, got, c)
				}
				if err := os.RemoveAll(more); err != nil {
					t.Fatal(err)
				}
				if got, c := found(t, p, "", "Alpha"); len(got) != 1 || c.State != Complete {
					t.Errorf("round %d, it went: %s, %+v", round, got, c)
				}
			}
			if s := p.Status()[0]; s.PID != pid || len(s.Roots) != 1 {
				t.Errorf("status %+v", s)
			}
		})
	}
}

// worktrees is a repository with the files of b, and worktrees beside it and in two places inside.
func worktrees(t *testing.T, b bench) (dir string, trees []string) {
	t.Helper()
	base := t.TempDir()
	dir = filepath.Join(base, "main")
	write(t, dir, b.manifest)
	put(t, filepath.Join(dir, b.name), b.source)
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	trees = []string{filepath.Join(base, "beside"), filepath.Join(dir, ".claude", "worktrees", "hidden"), filepath.Join(dir, "plain")}
	for i, tree := range trees {
		git(t, dir, "worktree", "add", "-q", "-b", fmt.Sprint("b", i), tree)
	}
	return dir, trees
}

// Each worktree finds its own files, from one process.
func TestWorktrees(t *testing.T) {
	t.Parallel()
	for name, b := range benches(t) {
		t.Run(name, func(t *testing.T) {
			if name == "toy" {
				b.language = folded()
			}
			dir, trees := worktrees(t, b)
			p := open(t, dir, b.language)
			ext := filepath.Ext(b.name)
			put(t, filepath.Join(dir, "more"+ext), b.more("Beta", 1, 0))
			for i, tree := range trees {
				put(t, filepath.Join(tree, "more"+ext), b.more(fmt.Sprint("Gamma", i), 2+i, 0))
			}
			for i, tree := range append(trees, dir) {
				v, err := p.View(t.Context(), ViewOptions{Dir: tree})
				if err != nil {
					t.Fatal(err)
				}
				at := one(t, v, "Alpha").Location
				refs, err := v.References(t.Context(), at, false)
				want := 3 + i
				if tree == dir {
					want = 2
				}
				if c := v.Completeness(); v.Root() != tree || at.Path != filepath.Join(tree, b.name) || len(refs) != want || err != nil || c.State != Complete {
					t.Errorf("%s: %s, %s, %d uses, want %d; %v, %+v", tree, v.Root(), at.Path, len(refs), want, err, c)
				}
			}
			// What does not compile in one is nothing to the others.
			put(t, filepath.Join(trees[0], "more"+ext), b.more("Gamma0", 1, 1))
			for i, tree := range append(trees, dir) {
				if _, c := found(t, p, tree, "Alpha"); (c.State == Partial) != (i == 0) {
					t.Errorf("%s: %+v", tree, c)
				}
			}
			if s := p.Status(); len(s) != 1 || len(s[0].Trees) != 4 {
				t.Errorf("status %+v", s)
			}
			git(t, dir, "worktree", "remove", "--force", trees[2])
			if got, c := found(t, p, "", "Alpha"); len(got) != 1 || c.State != Complete {
				t.Errorf("after one went: %s, %+v", got, c)
			}
		})
	}
}

// Where a caller works decides which tree is meant.
func TestTreeAt(t *testing.T) {
	t.Parallel()
	dir, trees := worktrees(t, benches(t)["toy"])
	put(t, filepath.Join(trees[0], "sub", "x.toy"), "def X\n")
	p := open(t, dir, folded())
	for at, want := range map[string]string{
		"":                                dir,
		dir:                               dir,
		filepath.Join(dir, "nowhere"):     dir,
		filepath.Join(trees[0], "sub"):    trees[0],
		filepath.Join(trees[1], "absent"): trees[1],
		t.TempDir():                       dir,
	} {
		if got := p.workspace.RootAt(at); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
	part := open(t, filepath.Join(trees[0], "sub"), folded()) // a project in a part of a worktree
	if got := part.workspace.RootAt(filepath.Join(dir, "sub")); got != dir {
		t.Errorf("the same part does not exist there: %s", got)
	}
}
