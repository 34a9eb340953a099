package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tidepool/lsp/lsptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// goFiles selects what Go needs.
func goFiles() Selection {
	return Selection{Suffixes: []string{".go"}, Built: []string{".go"}, Names: []string{"go.mod", "go.work", VendorList}}
}

// settled makes every file and directory old enough for its time to be trusted.
func settled(t testing.TB, dir string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWalk(t *testing.T) {
	dir := t.TempDir()
	lsptest.Write(t, dir, `
-- go.mod --
-- a.go --
-- notes.txt --
-- .hidden.go --
-- .git/x.go --
-- vendor/modules.txt --
-- vendor/x.go --
-- third/vendor/x.go --
-- node_modules/x.go --
-- sub/b.go --
-- sub/deep/c.go --
-- bin/tool.go --
`)
	settled(t, dir)
	d := New(dir, goFiles())
	defer d.Unwatch()
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	try := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	swap := func(name, text string) { // of the size and with the time of a.go
		info, err := os.Stat(path("a.go"))
		try(err)
		lsptest.Put(t, path(name), text)
		try(os.Chtimes(path(name), info.ModTime(), info.ModTime()))
	}
	steps := []struct {
		name string
		do   func()
		told []string
		want []string
	}{
		{name: "first", want: []string{"created a.go", "created bin/tool.go", "created go.mod", "created sub/b.go", "created sub/deep/c.go", "created third/vendor/x.go", "created vendor/modules.txt"}},
		{name: "nothing"},
		{name: "longer", do: func() { lsptest.Put(t, path("a.go"), "package a\n") }, want: []string{"changed a.go"}},
		{name: "nothing again"},
		{name: "touched", do: func() { try(os.Chtimes(path("a.go"), time.Now(), time.Now().Add(-time.Minute))) }, want: []string{"changed a.go"}},
		{name: "told of no change", told: []string{"a.go"}},
		{name: "told of what does not show", do: func() { swap("a.go", "package b\n") }, told: []string{"a.go"}, want: []string{"changed a.go"}},
		{name: "what does not show in time and size", do: func() { swap("a.go", "package c\n") }, want: []string{"changed a.go"}},
		{name: "other rights", do: func() { try(os.Chmod(path("a.go"), 0o600)) }},
		{name: "replaced by one of that time and size", do: func() { swap("a.tmp", "package d\n"); try(os.Rename(path("a.tmp"), path("a.go"))) },
			want: []string{"changed a.go"}},
		{name: "new", do: func() { lsptest.Put(t, path("sub/deep/er/d.go"), ""); lsptest.Put(t, path("sub/b2.go"), "") },
			want: []string{"created sub/b2.go", "created sub/deep/er/d.go"}},
		{name: "renamed", do: func() { try(os.Rename(path("sub/b2.go"), path("sub/b3.go"))) },
			want: []string{"created sub/b3.go", "deleted sub/b2.go"}},
		{name: "replaced by a directory", do: func() { try(os.Remove(path("sub/b3.go"))); lsptest.Put(t, path("sub/b3.go/x.go"), "") },
			want: []string{"created sub/b3.go/x.go", "deleted sub/b3.go"}},
		{name: "directory gone", do: func() { try(os.RemoveAll(path("sub"))) },
			want: []string{"deleted sub/b.go", "deleted sub/b3.go/x.go", "deleted sub/deep/c.go", "deleted sub/deep/er/d.go"}},
		{name: "told of what is not followed", told: []string{"vendor/x.go", "gone.go", "notes.txt"},
			want: []string{"changed vendor/x.go", "deleted gone.go"}},
		{name: "told of what shows", do: func() { lsptest.Put(t, path("a.go"), "package aa\n") }, told: []string{"a.go"}, want: []string{"changed a.go"}},
	}
	for _, step := range steps {
		if step.do != nil {
			step.do()
		}
		told := map[string]bool{}
		for _, name := range step.told {
			told[path(name)] = true
		}
		changes := d.Walk(told)
		if diff := cmp.Diff(step.want, describeChanges(dir, changes)); diff != "" {
			t.Errorf("%s: %s", step.name, diff)
		}
		settled(t, dir)
		d.Walk(nil) // takes in the older times
	}
}

func describeChanges(dir string, changes []Change) []string {
	verbs := map[Kind]string{
		Created: "created",
		Changed: "changed",
		Deleted: "deleted",
	}
	var out []string
	for _, c := range changes {
		name, _ := filepath.Rel(dir, c.Path)
		out = append(out, verbs[c.Kind]+" "+filepath.ToSlash(name))
	}
	slices.Sort(out)
	return out
}

// TestRacy changes a file within the resolution of its time: it stays suspect until its time is old.
func TestRacy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.go")
	lsptest.Put(t, path, "package a\n")
	d := New(dir, goFiles())
	defer d.Unwatch()
	d.Walk(nil)
	lsptest.Put(t, path, "package b\n")
	stampNow := time.Now()
	if err := os.Chtimes(path, stampNow, stampNow); err != nil {
		t.Fatal(err)
	}
	d.top.files[0].stamp.modified = stampNow.UnixNano() // as if the first had had the same time
	if got := describeChanges(dir, d.Walk(nil)); len(got) != 1 {
		t.Errorf("%q, want a change", got)
	}
}

