package diskcache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tidepool/internal/state"
)

func in(dir string) Cache {
	return Cache{Dir: dir, Ending: ".x", Versions: 4, MaxFile: 1 << 20, MaxAll: 64 << 20}
}

func keep(t *testing.T, c Cache, subject, key, data string) {
	t.Helper()
	if err := c.Write(subject, key, []byte(data)); err != nil {
		t.Fatal(err)
	}
}

// lay makes a file of some size that was written an hour ago.
func lay(t *testing.T, path string, size int64) {
	t.Helper()
	long := time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, size), os.Chtimes(path, long, long)); err != nil {
		t.Fatal(err)
	}
}

func TestReadWhatWasWritten(t *testing.T) {
	c := in(t.TempDir())
	keep(t, c, "a", "1", "one")
	keep(t, c, "a", "2", "two")
	keep(t, c, "b", "1", "other")
	if got := c.Read("a", "2"); string(got) != "two" {
		t.Errorf("read %q", got)
	}
	if got := c.Read("b", "2"); got != nil {
		t.Errorf("read %q, which was never written", got)
	}
	c.Remove("a", "2")
	if got := c.Keys("a"); !slices.Equal(got, []string{"1"}) {
		t.Errorf("left are %q", got)
	}
	if err := c.Write("a", "3", make([]byte, 2<<20)); err == nil {
		t.Error("a file that is too large was kept")
	}
	nowhere := Cache{}
	if err := nowhere.Write("a", "1", nil); err != nil || nowhere.Read("a", "1") != nil || nowhere.Keys("a") != nil {
		t.Errorf("without a directory: %v", err)
	}
}

func TestTrim(t *testing.T) {
	c := in(t.TempDir())
	for i := range c.Versions + 3 {
		keep(t, c, "a", fmt.Sprint(i), "")
		at := time.Now().Add(time.Duration(i-100) * time.Minute)
		if err := os.Chtimes(filepath.Join(c.Dir, c.name("a", fmt.Sprint(i))), at, at); err != nil {
			t.Fatal(err)
		}
	}
	c.Trim()
	if got := c.Keys("a"); !slices.Equal(got, []string{"6", "5", "4", "3"}) {
		t.Errorf("kept are %q", got)
	}
	big, photo := filepath.Join(c.Dir, c.name("big", "0")), filepath.Join(c.Dir, "photo.x")
	lay(t, big, c.MaxAll+1)
	lay(t, photo, c.MaxAll) // of somebody else
	c.Trim()
	if _, err := os.Stat(big); err == nil {
		t.Error("more is kept than may be")
	}
	if _, err := os.Stat(photo); err != nil {
		t.Errorf("a file of somebody else was removed: %v", err)
	}
	if got := c.Keys("a"); len(got) != c.Versions {
		t.Errorf("kept are %q", got)
	}
}

// A file that others may read was not written by us. A link is not followed.
func TestForeignFile(t *testing.T) {
	c := in(t.TempDir())
	keep(t, c, "a", "1", "of a clone")
	path := filepath.Join(c.Dir, c.name("a", "1"))
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := c.Read("a", "1"); got != nil {
		t.Errorf("read %q", got)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the file is still there")
	}
	elsewhere := filepath.Join(t.TempDir(), "f")
	if err := errors.Join(os.WriteFile(elsewhere, []byte("elsewhere"), 0o600), os.Symlink(elsewhere, path)); err != nil {
		t.Fatal(err)
	}
	if got := c.Read("a", "1"); got != nil {
		t.Errorf("read %q by way of a link", got)
	}
}

func TestKeyIsNoPath(t *testing.T) {
	c := in(t.TempDir())
	for _, key := range []string{"", "../a", "a/b", "A", "a.x"} {
		if err := c.Write("a", key, nil); err == nil {
			t.Errorf("%q is a key", key)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(c.Dir)); err != nil || len(c.Keys("a")) != 0 || len(entries) > 1 {
		t.Errorf("written are %v, %v", entries, err)
	}
}

// A directory that is a link, from the start or since, is neither read, nor written to, nor trimmed.
func TestLinkedDirectory(t *testing.T) {
	top, photos := filepath.Join(t.TempDir(), state.Name), t.TempDir()
	if err := os.Mkdir(top, 0o700); err != nil {
		t.Fatal(err)
	}
	c := in(filepath.Join(top, "cache"))
	keep(t, c, "a", "1", "one")
	names := []string{"photo.x", c.name("a", "0"), c.name("b", "0")}
	for _, name := range names {
		lay(t, filepath.Join(photos, name), c.MaxAll)
	}
	for _, link := range []string{c.Dir, top} {
		if err := errors.Join(os.Rename(link, link+".aside"), os.Symlink(photos, link)); err != nil {
			t.Fatal(err)
		}
		if err := c.Write("a", "2", nil); !state.IsRefused(err) {
			t.Errorf("written by way of %s: %v", filepath.Base(link), err)
		}
		if c.Read("a", "1") != nil || c.Keys("a") != nil {
			t.Error("read from elsewhere")
		}
		c.Trim()
		if entries, err := os.ReadDir(photos); err != nil || len(entries) != len(names) {
			t.Errorf("outside are %v, %v", entries, err)
		}
		if err := errors.Join(os.Remove(link), os.Rename(link+".aside", link)); err != nil {
			t.Fatal(err)
		}
	}
	if c.Read("a", "1") == nil {
		t.Error("what was kept is gone")
	}
}
