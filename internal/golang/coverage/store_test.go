package coverage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	statedir "tidepool/internal/state"
)

// measured lays a module out and has it measured once.
func measured(t *testing.T) (dir, kept string) {
	t.Helper()
	dir, kept = t.TempDir(), filepath.Join(t.TempDir(), "coverage")
	lay(t, dir, archive)
	k := collector(t, newPlayer(), Options{Dir: kept})
	awaitMeasured(t, k, dir)
	k.Close()
	return dir, kept
}

func TestWhatIsKept(t *testing.T) {
	dir, kept := measured(t)
	p := newPlayer("b")
	k := collector(t, p, Options{Dir: kept})
	expect(t, "the next daemon", answer(t, k, about(dir)), fresh)
	k.Close()

	other := t.TempDir()
	lay(t, other, archive)
	k = collector(t, p, Options{Dir: kept})
	expect(t, "another checkout", answer(t, k, about(other)), fresh)
	k.Close()

	write(t, filepath.Join(other, "b", "b.go"), "package b\n")
	k = collector(t, p, Options{Dir: kept})
	expect(t, "another branch", answer(t, k, about(other)), "a measured: TestF+ TestG- TestBoth-!; b stale: TestB+; c measured: TestC-")
	<-p.begun
	close(p.gates["b"])
	awaitMeasured(t, k, other)
	lay(t, other, archive)
	expect(t, "back again", answer(t, k, about(other)), fresh)
	if calls := p.called(); len(calls) != 1 {
		t.Errorf("%v were measured", calls)
	}
}

// What is broken, or was not written by us, is removed. A link is not ours to remove, and not followed.
func TestWhatIsNotOurs(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"cut":            func(path string) error { return os.Truncate(path, 20) },
		"of a clone":     func(path string) error { return os.Chmod(path, 0o644) },
		"a link":         func(path string) error { return relink(path) },
		"another format": func(path string) error { return os.WriteFile(path, []byte(`{"version":7,"package":"a"}`), 0o600) },
		"no such index": func(path string) error {
			return os.WriteFile(path, []byte(`{"version":1,"package":"a","tests":[{"name":"T","ran":[3]}]}`), 0o600)
		},
		"of others": func(path string) error { return os.WriteFile(path, []byte(`{"version":1,"package":"../x"}`), 0o600) },
	} {
		dir, kept := measured(t)
		files := store{kept}.list("")
		for _, f := range files {
			if err := spoil(filepath.Join(kept, f.name)); err != nil {
				t.Fatal(err)
			}
		}
		q := about(dir)
		q.Until = time.Time{}
		k := collector(t, newPlayer("a"), Options{Dir: kept})
		expect(t, name, answer(t, k, q), "a pending; b pending; c pending")
		k.Close()
		for _, f := range files {
			if info, err := os.Lstat(filepath.Join(kept, f.name)); err == nil && info.Mode().IsRegular() {
				t.Errorf("%s: %s is still there", name, f.name)
			}
		}
	}
}

func relink(path string) error {
	outside := filepath.Join(filepath.Dir(filepath.Dir(path)), filepath.Base(path))
	if err := os.Rename(path, outside); err != nil {
		return err
	}
	return os.Symlink(outside, path)
}

func TestTheStoreIsBounded(t *testing.T) {
	s := store{t.TempDir()}
	for i := range maxVersions + 3 {
		if err := s.save("m", &record{Version: recordVersion, Key: fmt.Sprint(i), Package: "a"}); err != nil {
			t.Fatal(err)
		}
		touch(t, s, "m", "a", fmt.Sprint(i), i)
	}
	if n := len(s.list(s.name("m", "a"))); n != maxVersions+1 && n != maxVersions {
		t.Errorf("%d versions are kept", n)
	}
	if r := s.latest("m", "a"); r == nil || r.Key != fmt.Sprint(maxVersions+2) {
		t.Errorf("the latest is %+v", r)
	}
	big := filepath.Join(s.dir, s.name("m", "big")+"-0.json")
	write(t, big, "")
	photo := filepath.Join(s.dir, "photo.jpg") // of somebody else, and larger than all that may be kept
	write(t, photo, "")
	if err := os.Truncate(photo, 2*maxStore); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, maxStore); err != nil {
		t.Fatal(err)
	}
	abandoned := filepath.Join(s.dir, "new-1")
	write(t, abandoned, "")
	long := time.Now().Add(-24 * time.Hour)
	for _, path := range []string{big, abandoned} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.save("m", &record{Version: recordVersion, Key: "k", Package: "b"}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{big, abandoned} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
	if _, err := os.Stat(photo); err != nil {
		t.Errorf("a file of somebody else was trimmed: %v", err)
	}
	if s.exact("m", "b", "k") == nil || s.exact("m", "b", "other") != nil || s.exact("other", "b", "k") != nil {
		t.Error("what is kept is not found, or something else is")
	}
}

// touch makes a record the older, the earlier it was kept.
func touch(t *testing.T, s store, modulePath, below, key string, order int) {
	t.Helper()
	at := time.Now().Add(time.Duration(order-100) * time.Minute)
	if err := os.Chtimes(filepath.Join(s.dir, s.name(modulePath, below)+"-"+key+".json"), at, at); err != nil {
		t.Fatal(err)
	}
}

// A full disk costs nothing but that what was measured is forgotten at the end.
func TestTheStoreFails(t *testing.T) {
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
	lay(t, dir, archive)
	write(t, file, "")
	k := collector(t, newPlayer(), Options{Dir: filepath.Join(file, "coverage")})
	awaitMeasured(t, k, dir)
	expect(t, "measured", answer(t, k, about(dir)), fresh)
	if _, err := k.Status(); err == nil {
		t.Error("the status does not say that nothing can be kept")
	}
}

// A directory of the store that is a link, from the start or since, is neither read, nor written to, nor trimmed.
func TestTheStoreIsElsewhere(t *testing.T) {
	top := filepath.Join(t.TempDir(), statedir.Name)
	photos := t.TempDir()
	s := store{filepath.Join(top, "coverage")}
	if err := os.Mkdir(top, 0o700); err != nil {
		t.Fatal(err)
	}
	keep := func(key string) error { return s.save("m", &record{Version: recordVersion, Key: key, Package: "a"}) }
	if err := keep("1"); err != nil {
		t.Fatal(err)
	}
	// What looks like records of ours is as large as all that may be kept.
	names := []string{"photo.jpg", s.name("m", "a") + "-0.json", s.name("m", "b") + "-0.json", "new-1"}
	long := time.Now().Add(-24 * time.Hour)
	for _, name := range names {
		path := filepath.Join(photos, name)
		write(t, path, "")
		if err := errors.Join(os.Truncate(path, maxStore), os.Chtimes(path, long, long)); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{s.dir, top} {
		if err := errors.Join(os.Rename(link, link+".aside"), os.Symlink(photos, link)); err != nil {
			t.Fatal(err)
		}
		if err := keep("2"); !statedir.IsRefused(err) {
			t.Errorf("saved by way of %s: %v", filepath.Base(link), err)
		}
		if s.exact("m", "a", "1") != nil || s.latest("m", "a") != nil {
			t.Error("a record is read from elsewhere")
		}
		s.trim("")
		if entries, err := os.ReadDir(photos); err != nil || len(entries) != len(names) {
			t.Errorf("outside are %v, %v", entries, err)
		}
		if err := errors.Join(os.Remove(link), os.Rename(link+".aside", link)); err != nil {
			t.Fatal(err)
		}
	}
	if s.exact("m", "a", "1") == nil {
		t.Error("what was kept is gone")
	}
}
