package tail

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A home has transcripts, and a watch of one project's.
type home struct {
	t    *testing.T
	dir  string
	slug string // the directory of the project's sessions
}

func newHome(t *testing.T) *home {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &home{t: t, dir: dir, slug: filepath.Join(dir, ".claude/projects/-home-dev-shop")}
	h.mkdir(h.slug)
	return h
}

func (h *home) mkdir(dir string) {
	h.t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		h.t.Fatal(err)
	}
}

// append adds to a file, which it makes first if need be.
func (h *home) append(path, text string) {
	h.t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		h.t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) watch(looking bool) *Watch {
	w := newArchive(h.dir).finder.Watch(looking)
	h.t.Cleanup(w.Close)
	return w
}

// expect waits until a watch has reported paths; others may come with them.
func (h *home) expect(w *Watch, paths ...string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 20*time.Second)
	defer cancel()
	for missing := slices.Clone(paths); len(missing) > 0; {
		got, err := w.Next(ctx)
		if err != nil {
			h.t.Fatalf("%v were not reported: %v", missing, err)
		}
		missing = slices.DeleteFunc(missing, func(path string) bool { return slices.Contains(got, path) })
	}
}

// aged makes a file one that nobody writes any more.
func (h *home) aged(path string) {
	h.t.Helper()
	old := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		h.t.Fatal(err)
	}
}

func TestWatchReportsWhatHappens(t *testing.T) {
	h := newHome(t)
	a, b := filepath.Join(h.slug, "a.jsonl"), filepath.Join(h.slug, "b.jsonl")
	h.append(a, first)
	h.aged(a)
	w := h.watch(false)
	h.expect(w, a)
	if s := w.State(); !s.Watching || s.Why != "" || s.Live != 0 || s.Files != 1 {
		t.Errorf("%+v", s)
	}
	h.append(b, first)
	h.expect(w, b)
	h.append(a, "{}\n")
	h.expect(w, a)
	if err := os.Rename(b, filepath.Join(h.slug, "c.jsonl")); err != nil {
		t.Fatal(err)
	}
	h.expect(w, b, filepath.Join(h.slug, "c.jsonl"))
	if err := os.Remove(a); err != nil {
		t.Fatal(err)
	}
	h.expect(w, a)

	// A worktree's directory, and one whose name is not the project's.
	for _, slug := range []string{"-home-dev-shop-sub", "-elsewhere"} {
		dir := filepath.Join(h.dir, ".claude/projects", slug)
		h.mkdir(dir)
		h.append(filepath.Join(dir, "d.jsonl"), first)
		h.expect(w, filepath.Join(dir, "d.jsonl"))
		h.append(filepath.Join(dir, "d.jsonl"), "{}\n")
		h.expect(w, filepath.Join(dir, "d.jsonl"))
	}
	if err := os.RemoveAll(filepath.Join(h.dir, ".claude/projects/-elsewhere")); err != nil {
		t.Fatal(err)
	}
	h.expect(w, filepath.Join(h.dir, ".claude/projects/-elsewhere/d.jsonl"))
}

func TestWatchReportsSubagents(t *testing.T) {
	h := newHome(t)
	live, old := filepath.Join(h.slug, "live.jsonl"), filepath.Join(h.slug, "old.jsonl")
	h.append(live, first)
	h.append(old, first)
	h.aged(old)
	h.mkdir(filepath.Join(h.slug, "old/subagents"))
	w := h.watch(false)
	h.expect(w, live, old)
	agent := filepath.Join(h.slug, "live/subagents/agent-1.jsonl")
	h.mkdir(filepath.Dir(agent))
	h.append(agent, first)
	h.expect(w, agent)
	deep := filepath.Join(h.slug, "live/subagents/workflows/w/agent-2.jsonl")
	h.mkdir(filepath.Dir(deep))
	h.append(deep, first)
	h.expect(w, deep)
	h.append(deep, "{}\n")
	h.expect(w, deep)

	// A session that goes on is watched again.
	h.append(old, "{}\n")
	h.expect(w, old)
	agent = filepath.Join(h.slug, "old/subagents/agent-3.jsonl")
	h.append(agent, first)
	h.expect(w, agent)
}

