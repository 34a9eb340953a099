package journal

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tidepool/internal/recall/store"
)

// end records that a session has ended, as the hook does.
func (f *fixture) end(t testing.TB, session string) {
	t.Helper()
	err := f.db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec("INSERT INTO session(id, project, started_at, ended_at) VALUES(?, ?, ?, ?)", session, project, f.now.UnixMilli(), f.now.UnixMilli())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOrphans(t *testing.T) {
	for name, test := range map[string]struct {
		left func(f *fixture)
		want bool
	}{
		"at work":                  {func(*fixture) {}, false},
		"ended":                    {func(f *fixture) { f.pass(time.Minute); f.end(t, "old") }, true},
		"silent":                   {func(f *fixture) { f.pass(silence + time.Second) }, true},
		"the clock was set back":   {func(f *fixture) { f.pass(-24 * time.Hour) }, true},
		"goes on after it ended":   {func(f *fixture) { f.end(t, "old"); f.pass(time.Minute); f.work(t, "old") }, false},
		"works without any change": {func(f *fixture) { f.pass(silence - time.Second); f.work(t, "old"); f.pass(silence - time.Second) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			e := f.begin(t, "old")
			test.left(f)
			orphans, err := f.Orphans(t.Context(), conversation("new"), 5)
			if err != nil || (len(orphans) == 1) != test.want {
				t.Errorf("%v, %v", orphans, err)
			}
			_, err = f.Adopt(t.Context(), conversation("new"), e.ID)
			if taken, ok := errors.AsType[*TakenError](err); (err == nil) != test.want || !test.want && (!ok || taken.Session != "old") {
				t.Errorf("adopting: %v", err)
			}
			if own, err := f.Orphans(t.Context(), conversation("old"), 5); err != nil || len(own) != 0 {
				t.Errorf("its own entry is an orphan to a session: %v, %v", own, err)
			}
		})
	}
}

// work has a conversation make as many calls as are noticed.
func (f *fixture) work(t testing.TB, session string) {
	t.Helper()
	for range calls {
		f.Count(t.Context(), conversation(session))
	}
	if err := f.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAdoptedEntryGoesOn(t *testing.T) {
	f := newFixture(t)
	e := f.begin(t, "old")
	f.pass(time.Minute)
	f.end(t, "old")
	got, err := f.Adopt(t.Context(), conversation("new"), e.ID)
	if err != nil || got.Session != "new" || got.Goal != e.Goal || got.Notes[0] != "adopted from session old" {
		t.Fatalf("%+v, %v", got, err)
	}
	if again, err := f.Adopt(t.Context(), conversation("new"), e.ID); err != nil || len(again.Notes) != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := f.Update(t.Context(), conversation("new"), Update{Note: "mine"}); err != nil {
		t.Error(err)
	}
	if e, err := f.Active(t.Context(), conversation("old")); e != nil || err != nil {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestAdoptNeedsNoOwnEntry(t *testing.T) {
	f := newFixture(t)
	e := f.begin(t, "old")
	f.pass(silence + time.Second)
	own := f.begin(t, "new")
	_, err := f.Adopt(t.Context(), conversation("new"), e.ID)
	if active, ok := errors.AsType[*ActiveError](err); !ok || active.ID != own.ID {
		t.Errorf("got %v", err)
	}
}

// Several daemons have the same database open. One adopts; each of the others reads who.
func TestAdoptedByTwoAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	first := open(t, path)
	e := first.begin(t, "old")
	daemons := []*fixture{first, open(t, path), open(t, path), open(t, path)}
	errs := make([]error, len(daemons))
	var all sync.WaitGroup
	for i, d := range daemons {
		d.pass(silence + time.Second)
		all.Go(func() { _, errs[i] = d.Adopt(t.Context(), conversation("new"+string(rune('0'+i))), e.ID) })
	}
	all.Wait()
	winner := ""
	for i, err := range errs {
		if err == nil {
			winner += "new" + string(rune('0'+i))
		}
	}
	for _, err := range errs {
		if taken, ok := errors.AsType[*TakenError](err); err != nil && (!ok || taken.Session != winner) {
			t.Errorf("%q adopted it, and another one reads %v", winner, err)
		}
	}
	if len(winner) != len("new0") {
		t.Errorf("%q adopted it", winner)
	}
}

func TestAbandon(t *testing.T) {
	f := newFixture(t)
	e := f.begin(t, "old")
	if _, err := f.Abandon(t.Context(), conversation("new"), e.ID, "not mine"); !errors.As(err, new(*TakenError)) {
		t.Errorf("got %v", err)
	}
	f.pass(silence + time.Second)
	if _, err := f.Abandon(t.Context(), conversation("new"), e.ID, ""); err == nil || err.Error() != "reason must not be empty" {
		t.Errorf("got %v", err)
	}
	got, err := f.Abandon(t.Context(), conversation("new"), e.ID, "superseded by the rewrite")
	if err != nil || got.Session != "old" || got.Tier != AbandonedTier || got.State() != Abandoned || len(f.saved) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = f.Abandon(t.Context(), conversation("new"), e.ID, "again")
	if _, ok := errors.AsType[*NotFoundError](err); !ok || !strings.Contains(err.Error(), "resolved as abandoned") {
		t.Errorf("got %v", err)
	}
	f.begin(t, "new")
	if own, err := f.Abandon(t.Context(), conversation("new"), "", "enough"); err != nil || own.Session != "new" {
		t.Errorf("%+v, %v", own, err)
	}
	if _, err := f.Adopt(t.Context(), conversation("new"), "ghap_x"); !errors.As(err, new(*NotFoundError)) {
		t.Errorf("got %v", err)
	}
}
