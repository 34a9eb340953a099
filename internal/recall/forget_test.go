package recall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
)

// holds returns the names of the files below a directory that have a text.
func holds(t testing.TB, dir, text string) (names []string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if bytes.Contains(bytes.ToLower(data), []byte(text)) {
			names = append(names, entry.Name())
		}
		return err
	}))
	return names
}

// What is forgotten is in no file, whoever forgets it and whoever has an index with it, now and when all have ended.
func TestForgottenIsInNoFile(t *testing.T) {
	const word = "xyzzyplugh"
	for _, who := range []string{"daemon", "command"} {
		t.Run(who, func(t *testing.T) {
			f := newFixture(t)
			s, other := f.ready(), f.ready()
			id := save(t, s, memory.Draft{Content: "the word is " + word + ", which nobody may read", Tags: []string{word}, Session: word}).ID
			for i := range 30 {
				save(t, s, note(fmt.Sprintf("something that stays %d and has its own words%d", i, i*i)))
			}
			if got := told(t, s, Prompt{Session: word, Text: "what is the word " + word}); len(got) != 0 {
				must(t, s.Flush(t.Context()))
			}
			for _, one := range []*Store{s, other} {
				if got := gists(t, one, Query{Text: word}); len(got) != 1 {
					t.Fatalf("%q", got)
				}
				must(t, one.live.save(t.Context()))
			}
			must(t, os.WriteFile(filepath.Join(f.options.Dir, "memory.db.v1"), []byte(word), 0o600)) // as a migration leaves it
			if got := holds(t, f.options.Dir, word); len(got) < 2 {
				t.Fatalf("the text is in %q, so this test shows nothing", got)
			}
			forgetter := s
			if who == "command" {
				forgetter = f.rows()
			}
			gone, err := forgetter.Forget(t.Context(), id)
			if err != nil || len(gone) != 1 {
				t.Fatal(gone, err)
			}
			if got := holds(t, f.options.Dir, word); len(got) != 0 {
				t.Errorf("the text is in %q", got)
			}
			for _, one := range []*Store{s, other} {
				if got := gists(t, one, Query{Text: word}); len(got) != 0 {
					t.Errorf("it is found: %q", got)
				}
				save(t, one, note("something new, so that there is a snapshot to write"))
				must(t, one.live.save(t.Context())) // which has the words still
				if got := holds(t, f.options.Dir, word); len(got) != 0 {
					t.Errorf("a later snapshot has it: %q", got)
				}
				must(t, one.live.refresh(t.Context()), one.live.save(t.Context()))
			}
			if _, err := os.Stat(filepath.Join(f.options.Dir, "memory.index")); err != nil {
				t.Errorf("there is no snapshot: %v", err)
			}
			for _, one := range []*Store{s, other} {
				closeStore(t, one)
			}
			if got := holds(t, f.options.Dir, word); len(got) != 0 {
				t.Errorf("at the end the text is in %q", got)
			}
			if got := gists(t, f.open(), Query{Text: "stays"}); len(got) == 0 {
				t.Error("what stays is not found")
			}
		})
	}
}

// A process that is killed between forgetting and cleaning leaves the rest to whoever comes next.
func TestForgettingIsFinishedLater(t *testing.T) {
	const word = "xyzzyplugh"
	f := newFixture(t)
	s := f.ready()
	id := save(t, s, note("the word is "+word)).ID
	gists(t, s, Query{Text: word})
	closeStore(t, s)
	s = f.rows()
	r, err := s.db.ByID(t.Context(), id)
	must(t, err, s.db.Write(t.Context(), func(tx *store.Tx) error { return s.remove(tx, []store.Record{*r}) }))
	if got := holds(t, f.options.Dir, word); len(got) == 0 {
		t.Fatal("the text is in no file, so this test shows nothing")
	}
	if st := s.Status(t.Context()); !strings.Contains(st.Problem, "forgotten") {
		t.Errorf("%+v", st)
	}
	next := f.ready()
	for end := time.Now().Add(20 * time.Second); next.Status(t.Context()).Problem != "" && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if got := holds(t, f.options.Dir, word); len(got) != 0 {
		t.Errorf("the text is in %q", got)
	}
}

// Who cannot empty the log says so, and the memory is forgotten all the same.
func TestForgettingWhileAnotherReads(t *testing.T) {
	f := newFixture(t)
	s := f.rows()
	id := save(t, s, note("the word is xyzzyplugh")).ID
	other := f.rows()
	rows, err := other.db.Query(t.Context(), "SELECT n FROM memory")
	must(t, err)
	rows.Next() // a transaction that reads is open
	var remains *RemainsError
	if _, err := s.Forget(t.Context(), id); !errors.As(err, &remains) || remains.Hint() == "" {
		t.Errorf("%v", err)
	}
	must(t, rows.Close())
	var unknown *UnknownError
	if _, err := s.Get(t.Context(), id); !errors.As(err, &unknown) {
		t.Error(err)
	}
	must(t, s.clean(t.Context()))
	if got := holds(t, f.options.Dir, "xyzzyplugh"); len(got) != 0 {
		t.Errorf("the text is in %q", got)
	}
}