func TestHintNamesAFileBeforeItIsThere(t *testing.T) {
	h := newHome(t)
	w := h.watch(false)
	path := filepath.Join(h.dir, ".claude/projects/-brand-new/s.jsonl")
	if err := w.Hint(path); err != nil {
		t.Fatal(err)
	}
	h.mkdir(filepath.Dir(path))
	h.append(path, first)
	if err := w.Hint(path); err != nil {
		t.Fatal(err)
	}
	h.expect(w, path)
	var refused *RefusedError
	if err := w.Hint("/etc/passwd"); !errors.As(err, &refused) || refused.Hint() == "" {
		t.Error(err)
	}
	if err := w.Hint(filepath.Join(h.dir, ".claude/projects/x/../../../secret.jsonl")); !errors.As(err, &refused) {
		t.Error(err)
	}
}

func TestNothingIsInstalledYet(t *testing.T) {
	h := newHome(t)
	if err := os.RemoveAll(filepath.Join(h.dir, ".claude")); err != nil {
		t.Fatal(err)
	}
	w := h.watch(false)
	path := filepath.Join(h.slug, "a.jsonl")
	if err := w.Hint(path); err != nil {
		t.Fatal(err)
	}
	h.mkdir(h.slug)
	h.append(path, first)
	h.expect(w, path)
}

// Without a watch, files that are written are looked at every two seconds, and all every minute.
func TestLookingReportsInTime(t *testing.T) {
	h := newHome(t)
	live, old := filepath.Join(h.slug, "live.jsonl"), filepath.Join(h.slug, "old.jsonl")
	h.append(live, first)
	h.append(old, first)
	synctest.Test(t, func(t *testing.T) {
		// The bubble's clock starts in the year 2000.
		for path, age := range map[string]time.Duration{live: time.Minute, old: time.Hour} {
			at := time.Now().Add(-age)
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		w := newArchive(h.dir).finder.Watch(true)
		defer w.Close()
		next := func() (string, time.Duration) {
			began := time.Now()
			paths, err := w.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(paths)
			return strings.ReplaceAll(fmt.Sprint(paths), h.slug+"/", ""), time.Since(began)
		}
		if got, _ := next(); got != "[live.jsonl old.jsonl]" {
			t.Fatal(got)
		}
		if s := w.State(); s.Watching || s.Why == "" || s.Live != liveLook || s.Rest != slowLook {
			t.Errorf("%+v", s)
		}
		h.append(live, "{}\n")
		if got, after := next(); got != "[live.jsonl]" || after > liveLook {
			t.Errorf("%s after %v", got, after)
		}
		h.append(old, "{}\n")
		if got, after := next(); got != "[old.jsonl]" || after <= liveLook || after > slowLook {
			t.Errorf("%s after %v", got, after)
		}
		if err := os.Remove(live); err != nil {
			t.Fatal(err)
		}
		if got, after := next(); got != "[live.jsonl]" || after > liveLook {
			t.Errorf("%s after %v", got, after)
		}
	})
}

// When the system has lost events, all files are looked at.
func TestOverflowIsAFullLook(t *testing.T) {
	h := newHome(t)
	path := filepath.Join(h.slug, "a.jsonl")
	h.append(path, first)
	w := h.watch(false)
	h.expect(w, path)
	if err := w.notify.Remove(h.slug); err != nil { // its events are lost
		t.Fatal(err)
	}
	h.append(path, "{}\n")
	w.notify.Errors <- fsnotify.ErrEventOverflow
	h.expect(w, path)
}

// Where there are more directories than are watched, the state says so, and a file that is written is looked at.
func TestMoreDirectoriesThanAreWatched(t *testing.T) {
	h := newHome(t)
	last := ""
	for i := range maxWatched + 10 {
		dir := filepath.Join(h.dir, fmt.Sprintf(".claude/projects/-home-dev-shop-%05d", i))
		h.mkdir(dir)
		last = filepath.Join(dir, "a.jsonl")
		h.append(last, first)
	}
	w := h.watch(false)
	h.expect(w, last)
	if s := w.State(); !s.Watching || s.Why == "" || s.Live != liveLook || s.Rest != watchedLook || s.Files != maxWatched+10 {
		t.Errorf("%+v", s)
	}
	h.append(last, "{}\n")
	h.expect(w, last)
}
