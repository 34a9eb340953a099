package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tidepool/lsp/lsptest"
)

// TestLinkTurned tells of links to directories that lead elsewhere than before, also where that is decided outside of the tree.
func TestLinkTurned(t *testing.T) {
	for _, watched := range []bool{true, false} {
		linkTurned(t, watched)
	}
}

func linkTurned(t *testing.T, watched bool) {
	t.Helper()
	root, away := t.TempDir(), t.TempDir()
	lsptest.Write(t, root, "-- one/a.go --\n-- two/b.go --\n-- sub/c.go --\n-- notes.txt --\n")
	lsptest.Write(t, away, "-- one/a.go --\n-- two/b.go --\n")
	turn := func(link, target string) {
		if err := os.RemoveAll(link); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); target != "" && err != nil {
			t.Fatal(err)
		}
	}
	here := func(name string) string { return filepath.Join(root, name) }
	turn(here("link"), "one")
	turn(here("chain"), "link")
	turn(here("text"), "notes.txt")
	turn(here("out"), filepath.Join(away, "link"))
	turn(filepath.Join(away, "link"), "one")
	settled(t, away)
	d := New(root, goFiles())
	defer d.Unwatch()
	if !watched {
		d.Unwatch()
	}
	steps := []struct {
		name string
		do   func()
		want []string
	}{
		{"at first", func() {}, []string{"created one/a.go", "created sub/c.go", "created two/b.go"}},
		{"nothing", func() {}, nil},
		{"turned", func() { turn(here("link"), "two") }, []string{"changed chain", "changed link"}},
		{"turned by another name", func() { turn(here("link"), here("two")) }, []string{"changed link"}},
		{"to nothing", func() { turn(here("link"), "three") }, []string{"changed chain", "changed link"}},
		{"which is there now", func() { lsptest.Put(t, here("three/notes.txt"), "") }, []string{"changed chain", "changed link"}},
		{"a file in it", func() { lsptest.Put(t, here("three/d.go"), "") }, []string{"created three/d.go"}},
		{"gone", func() { turn(here("link"), "") }, []string{"changed chain", "changed link"}},
		{"another one", func() { turn(here("sub/link"), "../one") }, []string{"changed sub/link"}},
		{"its directory gone", func() { os.RemoveAll(here("sub")) }, []string{"changed sub/link", "deleted sub/c.go"}},
		{"turned outside", func() { turn(filepath.Join(away, "link"), "two") }, []string{"changed out"}},
		{"one to a file", func() { turn(here("text"), "one/a.go") }, nil},
	}
	for _, step := range steps {
		step.do()
		if got := describeChanges(root, d.Walk(nil)); !slices.Equal(got, step.want) {
			t.Errorf("%s (watched: %v): %q, want %q", step.name, watched, got, step.want)
		}
	}
	if got, want := d.Links(), []string{here("chain"), here("out")}; len(got) != 2 || got[0].Path != want[0] || got[1].Path != want[1] ||
		got[0].To != "" || got[1].To != filepath.Join(away, "two") {
		t.Errorf("links %v, want %v", got, want)
	}
}
