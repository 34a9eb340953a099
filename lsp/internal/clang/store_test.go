package clang

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	statedir "tidepool/internal/state"
)

// doubt is a tree with a state directory, and a directory outside with files of the names that the store uses.
func storePlace(t *testing.T) (root, outside string) {
	t.Helper()
	root, outside = t.TempDir(), t.TempDir()
	if err := os.Mkdir(statedir.Of(root), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"photo.jpg", "read.json", "sources/tidepool-again-1.c", "sources/tidepool-blank.c", ".cache/clangd/index/tidepool-again-1.c.0123456789ABCDEF.idx",
		".cache/clangd/index/tidepool-blank.c.0123456789ABCDEF.idx", ".cache/clangd/index/main.c.0123456789ABCDEF.idx",
	} {
		path := filepath.Join(outside, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return root, outside
}

// contents are all files below a directory, with what they hold.
func contents(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		all = append(all, path+": "+string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A store that a clone has made of links is not opened, and one that becomes so is left alone: clangd's files are not removed,
// written or read elsewhere.
func TestClangStoreFollowsNoLink(t *testing.T) {
	for _, name := range []string{"", "clangd", "clangd/sources", "clangd/.cache/clangd/index", "clangd/read.json", "clangd/read.json.next", "clangd/sources/tidepool-blank.c"} {
		for _, when := range []string{"from the start", "since"} {
			root, outside := storePlace(t)
			link := filepath.Join(statedir.Of(root), name)
			target := outside
			if filepath.Ext(name) != "" {
				target = filepath.Join(outside, "photo.jpg")
			}
			d := store{filepath.Join(statedir.Of(root), "clangd")}
			if when == "since" {
				var err error
				if d, err = openClangStore(root, nil); err != nil {
					t.Fatal(err)
				}
			}
			err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o700), os.RemoveAll(link), os.Symlink(target, link))
			if err != nil {
				t.Fatal(err)
			}
			before := contents(t, outside)
			if when != "since" {
				if _, err := openClangStore(root, nil); err == nil && !strings.HasSuffix(name, "json") && !strings.HasSuffix(name, ".next") && !strings.HasSuffix(name, ".c") {
					t.Errorf("%s is opened", name)
				}
			}
			d.again(1, "/etc/passwd", "c")
			d.remove(func(string) bool { return true })
			d.blank(map[string]bool{"main.c": true, "tidepool-blank.c": true})
			d.record(map[string]string{"$(touch ran)": "x"})
			if kept := d.records(); len(kept) > 0 && kept["$(touch ran)"] == "" {
				t.Errorf("%s %s: records of elsewhere are read: %v", name, when, kept)
			}
			if after := contents(t, outside); !slices.Equal(before, after) {
				t.Errorf("%s %s: outside was %q and is %q", name, when, before, after)
			}
		}
	}
}

// What is in the store and not of its own form stays there.
func TestClangStoreRemovesItsOwn(t *testing.T) {
	root, outside := storePlace(t)
	if err := os.Rename(outside, filepath.Join(statedir.Of(root), "clangd")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(statedir.Of(root), "clangd")
	for _, name := range []string{"sources/notes.c", ".cache/clangd/index/notes.idx", ".cache/clangd/index/notes.c.idx"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := openClangStore(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.remove(func(string) bool { return true })
	var left []string
	for _, file := range contents(t, dir) {
		name, _, _ := strings.Cut(file, ": ")
		left = append(left, name)
	}
	want := []string{".cache/clangd/index/notes.c.idx", ".cache/clangd/index/notes.idx", "compile_commands.json", "photo.jpg", "read.json", "sources/notes.c", "sources/tidepool-blank.c"}
	if !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
}
