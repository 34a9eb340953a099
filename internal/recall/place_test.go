package recall

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/sqlite"
	"tidepool/internal/wording"
)

func TestDefaultDir(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"/x/tidepool":              {"HOME": "/h", "XDG_DATA_HOME": "/x"},
		"/h/.local/share/tidepool": {"HOME": "/h", "XDG_DATA_HOME": "x"},
		"":                         {},
	} {
		if got := DefaultDir(func(name string) string { return env[name] }); got != want {
			t.Errorf("%v: %q, want %q", env, got, want)
		}
	}
}

func TestFilesAreForThisUserAlone(t *testing.T) {
	f := newFixture(t)
	s := f.ready()
	save(t, s, note("the crane needs grease"))
	must(t, s.live.save(t.Context()), s.Backup(t.Context(), filepath.Join(f.options.Dir, "copy.db")))
	if err := s.Backup(t.Context(), filepath.Join(f.options.Dir, "copy.db")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a backup replaces a file: %v", err)
	}
	names := 0
	must(t, filepath.WalkDir(f.options.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if want := fs.FileMode(0o600); err == nil && !info.IsDir() && info.Mode() != want || info.IsDir() && info.Mode().Perm() != 0o700 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		names++
		return err
	}))
	if names < 5 {
		t.Errorf("%d files", names)
	}
	f.options.Dir = filepath.Join(filepath.Dir(f.options.Dir), "restored")
	must(t, os.MkdirAll(f.options.Dir, 0o700), os.Rename(filepath.Join(filepath.Dir(f.options.Dir), "tidepool/copy.db"), filepath.Join(f.options.Dir, "memory.db")))
	if got := gists(t, f.open(), Query{Text: "crane"}); len(got) != 1 {
		t.Errorf("the backup has %q", got)
	}
}

// Where there can be no database, recall is off, and says why and what to do.
func TestOff(t *testing.T) {
	for name, spoil := range map[string]func(f *fixture){
		"a file in the way": func(f *fixture) {
			must(t, os.MkdirAll(filepath.Dir(f.options.Dir), 0o700), os.WriteFile(f.options.Dir, nil, 0o600))
		},
		"a link in the way": func(f *fixture) {
			must(t, os.MkdirAll(f.options.Dir+"2", 0o700), os.Symlink(f.options.Dir+"2", f.options.Dir))
		},
		"a pipe for a database": func(f *fixture) {
			must(t, os.MkdirAll(f.options.Dir, 0o700), syscall.Mkfifo(filepath.Join(f.options.Dir, "memory.db"), 0o600))
		},
		"a link for a database": func(f *fixture) {
			must(t, os.MkdirAll(f.options.Dir, 0o700), os.Symlink("/etc/passwd", filepath.Join(f.options.Dir, "memory.db")))
		},
		"a file system that is read only": func(f *fixture) { f.options.Dir = "/proc/tidepool" },
		"a newer database": func(f *fixture) {
			closeStore(t, f.rows())
			db, err := sql.Open("sqlite", filepath.Join(f.options.Dir, "memory.db"))
			must(t, err)
			_, err = db.Exec("PRAGMA user_version = 99")
			must(t, err, db.Close())
		},
	} {
		f := newFixture(t)
		spoil(f)
		before, _ := os.Lstat(filepath.Join(f.options.Dir, "memory.db"))
		s, err := Open(t.Context(), f.options)
		var off *OffError
		if s != nil || !errors.As(err, &off) || wording.HintOf(err) == "" || !strings.HasPrefix(err.Error(), "recall is off: ") {
			t.Errorf("%s: %v", name, err)
		}
		if after, _ := os.Lstat(filepath.Join(f.options.Dir, "memory.db")); before != nil && (!os.SameFile(before, after) || before.ModTime() != after.ModTime()) {
			t.Errorf("%s: the file has changed", name)
		}
	}
}

func TestNewerDatabaseNamesTheProgram(t *testing.T) {
	err := error(&OffError{&sqlite.NewerError{Path: "p", Version: 2, Known: 1}})
	if hint := wording.HintOf(err); !strings.Contains(hint, "newer tidepool") {
		t.Error(hint)
	}
}