// TestQuiet looks at the disk only when the watch has seen something, is not trusted any more, or is not there.
func TestQuiet(t *testing.T) {
	dir := t.TempDir()
	lsptest.Put(t, filepath.Join(dir, "sub", "a.go"), "package a\n")
	settled(t, dir)
	d := New(dir, goFiles())
	defer d.Unwatch()
	d.Walk(nil)
	forge := func() { d.top.folders[0].files[0].stamp.size++ } // a change that only a walk sees
	sees := func(what string, want int) {
		t.Helper()
		if got := d.Walk(nil); len(got) != want {
			t.Errorf("%s: %d changes, want %d", what, len(got), want)
		}
	}
	if d.watch != nil {
		forge()
		sees("quiet", 0)
		d.trusted = time.Now()
		sees("no more trusted", 1)
		forge()
		lsptest.Put(t, filepath.Join(dir, "sub", "other.txt"), "")
		sees("another file", 1)
		if err := os.Rename(filepath.Join(dir, "sub"), filepath.Join(dir, "sub2")); err != nil {
			t.Fatal(err)
		}
		sees("a directory renamed", 2)
		lsptest.Put(t, filepath.Join(dir, "sub2", "a.go"), "package aaa\n")
		sees("a change in it", 1)
	}
	d.Unwatch()
	forge()
	sees("without a watch", 1)
}

// TestLinks follows files through links, whose directory does not show what becomes of them.
func TestLinks(t *testing.T) {
	for _, watched := range []bool{true, false} {
		links(t, watched)
	}
}

func links(t *testing.T, watched bool) {
	t.Helper()
	root, away := t.TempDir(), t.TempDir()
	target := filepath.Join(away, "made.go")
	lsptest.Put(t, filepath.Join(root, "plain.go"), "package a\n")
	for name, to := range map[string]string{"link.go": target, "dir.go": away} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	settled(t, away)
	d := New(root, goFiles())
	defer d.Unwatch()
	if !watched {
		d.Unwatch()
	}
	old := time.Now().Add(-time.Hour)
	put := func(text string) {
		lsptest.Put(t, target, text)
		if err := os.Chtimes(target, old, old); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		name string
		do   func()
		want []string
		all  int
	}{
		{"to nothing", func() {}, []string{"created plain.go"}, 1},
		{"to a file", func() { put("package a\n") }, []string{"created link.go"}, 2},
		{"that changes", func() { put("package aa\n") }, []string{"changed link.go"}, 2},
		{"that changes and has the same size and time", func() { put("package bb\n") }, []string{"changed link.go"}, 2},
		{"that does not", func() {}, nil, 2},
		{"that is deleted", func() { os.Remove(target) }, []string{"deleted link.go"}, 1},
		{"and made again", func() { put("package a\n") }, []string{"created link.go"}, 2},
	}
	for _, step := range steps {
		step.do()
		got := describeChanges(root, d.Walk(nil))
		if all := len(slices.Collect(d.Files)); !slices.Equal(got, step.want) || all != step.all {
			t.Errorf("%s (watched: %v): %q, want %q; %d files, want %d", step.name, watched, got, step.want, all, step.all)
		}
	}
}

