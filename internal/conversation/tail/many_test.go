package tail

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// All of 10,000 sessions are reported, the last modified first, and no file stays open; one that is added later is reported alone.
func TestTenThousandSessions(t *testing.T) {
	h := newHome(t)
	const sessions = 10_000
	for i := range sessions {
		group := h.slug
		if i%10 == 0 {
			group = fmt.Sprintf("%s-%d", h.slug, i%100) // of directories below the project's
			h.mkdir(group)
		}
		must(t, os.WriteFile(filepath.Join(group, fmt.Sprintf("%d.jsonl", i)), []byte(first), 0o600))
	}
	w := h.watch(false)
	reported := make(map[string]bool, sessions)
	for len(reported) < sessions {
		paths, err := w.Next(t.Context())
		must(t, err)
		for _, path := range paths {
			if reported[path] {
				t.Fatalf("%s is reported twice", path)
			}
			reported[path] = true
		}
	}
	if s := w.State(); s.Files != sessions || len(s.Refused) != 0 || !s.Watching || s.Why != "" {
		t.Errorf("%+v", s)
	}
	if open := descriptors(t); open > 100 {
		t.Errorf("%d files are open", open)
	}
	added := filepath.Join(h.slug, "added.jsonl")
	h.append(added, first)
	paths, err := w.Next(context.Background())
	if err != nil || len(paths) != 1 || paths[0] != added {
		t.Errorf("%q %v", paths, err)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	must(t, err)
	return len(entries)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestHintBeforeTheFirstLook has a hook name one file while the watch begins: the first answer has all files all the same, so whoever
// reads them may call that everything.
func TestHintBeforeTheFirstLook(t *testing.T) {
	h := newHome(t)
	const sessions = 20
	for i := range sessions {
		h.append(filepath.Join(h.slug, fmt.Sprintf("%d.jsonl", i)), first)
	}
	for range 20 {
		w := h.watch(false)
		must(t, w.Hint(filepath.Join(h.slug, "3.jsonl")))
		if paths, err := w.Next(t.Context()); err != nil || len(paths) != sessions {
			t.Fatalf("%d of %d files, %v", len(paths), sessions, err)
		}
		w.Close()
	}
}
