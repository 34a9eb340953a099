package ref

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidepool/internal/state"
	"tidepool/internal/wording"
)

// A fixture is a Store with a clock, in a state directory.
type fixture struct {
	*Store
	t   testing.TB
	dir *state.Dir
	now time.Time
}

func newFixture(t testing.TB, maxBytes int64) *fixture {
	t.Helper()
	dir, err := state.Make(filepath.Join(t.TempDir(), state.Name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dir.Close(); err != nil {
			t.Error(err)
		}
	})
	f := &fixture{t: t, dir: dir.Sub("refs"), now: time.Now()}
	f.reopen(maxBytes)
	return f
}

func (f *fixture) reopen(maxBytes int64) {
	f.t.Helper()
	var err error
	if f.Store, err = Open(f.dir, Options{MaxBytes: maxBytes, Now: func() time.Time { return f.now }}); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) put(session, text string) string {
	f.t.Helper()
	id, err := f.Put(session, []byte(text))
	if err != nil {
		f.t.Fatal(err)
	}
	return id
}

// found reports whether a session finds a text.
func (f *fixture) found(session, id string) bool {
	f.t.Helper()
	_, err := f.Slice(session, id, Request{})
	if _, missing := errors.AsType[*NotFoundError](err); err != nil && !missing {
		f.t.Errorf("%s: %v", id, err)
	}
	return err == nil
}

