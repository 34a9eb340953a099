package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func openState(t *testing.T) *Dir {
	t.Helper()
	d, err := Make(Of(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { must(t, d.Close()) })
	return d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestFile(t *testing.T) {
	d := openState(t)
	f := d.Sub("training").File("examples.jsonl")
	if _, err := f.Read(10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	must(t, f.AppendAll([]byte("one\n")))
	must(t, f.AppendAll([]byte("two\n")))
	if got, err := f.Read(8); string(got) != "one\ntwo\n" || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	must(t, f.Replace([]byte("three\n")))
	var large *TooLargeError
	if _, err := f.Read(5); !errors.As(err, &large) || large.Size != 6 || large.Hint() == "" {
		t.Errorf("a limit of 5: %v", err)
	}
	for path, mode := range map[string]fs.FileMode{d.Path(): 0o700, d.Sub("training").Path(): 0o700, f.Path(): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if aside, err := f.SetAside(); err != nil || filepath.Base(aside) != "examples.jsonl.unreadable" {
		t.Errorf("set aside as %s, %v", aside, err)
	}
	if all, err := d.Sub("training").List(); err != nil || len(all) != 1 {
		t.Errorf("left are %v, %v", all, err)
	}
	must(t, f.Remove()) // there is none
	if all, err := d.Sub("nowhere").List(); all != nil || err != nil {
		t.Errorf("a missing directory has %v, %v", all, err)
	}
	for _, name := range []string{"..", "a/b", "../x", "/etc/passwd", ""} {
		if err := d.File(name).Replace(nil); err == nil {
			t.Errorf("%q was written", name)
		}
	}
}

// A file of 20 GB without a block on the disk is refused before a byte of it is read.
func TestSparseFile(t *testing.T) {
	f := openState(t).File("questions.json")
	must(t, f.Replace(nil))
	must(t, os.Truncate(f.Path(), 20<<30))
	allocated := testing.AllocsPerRun(1, func() {
		var large *TooLargeError
		if _, err := f.Read(16 << 20); !errors.As(err, &large) {
			t.Errorf("read: %v", err)
		}
	})
	if allocated > 100 {
		t.Errorf("%v allocations", allocated)
	}
}

// foreign are entries that tidepool does not make, by what a refusal calls them.
func foreign(outside string) map[string]func(path string) error {
	all := map[string]func(path string) error{
		"a symbolic link": func(path string) error { return os.Symlink(outside, path) },
		"symbolic link":   func(path string) error { return os.Symlink(filepath.Join(outside, "none"), path) },
		"a named pipe":    func(path string) error { return syscall.Mkfifo(path, 0o600) },
	}
	if os.Geteuid() == 0 {
		all["a device"] = func(path string) error { return syscall.Mknod(path, syscall.S_IFCHR|0o600, 1<<8|5) }
		all["belongs to user 12345"] = func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o666), os.Chown(path, 12345, -1))
		}
	}
	return all
}

func TestForeignFile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "precious")
	must(t, os.WriteFile(outside, []byte("mine"), 0o600))
	for what, plant := range foreign(outside) {
		d := openState(t)
		f := d.File("log.jsonl")
		must(t, plant(f.Path()))
		for doing, err := range map[string]error{
			"read": func() error { _, err := f.Read(1 << 20); return err }(), "append": f.AppendAll([]byte("x")), "remove": f.Remove(),
			"rename": f.Rename("other"), "close to others": f.CloseToOthers(), "check": d.Check(),
		} {
			if !IsRefused(err) || !strings.Contains(err.Error(), f.Path()) || !strings.Contains(err.Error(), what) {
				t.Errorf("%s of what %q says: %v", doing, what, err)
			}
		}
		// A file that replaces it takes its name, and nothing else.
		if err := f.Replace([]byte("new")); err != nil {
			t.Errorf("replacing %s: %v", what, err)
		}
		if got, err := f.Read(10); string(got) != "new" || err != nil {
			t.Errorf("after replacing %s: %q, %v", what, got, err)
		}
	}
	d := openState(t)
	must(t, os.Link(outside, d.File("log.jsonl").Path()))
	if err := d.File("log.jsonl").AppendAll([]byte("x")); !IsRefused(err) {
		t.Errorf("appending to a hard link: %v", err)
	}
	if err := d.Check(); !IsRefused(err) {
		t.Errorf("a hard link: %v", err)
	}
	if got, err := os.ReadFile(outside); string(got) != "mine" || err != nil {
		t.Errorf("outside is %q, %v", got, err)
	}
}

