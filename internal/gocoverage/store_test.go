package gocoverage

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// measured lays a module out and has it measured once.
func measured(t *testing.T) (dir, kept string) {
	t.Helper()
	dir, kept = t.TempDir(), filepath.Join(t.TempDir(), "coverage")
	lay(t, dir, archive)
	k := keeper(t, newPlayer(), Options{Dir: kept})
	awaitMeasured(t, k, dir)
	k.Close()
	return dir, kept
}

func TestWhatIsKept(t *testing.T) {
	dir, kept := measured(t)
	p := newPlayer("b")
	k := keeper(t, p, Options{Dir: kept})
	expect(t, "the next daemon", answer(t, k, about(dir)), fresh)
	k.Close()

	other := t.TempDir()
	lay(t, other, archive)
	k = keeper(t, p, Options{Dir: kept})
	expect(t, "another checkout", answer(t, k, about(other)), fresh)
	k.Close()

	write(t, filepath.Join(other, "b", "b.go"), "package b\n")
	k = keeper(t, p, Options{Dir: kept})
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

// What is broken, or was not written by us, is removed.
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
			if err := spoil(f.path); err != nil {
				t.Fatal(err)
			}
		}
		q := about(dir)
		q.Until = time.Time{}
		k := keeper(t, newPlayer("a"), Options{Dir: kept})
		expect(t, name, answer(t, k, q), "a pending; b pending; c pending")
		k.Close()
		for _, f := range files {
			if _, err := os.Lstat(f.path); err == nil {
				t.Errorf("%s: %s is still there", name, filepath.Base(f.path))
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
	big := filepath.Join(s.dir, "0-big.json")
	write(t, big, "")
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
	k := keeper(t, newPlayer(), Options{Dir: filepath.Join(file, "coverage")})
	awaitMeasured(t, k, dir)
	expect(t, "measured", answer(t, k, about(dir)), fresh)
	if _, err := k.Status(); err == nil {
		t.Error("the status does not say that nothing can be kept")
	}
}