// What is no database is renamed, by one of those who meet it at once, and the status says so.
func TestGarbageIsSetAside(t *testing.T) {
	f := newFixture(t)
	path := filepath.Join(f.options.Dir, "memory.db")
	must(t, os.MkdirAll(f.options.Dir, 0o700), os.WriteFile(path, []byte(strings.Repeat("garbage ", 1000)), 0o600))
	opened := make(chan error)
	for range 4 {
		go func() {
			s, err := OpenDatabase(context.Background(), f.options)
			if err == nil {
				_, err = s.Save(context.Background(), note("the crane needs grease"))
				err = errors.Join(err, s.Close(context.Background()))
			}
			opened <- err
		}()
	}
	for range 4 {
		must(t, <-opened)
	}
	s := f.open()
	if got := gists(t, s, Query{Text: "crane"}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	st := s.Status(t.Context())
	if len(st.Aside) != 1 || st.Index != IndexReady || st.Counts.Memories != 1 || st.Path != path {
		t.Fatalf("%+v", st)
	}
	if data, err := os.ReadFile(st.Aside[0]); err != nil || !strings.HasPrefix(string(data), "garbage") {
		t.Error(err)
	}
}

// Without a place of the user's, and with one on a network file system, a project has its own memories, and the status says why.
func TestFallback(t *testing.T) {
	t.Setenv("HOME", "")
	t.Setenv("XDG_DATA_HOME", "")
	f := newFixture(t)
	f.options.Dir, f.options.Fallback = "", filepath.Join(f.options.Project.Path, ".tidepool", "memory")
	s := f.open()
	save(t, s, note("the crane needs grease"))
	if st := s.Status(t.Context()); st.Place == "" || filepath.Dir(st.Path) != f.options.Fallback {
		t.Errorf("%+v", st)
	}
	f.options.Fallback = ""
	var off *OffError
	if _, err := Open(t.Context(), f.options); !errors.As(err, &off) || !strings.Contains(off.Hint(), "XDG_DATA_HOME") {
		t.Error(err)
	}
	at, err := placeOf(&Options{Dir: "/net/home", Fallback: "/src/.tidepool/memory"}, func(string) bool { return true })
	if err != nil || at.path != "/src/.tidepool/memory/memory.db" || !strings.Contains(at.why, "network file system") {
		t.Errorf("%+v, %v", at, err)
	}
	if at, err := placeOf(&Options{Dir: "/home", Fallback: "/src"}, func(string) bool { return false }); err != nil || at.path != "/home/memory.db" || at.why != "" {
		t.Errorf("%+v, %v", at, err)
	}
}

// Without an index everything but searching works.
func TestRowsOnly(t *testing.T) {
	s := newFixture(t).rows()
	save(t, s, note("the crane needs grease"))
	var none *IndexError
	if _, err := s.Recall(t.Context(), Query{Text: "crane"}); !errors.As(err, &none) || none.Hint() == "" {
		t.Error(err)
	}
	if _, err := s.Recollect(t.Context(), Prompt{Text: "crane"}); !errors.As(err, &none) {
		t.Error(err)
	}
	if _, err := s.Why(t.Context(), Prompt{Text: "crane"}); !errors.As(err, &none) {
		t.Error(err)
	}
	if st := s.Status(t.Context()); st.Index != IndexNone || st.Counts.Memories != 1 || st.Problem != "" {
		t.Errorf("%+v", st)
	}
}

// An index that has missed more changes than are kept is made anew.
func TestMissedChanges(t *testing.T) {
	f := newFixture(t)
	s := f.ready()
	save(t, s, note("the crane needs grease"))
	must(t, s.live.save(t.Context()))
	other := f.rows()
	first := save(t, other, memory.Draft{Content: "quay one"}).ID
	for range 3 {
		if _, err := other.Feedback(t.Context(), first, true, ""); err != nil {
			t.Fatal(err)
		}
	}
	_, err := other.Forget(t.Context(), first)
	must(t, err)
	db, err := sql.Open("sqlite", filepath.Join(f.options.Dir, "memory.db"))
	must(t, err)
	_, err = db.Exec("DELETE FROM change WHERE seq < (SELECT max(seq) FROM change)") // as 10,000 later ones would
	must(t, err, db.Close())
	for end := time.Now().Add(20 * time.Second); ; {
		found, err := s.Recall(t.Context(), Query{Text: "quay crane"})
		must(t, err)
		if found.Complete {
			if len(found.Memories) != 1 || found.Memories[0].Gist != "the crane needs grease" {
				t.Errorf("%+v", found)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatal("the index is never made anew")
		}
	}
}

// A snapshot is written when nothing has changed for a minute, and again only when something has.
func TestSnapshotWhenIdle(t *testing.T) {
	f := newFixture(t)
	s := f.ready()
	path := filepath.Join(f.options.Dir, "memory.index")
	save(t, s, note("the crane needs grease"))
	for i, want := range []bool{false, true, true} {
		must(t, s.live.work(t.Context(), true)) // as after a minute each
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("after %d minutes: %v", i+1, err)
		}
	}
	must(t, os.Remove(path), s.live.work(t.Context(), true))
	if _, err := os.Stat(path); err == nil {
		t.Error("it is written anew, and nothing has changed")
	}
	id := save(t, s, note("the quay is long")).ID
	_, err := s.Forget(t.Context(), id)
	must(t, err, s.live.work(t.Context(), true), s.live.work(t.Context(), true))
	if got := holds(t, f.options.Dir, "quay"); len(got) != 0 {
		t.Errorf("what was forgotten is in %q", got)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