func TestForgetMatching(t *testing.T) {
	f := newFixture(t)
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	f.options.Now = func() time.Time { return now }
	other := f.in(filepath.Join(filepath.Dir(f.options.Project.Path), "other"))
	fill := func() *Store {
		s := other.rows()
		save(t, s, memory.Draft{Content: "foreign crane", At: now.Add(-time.Hour)})
		mine := f.rows()
		save(t, mine, memory.Draft{Content: "old crane with grease", At: now.Add(-100 * time.Hour)})
		save(t, mine, memory.Draft{Content: "new crane", Kind: memory.Decision})
		save(t, mine, note("new grease"))
		return mine
	}
	for name, test := range map[string]struct {
		q    Selection
		want []string
	}{
		"nothing":           {Selection{}, nil},
		"project":           {Selection{Project: "other"}, []string{"foreign crane"}},
		"before":            {Selection{Before: now.Add(-50 * time.Hour)}, []string{"old crane with grease"}},
		"matching":          {Selection{Matching: "Cranes"}, []string{"foreign crane", "new crane", "old crane with grease"}},
		"all words match":   {Selection{Matching: "grease crane"}, []string{"old crane with grease"}},
		"kinds":             {Selection{Kinds: []memory.Kind{memory.Decision}}, []string{"new crane"}},
		"both":              {Selection{Matching: "crane", Project: "harbor"}, []string{"new crane", "old crane with grease"}},
		"all":               {Selection{All: true}, []string{"foreign crane", "new crane", "new grease", "old crane with grease"}},
		"no word in common": {Selection{Matching: "zebra"}, nil},
	} {
		must(t, os.RemoveAll(f.options.Dir))
		s := fill()
		for _, dry := range []bool{true, false} {
			gone, err := s.ForgetMatching(t.Context(), test.q, dry)
			must(t, err)
			var names []string
			for _, m := range gone {
				names = append(names, m.Gist)
			}
			slices.Sort(names)
			if !slices.Equal(names, test.want) {
				t.Errorf("%s: %q", name, names)
			}
			left, err := s.List(t.Context(), ListQuery{})
			if want := 4 - len(names); dry && len(left) != 4 || !dry && len(left) != want || err != nil {
				t.Errorf("%s, dry %v: %d are left, %v", name, dry, len(left), err)
			}
		}
		closeStore(t, s)
	}
	var project *ProjectError
	if _, err := f.rows().ForgetMatching(t.Context(), Selection{Project: "none"}, false); !errors.As(err, &project) {
		t.Error(err)
	}
}

// With all memories of a project its journal goes, and with an experience the entry that it was made from.
func TestJournalIsForgottenToo(t *testing.T) {
	f := newFixture(t)
	s := f.rows()
	m := save(t, s, memory.Draft{Kind: memory.Experience, Content: "the word is xyzzyplugh"})
	r, err := s.db.ByID(t.Context(), m.ID)
	must(t, err)
	must(t, s.db.Write(t.Context(), func(tx *store.Tx) error {
		for id, n := range map[string]any{"a": r.N, "b": nil} {
			if _, err := tx.Exec("INSERT INTO journal(id, project, session, state, entry, memory, created_at) VALUES(?, ?, ?, 'confirmed', '\"xyzzyplugh\"', ?, 0)",
				id, f.options.Project.Key, id, n); err != nil {
				return err
			}
		}
		return nil
	}))
	if _, err := s.Forget(t.Context(), m.ID); err != nil {
		t.Fatal(err)
	}
	if c, err := s.db.Counts(t.Context()); c.Entries != 1 || err != nil {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := s.ForgetMatching(t.Context(), Selection{Project: f.options.Project.Key}, false); err != nil {
		t.Fatal(err)
	}
	if got := holds(t, f.options.Dir, "xyzzyplugh"); len(got) != 0 {
		t.Errorf("the text is in %q", got)
	}
}

// A memory that is forgotten while prompts look for it is told by none that begins afterwards.
func TestForgetWhileItIsTold(t *testing.T) {
	f := newFixture(t)
	s := f.ready()
	for round := range 5 {
		id := save(t, s, note(raceText)).ID
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 4)
		for g := range 4 {
			go func() {
				var err error
				for i := 0; ctx.Err() == nil && err == nil; i++ {
					_, err = s.Recollect(context.Background(), Prompt{Session: fmt.Sprint(round, g, i), Text: racePrompt})
				}
				ended <- err
			}()
		}
		if _, err := s.Forget(t.Context(), id); err != nil {
			t.Error(err)
		}
		if got := told(t, s, Prompt{Session: fmt.Sprint("after ", round), Text: racePrompt}); len(got) != 0 {
			t.Errorf("%q", got)
		}
		cancel()
		for range 4 {
			must(t, <-ended)
		}
	}
	must(t, s.Flush(t.Context()))
}
