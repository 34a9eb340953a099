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
func (b *bench) end(t testing.TB, session string) {
	t.Helper()
	err := b.db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec("INSERT INTO session(id, project, started_at, ended_at) VALUES(?, ?, ?, ?)", session, project, b.now.UnixMilli(), b.now.UnixMilli())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOrphans(t *testing.T) {
	for name, test := range map[string]struct {
		left func(b *bench)
		want bool
	}{
		"at work":                  {func(*bench) {}, false},
		"ended":                    {func(b *bench) { b.pass(time.Minute); b.end(t, "old") }, true},
		"silent":                   {func(b *bench) { b.pass(silence + time.Second) }, true},
		"the clock was set back":   {func(b *bench) { b.pass(-24 * time.Hour) }, true},
		"goes on after it ended":   {func(b *bench) { b.end(t, "old"); b.pass(time.Minute); b.work(t, "old") }, false},
		"works without any change": {func(b *bench) { b.pass(silence - time.Second); b.work(t, "old"); b.pass(silence - time.Second) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			e := b.begin(t, "old")
			test.left(b)
			orphans, err := b.Orphans(t.Context(), conversation("new"), 5)
			if err != nil || (len(orphans) == 1) != test.want {
				t.Errorf("%v, %v", orphans, err)
			}
			_, err = b.Adopt(t.Context(), conversation("new"), e.ID)
			if taken, ok := errors.AsType[*TakenError](err); (err == nil) != test.want || !test.want && (!ok || taken.Session != "old") {
				t.Errorf("adopting: %v", err)
			}
			if own, err := b.Orphans(t.Context(), conversation("old"), 5); err != nil || len(own) != 0 {
				t.Errorf("its own entry is an orphan to a session: %v, %v", own, err)
			}
		})
	}
}

// work has a conversation make as many calls as are noticed.
func (b *bench) work(t testing.TB, session string) {
	t.Helper()
	for range calls {
		b.Count(t.Context(), conversation(session))
	}
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAdoptedEntryGoesOn(t *testing.T) {
	b := newBench(t)
	e := b.begin(t, "old")
	b.pass(time.Minute)
	b.end(t, "old")
	got, err := b.Adopt(t.Context(), conversation("new"), e.ID)
	if err != nil || got.Session != "new" || got.Goal != e.Goal || got.Notes[0] != "adopted from session old" {
		t.Fatalf("%+v, %v", got, err)
	}
	if again, err := b.Adopt(t.Context(), conversation("new"), e.ID); err != nil || len(again.Notes) != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := b.Update(t.Context(), conversation("new"), Update{Note: "mine"}); err != nil {
		t.Error(err)
	}
	if e, err := b.Active(t.Context(), conversation("old")); e != nil || err != nil {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestAdoptNeedsNoOwnEntry(t *testing.T) {
	b := newBench(t)
	e := b.begin(t, "old")
	b.pass(silence + time.Second)
	own := b.begin(t, "new")
	_, err := b.Adopt(t.Context(), conversation("new"), e.ID)
	if active, ok := errors.AsType[*ActiveError](err); !ok || active.ID != own.ID {
		t.Errorf("got %v", err)
	}
}

// Several daemons have the same database open. One adopts; each of the others reads who.
func TestAdoptedByTwoAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	first := open(t, path)
	e := first.begin(t, "old")
	daemons := []*bench{first, open(t, path), open(t, path), open(t, path)}
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
	b := newBench(t)
	e := b.begin(t, "old")
	if _, err := b.Abandon(t.Context(), conversation("new"), e.ID, "not mine"); !errors.As(err, new(*TakenError)) {
		t.Errorf("got %v", err)
	}
	b.pass(silence + time.Second)
	if _, err := b.Abandon(t.Context(), conversation("new"), e.ID, ""); err == nil || err.Error() != "reason must not be empty" {
		t.Errorf("got %v", err)
	}
	got, err := b.Abandon(t.Context(), conversation("new"), e.ID, "superseded by the rewrite")
	if err != nil || got.Session != "old" || got.Tier != AbandonedTier || got.State() != Abandoned || len(b.saved) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = b.Abandon(t.Context(), conversation("new"), e.ID, "again")
	if _, ok := errors.AsType[*NotFoundError](err); !ok || !strings.Contains(err.Error(), "resolved as abandoned") {
		t.Errorf("got %v", err)
	}
	b.begin(t, "new")
	if own, err := b.Abandon(t.Context(), conversation("new"), "", "enough"); err != nil || own.Session != "new" {
		t.Errorf("%+v, %v", own, err)
	}
	if _, err := b.Adopt(t.Context(), conversation("new"), "ghap_x"); !errors.As(err, new(*NotFoundError)) {
		t.Errorf("got %v", err)
	}
}