func TestForeignDirectory(t *testing.T) {
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "photo.jpg"), []byte("mine"), 0o600))
	for what, plant := range foreign(outside) {
		d := openState(t)
		sub := d.Sub("coverage")
		must(t, plant(sub.Path()))
		for doing, err := range map[string]error{
			"make": sub.Make(), "list": func() error { _, err := sub.List(); return err }(), "clear": sub.Clear(),
			"lasting": func() error { _, err := sub.Lasting(); return err }(), "replace": sub.File("photo.jpg").Replace(nil),
			"append": sub.File("photo.jpg").AppendAll([]byte("x")), "remove": sub.File("photo.jpg").Remove(), "empty": sub.RemoveEmpty(),
		} {
			if !IsRefused(err) || !strings.Contains(err.Error(), sub.Path()) {
				t.Errorf("%s of what %q says: %v", doing, what, err)
			}
		}
	}
	if got, err := os.ReadFile(filepath.Join(outside, "photo.jpg")); string(got) != "mine" || err != nil {
		t.Errorf("outside is %q, %v", got, err)
	}
}

// What is removed as a whole may hold links: they go, and what they lead to stays.
func TestClear(t *testing.T) {
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "photo.jpg"), nil, 0o600))
	sub := openState(t).Sub("tests")
	must(t, sub.Sub("deep").Make())
	must(t, os.Symlink(outside, filepath.Join(sub.Path(), "deep", "link")))
	must(t, sub.Clear())
	must(t, sub.Clear()) // there is none
	if _, err := os.Stat(filepath.Join(outside, "photo.jpg")); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(sub.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left: %v", err)
	}
}

// A state directory that was moved away and replaced is the one that was opened, wherever it is, and says so.
func TestMovedAway(t *testing.T) {
	outside, d := t.TempDir(), openState(t)
	must(t, d.Here())
	moved := d.Path() + ".moved"
	must(t, os.Rename(d.Path(), moved))
	must(t, os.Symlink(outside, d.Path()))
	if err := d.Here(); !IsRefused(err) {
		t.Errorf("it is here: %v", err)
	}
	must(t, d.File("questions.json").Replace([]byte("[]")))
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside are %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(moved, "questions.json")); err != nil {
		t.Error(err)
	}
	err := Within(filepath.Join(d.Path(), "logs", "c.log"), func(f *File) error { return f.AppendAll(nil) })
	if !IsRefused(err) {
		t.Errorf("opened anew: %v", err)
	}
}

// Files that a killed process was about to put in the place of others go; whatever is alike stays.
func TestCheckSweeps(t *testing.T) {
	d := openState(t)
	left, young, other := d.File("x"), d.File("y"), d.File("notes.next")
	name, err := left.Stage([]byte("x"))
	must(t, err)
	again, err := young.Stage([]byte("y"))
	must(t, err)
	must(t, other.Replace(nil))
	long := time.Now().Add(-2 * time.Hour)
	for _, path := range []string{d.File(name).Path(), other.Path()} {
		must(t, os.Chtimes(path, long, long))
	}
	must(t, d.Check())
	if _, err := d.File(name).Stat(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is still there", name)
	}
	for _, f := range []*File{d.File(again), other} {
		if _, err := f.Stat(); err != nil {
			t.Error(err)
		}
	}
}

// A name may hold what a terminal or a shell takes for more than a name.
func TestCheckNamesWithCare(t *testing.T) {
	d := openState(t)
	for _, name := range []string{"a'; touch ran; '", "\x1b[2J"} {
		must(t, os.Symlink("to\x1b[31m", filepath.Join(d.Path(), name)))
	}
	for i := range 2 * maxNamed {
		must(t, os.Symlink("x", filepath.Join(d.Path(), "z"+string(rune('a'+i)))))
	}
	err := d.Check()
	var found *ForeignError
	if !errors.As(err, &found) || len(found.Entries) != maxNamed || found.More != maxNamed+2 {
		t.Fatalf("%v", err)
	}
	for _, text := range []string{err.Error(), found.Hint()} {
		if strings.ContainsAny(text, "\x1b\n") {
			t.Errorf("%q", text)
		}
	}
	if !strings.Contains(found.Hint(), `/a'\''; touch ran; '\'''`) {
		t.Errorf("hint %s", found.Hint())
	}
}

// Two that replace one file at the same time leave one of both, whole.
func TestReplaceAtTheSameTime(t *testing.T) {
	f := openState(t).File("x.json")
	done := make(chan error)
	texts := []string{strings.Repeat("a", 1000), strings.Repeat("b", 2000)}
	for _, text := range texts {
		go func() {
			var failed error
			for range 200 {
				failed = errors.Join(failed, f.Replace([]byte(text)))
				if got, err := f.Read(1 << 20); err != nil || string(got) != texts[0] && string(got) != texts[1] {
					failed = errors.Join(failed, errors.New("read half"), err)
				}
			}
			done <- failed
		}()
	}
	for range texts {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