// files returns the paths of all files below the directory.
func (f *fixture) files() (paths []string) {
	f.t.Helper()
	err := filepath.WalkDir(f.dir.Path(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.t.Fatal(err)
	}
	return paths
}

func TestTextOfASession(t *testing.T) {
	f := newFixture(t, 0)
	id := f.put("s1", "a\nb\n")
	got, err := f.Slice("s1", id, Request{Lines: "2"})
	if err != nil || got.Text != "2: b\n" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, other := range []string{"s2", "", "../s1", homeOf("s1")} {
		if f.found(other, id) {
			t.Errorf("session %q finds it", other)
		}
	}
	paths := f.files()
	if len(paths) != 1 {
		t.Fatal(paths)
	}
	for _, path := range []string{paths[0], filepath.Dir(paths[0])} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestReferencesThatAreNone(t *testing.T) {
	f := newFixture(t, 0)
	id := f.put("s", "x")
	for _, bad := range []string{"", "ref_", id[:len(id)-1], id + "a", strings.ToUpper(id), "../" + id, "ref_../../../config", "ref_\x00aaaaaaaaaaaaaaa", strings.Repeat("x", 1<<20)} {
		_, err := f.Slice("s", bad, Request{})
		if _, missing := errors.AsType[*NotFoundError](err); !missing || wording.HintOf(err) == "" || len(err.Error()) > 200 {
			t.Errorf("%.30q: %.300v", bad, err)
		}
	}
}

func TestTextsExpire(t *testing.T) {
	f := newFixture(t, 0)
	old := f.put("s", "x")
	f.now = f.now.Add(24*time.Hour - time.Second)
	if !f.found("s", old) {
		t.Error("a text goes before its time")
	}
	f.now = f.now.Add(time.Second)
	if f.found("s", old) {
		t.Error("a text stays, although it was read")
	}
	f.put("other", "y")
	if files := f.files(); len(files) != 1 {
		t.Errorf("left: %v", files)
	}
}

func TestWhatWasNotReadGoesFirst(t *testing.T) {
	const text = 10_000
	f := newFixture(t, 3*(text+overhead))
	var ids []string
	for range 3 {
		ids = append(ids, f.put("s", strings.Repeat("x", text)))
		f.now = f.now.Add(time.Minute)
	}
	if !f.found("s", ids[0]) {
		t.Fatal("gone")
	}
	f.now = f.now.Add(time.Minute)
	f.put("s", "y")
	if !f.found("s", ids[0]) || f.found("s", ids[1]) || !f.found("s", ids[2]) {
		t.Error("the wrong text went")
	}
	_, err := f.Put("s", make([]byte, 3*(text+overhead)))
	if _, large := errors.AsType[*TooLargeError](err); !large || wording.HintOf(err) == "" || !f.found("s", ids[0]) {
		t.Errorf("%v", err)
	}
}

func TestTextsSurviveARestart(t *testing.T) {
	f := newFixture(t, 0)
	id := f.put("s", "x")
	f.reopen(0)
	if !f.found("s", id) {
		t.Error("gone")
	}
	f.now = f.now.Add(25 * time.Hour)
	f.reopen(0)
	if files := f.files(); len(files) != 0 {
		t.Errorf("left: %v", files)
	}
}

func TestEndOfASession(t *testing.T) {
	f := newFixture(t, 0)
	mine, other := f.put("s", "x"), f.put("t", "y")
	if err := f.End("s"); err != nil || f.found("s", mine) || !f.found("t", other) {
		t.Errorf("%v", err)
	}
	if err := errors.Join(f.End("s"), f.End("unknown")); err != nil || len(f.files()) != 1 {
		t.Errorf("%v, %v", err, f.files())
	}
}

// A link in the place of a text is not followed.
func TestLinkInThePlaceOfAText(t *testing.T) {
	f := newFixture(t, 0)
	id := f.put("s", "x")
	path := f.files()[0]
	secret := filepath.Join(t.TempDir(), "secret")
	if err := errors.Join(os.WriteFile(secret, []byte("hunter2"), 0o600), os.Remove(path), os.Symlink(secret, path)); err != nil {
		t.Fatal(err)
	}
	got, err := f.Slice("s", id, Request{})
	if err == nil || got.Text != "" || !state.IsRefused(errors.Unwrap(err)) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A full disk leaves nothing behind, and what was kept stays.
func TestFullDisk(t *testing.T) {
	if !onFullDisk(t) {
		return
	}
	f := newFixture(t, 0)
	id := f.put("s", "x")
	limitFiles(t, 4096)
	if _, err := f.Put("s", make([]byte, 10_000)); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("%v", err)
	}
	if files := f.files(); len(files) != 1 || !f.found("s", id) || f.bytes != 1+overhead {
		t.Errorf("%v, %d bytes", files, f.bytes)
	}
}

// onFullDisk runs a test in a process of its own, whose files can have so many bytes. It reports whether this is that process.
func onFullDisk(t *testing.T) bool {
	t.Helper()
	if os.Getenv("TIDEPOOL_FULL_DISK") != "" {
		signal.Ignore(syscall.SIGXFSZ)
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "TIDEPOOL_FULL_DISK=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// limitFiles limits the size of files that this process writes, in bytes, as a full disk does.
func limitFiles(t *testing.T, size int64) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = min(uint64(size), limit.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
}

// However texts come, go and are read, the bound holds on the disk.
func TestBoundHolds(t *testing.T) {
	const bound = 64 << 10
	rapid.Check(t, func(rt *rapid.T) {
		f := newFixture(t, bound)
		var ids []string
		rt.Repeat(map[string]func(*rapid.T){
			"put": func(rt *rapid.T) {
				ids = append(ids, f.put(rapid.SampledFrom([]string{"s", "t"}).Draw(rt, "session"), strings.Repeat("x", rapid.IntRange(0, bound-overhead).Draw(rt, "size"))))
			},
			"read": func(rt *rapid.T) {
				if len(ids) > 0 {
					f.found("s", rapid.SampledFrom(ids).Draw(rt, "id"))
				}
			},
			"end":    func(rt *rapid.T) { _ = f.End("s") },
			"wait":   func(rt *rapid.T) { f.now = f.now.Add(7 * time.Hour) },
			"reopen": func(rt *rapid.T) { f.reopen(bound) },
			"": func(rt *rapid.T) {
				var size int64
				files := f.files()
				for _, path := range files {
					info, err := os.Stat(path)
					if err != nil {
						rt.Fatal(err)
					}
					size += info.Size() + overhead
				}
				if size > bound || size != f.bytes || len(files) != len(f.kept) {
					rt.Fatalf("%d bytes on the disk, %d counted, %d files, %d known", size, f.bytes, len(files), len(f.kept))
				}
			},
		})
	})
}

func TestManyAtOnce(t *testing.T) {
	f := newFixture(t, 200<<10)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			session := string(rune('a' + i%3))
			for range 10 {
				id, err := f.Put(session, []byte(strings.Repeat("x\n", 2000)))
				if err != nil {
					t.Error(err)
				}
				f.found(session, id) // or it made room
			}
			if i%7 == 0 {
				if err := f.End(session); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if len(f.files()) != len(f.kept) {
		t.Errorf("%d files, %d known", len(f.files()), len(f.kept))
	}
}

// List has what a session keeps, the latest first, and nothing of another one.
func TestList(t *testing.T) {
	f := newFixture(t, 0)
	first := f.put("s", "one")
	f.put("other", "two")
	f.now = f.now.Add(time.Hour)
	second := f.put("s", "three")
	entries := f.List("s")
	if len(entries) != 2 || entries[0] != (Entry{second, 5, f.now}) || entries[1].ID != first {
		t.Errorf("got %+v", entries)
	}
	f.now = f.now.Add(23*time.Hour + time.Minute)
	if entries := f.List("s"); len(entries) != 1 || entries[0].ID != second {
		t.Errorf("after the first has expired: %+v", entries)
	}
	if err := f.End("s"); err != nil || len(f.List("s")) > 0 || len(f.List("")) > 0 {
		t.Errorf("at the end of the session: %v, %v", f.List("s"), err)
	}
}