// TestTold looks at no more than what it was told of: a file and its folder, or everything for a directory.
func TestTold(t *testing.T) {
	root, away := t.TempDir(), t.TempDir()
	for _, dir := range []string{root, away} {
		lsptest.Write(t, dir, "-- a.go --\n-- sub/b.go --\n-- vendor/modules.txt --\n-- notes.txt --\n")
		settled(t, dir)
	}
	tests := []struct {
		told string
		want int // changes; one of a file that it was not told of only if it walks everything
	}{
		{filepath.Join(root, "a.go"), 1},
		{filepath.Join(root, "gone.go"), 1},
		{filepath.Join(root, "notes.txt"), 0},
		{filepath.Join(away, "a.go"), 1},
		{filepath.Join(away, "notes.txt"), 0},
		{away, 1},
		{root, 1},
		{filepath.Join(root, "sub"), 1},
		{filepath.Join(root, "node_modules", "x.txt"), 1},
	}
	for _, test := range tests {
		d := New(root, goFiles())
		d.Walk(nil)
		if d.watch != nil {
			d.top.folders[0].files[0].stamp.size++ // a change that only a walk of everything sees
			if got := d.Walk(map[string]bool{test.told: true}); len(got) != test.want {
				t.Errorf("told of %s: %v, want %d", test.told, got, test.want)
			}
			if again := d.Walk(nil); again != nil {
				t.Errorf("told of %s: then %v", test.told, again)
			}
		}
		d.Unwatch()
	}
}

// TestTopComesBack deletes a tree and makes it again, as `git worktree` does.
func TestTopComesBack(t *testing.T) {
	root := filepath.Join(t.TempDir(), "tree")
	lsptest.Put(t, filepath.Join(root, "sub", "a.go"), "package a\n")
	d := New(root, goFiles())
	defer func() { d.Unwatch() }()
	for range 3 {
		if got := describeChanges(root, d.Walk(nil)); len(got) != 1 || got[0] != "created sub/a.go" {
			t.Fatalf("changes %q, want a file more", got)
		}
		if err := os.RemoveAll(root); err != nil {
			t.Fatal(err)
		}
		if got := describeChanges(root, d.Walk(nil)); len(got) != 1 || got[0] != "deleted sub/a.go" {
			t.Fatalf("changes %q, want a file less", got)
		}
		lsptest.Put(t, filepath.Join(root, "sub", "a.go"), "package a\n")
	}
}

// TestLimit follows no more files than it may, and counts the others.
func TestLimit(t *testing.T) {
	dir := t.TempDir()
	wide(t, dir, 50)
	selected := goFiles()
	selected.Limit = 30
	d := New(dir, selected)
	defer d.Unwatch()
	if got := len(d.Walk(nil)); got != 30 || d.Unsynced() != 20 {
		t.Errorf("%d files followed and %d not, want 30 and 20", got, d.Unsynced())
	}
}

// TestThen keeps a server from hearing that a file has changed of which it does not know.
func TestThen(t *testing.T) {
	for _, kinds := range [][3]Kind{
		{0, Changed, Changed}, {Created, Changed, Created}, {Created, Deleted, Deleted}, {Deleted, Created, Created},
		{Changed, Deleted, Deleted}, {Changed, Changed, Changed},
	} {
		if got := kinds[0].Then(kinds[1]); got != kinds[2] {
			t.Errorf("%v and then %v is %v, want %v", kinds[0], kinds[1], got, kinds[2])
		}
	}
}
