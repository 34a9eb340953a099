package coverage

import (
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
		files, err := os.ReadDir(kept)
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, f := range files {
			if err := spoil(filepath.Join(kept, f.Name())); err != nil {
				t.Fatal(err)
			}
		}
		q := about(dir)
		q.Until = time.Time{}
		k := collector(t, newPlayer("a"), Options{Dir: kept})
		expect(t, name, answer(t, k, q), "a pending; b pending; c pending")
		k.Close()
		for _, f := range files {
			if info, err := os.Lstat(filepath.Join(kept, f.Name())); err == nil && info.Mode().IsRegular() {
				t.Errorf("%s: %s is still there", name, f.Name())
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
