package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidepool/internal/recall/memory"
	"tidepool/internal/sqlite"
)

func harbor() memory.Project {
	return memory.Project{Key: "0123456789abcdef", Name: "harbor", Path: "/src/harbor"}
}

func open(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// newDB returns a database with the project harbor.
func newDB(t testing.TB) *DB {
	db := open(t, filepath.Join(t.TempDir(), "memory", "memory.db"))
	write(t, db, func(tx *Tx) error { return tx.PutProject(Place{Project: harbor()}, now()) })
	return db
}

func now() time.Time { return time.Date(2026, 3, 12, 10, 0, 0, 0, time.UTC) }

func write(t testing.TB, db *DB, do func(*Tx) error) {
	t.Helper()
	if err := db.Write(context.Background(), do); err != nil {
		t.Fatal(err)
	}
}

// record returns a note whose words are those of a text between spaces.
func record(id, text string) Record {
	words := strings.Fields(text)
	slices.Sort(words)
	words = slices.Compact(words)
	sum := sha256.Sum256([]byte(strings.Join(words, " ")))
	return Record{
		Memory: memory.Memory{
			ID: id, Project: harbor(), Scope: memory.ForProject, Kind: memory.Note, Trust: memory.Saved, Gist: text, Content: text, Alpha: 1, Beta: 1,
			Source: "memory_save", Created: now(), Updated: now(),
		},
		Likeness: Likeness{len(words), sum[:16], Sketch(words)},
	}
}

func insert(t testing.TB, db *DB, records ...*Record) {
	t.Helper()
	write(t, db, func(tx *Tx) error {
		for _, r := range records {
			if err := tx.Insert(r); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestRecordIsReadAsItWasWritten(t *testing.T) {
	db := newDB(t)
	r := record("mem_1", "the text")
	r.Tags, r.Files = []string{"a", "b \"quoted\""}, []string{"web/db.go"}
	r.Session, r.Turn, r.Commit, r.Outcome, r.Quiet = "s/1", 7, "abc1234", memory.Success, true
	insert(t, db, &r)
	got, err := db.ByID(t.Context(), "mem_1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&r, got); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	r.Gist, r.Tags, r.Quiet, r.Updated = "another", nil, false, now().Add(-time.Hour)
	write(t, db, func(tx *Tx) error { return tx.Update(&r) })
	r.Updated = r.Created // never before it was made
	if got, _ = db.ByID(t.Context(), "mem_1"); !cmp.Equal(&r, got) {
		t.Errorf("(-written +read):\n%s", cmp.Diff(&r, got))
	}
	if none, err := db.ByID(t.Context(), "mem_2"); none != nil || err != nil {
		t.Error(none, err)
	}
}

func TestFingerprintIsThereOnce(t *testing.T) {
	db := newDB(t)
	other := memory.Project{Key: "fedcba9876543210", Name: "harbor", Path: "/old/harbor"}
	write(t, db, func(tx *Tx) error { return tx.EnsureProject(other, now()) })
	first, foreign := record("mem_1", "a b"), record("mem_2", "b a")
	foreign.Project = other
	insert(t, db, &first, &foreign)
	for _, scope := range []memory.Scope{memory.ForProject, memory.ForUser} {
		again := record("mem_3"+string(scope), "b a")
		again.Scope = scope
		err := db.Write(t.Context(), func(tx *Tx) error {
			same, err := tx.Same(&again)
			if (same == nil) != (scope == memory.ForUser) || same != nil && same.ID != "mem_1" {
				t.Errorf("%s: the same is %+v", scope, same)
			}
			if err != nil {
				return err
			}
			return tx.Insert(&again)
		})
		if (err == nil) != (scope == memory.ForUser) {
			t.Errorf("%s: %v", scope, err)
		}
	}
	third := record("mem_4", "a b")
	third.Scope, third.Project = memory.ForUser, other
	if err := db.Write(t.Context(), func(tx *Tx) error { return tx.Insert(&third) }); err == nil {
		t.Error("a memory for the user is there twice, of two projects")
	}
}

// Alike never misses a memory that is alike.
func TestAlikeMissesNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,6}`), 1, 120, rapid.ID[string]).Draw(r, "words")
		other := slices.Clone(words)
		for range rapid.IntRange(0, len(words)/4).Draw(r, "changes") {
			at := rapid.IntRange(0, len(other)-1).Draw(r, "at")
			other[at] = rapid.StringMatching(`[A-Z]{5}[0-9]{4}`).Draw(r, "new")
		}
		slices.Sort(other)
		other = slices.Compact(other)
		both := 0
		for _, w := range other {
			if slices.Contains(words, w) {
				both++
			}
		}
		a, b := Likeness{Words: len(words), Sketch: Sketch(words)}, Likeness{Words: len(other), Sketch: Sketch(other)}
		if float64(both) >= Overlap*float64(len(words)+len(other)-both) && (!a.mayBeAlike(&b) || !b.mayBeAlike(&a)) {
			r.Fatalf("%d of %d and %d words are common, and the sketches rule it out", both, len(words), len(other))
		}
	})
}

func TestAlikeReadsAFew(t *testing.T) {
	db := newDB(t)
	var all []*Record
	for i := range 300 {
		r := record(fmt.Sprint("mem_", i), fmt.Sprintf("one%d two%d three%d four%d five%d six%d", i, i, i, i, i, i))
		all = append(all, &r)
	}
	insert(t, db, all...)
	like := record("mem_x", "one7 two7 three7 four7 five7")
	write(t, db, func(tx *Tx) error {
		found, err := tx.Alike(&like)
		if len(found) != 1 || found[0].ID != "mem_7" {
			t.Errorf("%d are alike: %+v", len(found), found)
		}
		like.Kind = memory.Decision
		if found, err := tx.Alike(&like); len(found) != 0 || err != nil {
			t.Errorf("of another kind are alike: %+v, %v", found, err)
		}
		return err
	})
}

func TestChanges(t *testing.T) {
	db := newDB(t)
	a, b := record("mem_a", "a"), record("mem_b", "b")
	insert(t, db, &a, &b)
	write(t, db, func(tx *Tx) error { return tx.Supersede(a.N, b.N) })
	failed := db.Write(t.Context(), func(tx *Tx) error {
		c := record("mem_c", "c")
		return fmt.Errorf("rolled back: %w", tx.Insert(&c))
	})
	if failed == nil {
		t.Fatal("it is not rolled back")
	}
	write(t, db, func(tx *Tx) error { return tx.Remove(&b) }) // which changes a
	changes, ok, err := db.Changes(t.Context(), 0, 100)
	want := []Change{{1, a.N, false}, {2, b.N, false}, {3, a.N, false}, {4, b.N, true}, {5, a.N, false}}
	slices.SortFunc(changes[3:], func(x, y Change) int { return int(y.N) - int(x.N) }) // SQLite may do either first
	changes[3].Seq, changes[4].Seq = 4, 5
	if !ok || err != nil || !cmp.Equal(changes, want) {
		t.Errorf("%+v, %v, %v", changes, ok, err)
	}
	if seq, err := db.Seq(t.Context()); seq != 5 || err != nil {
		t.Error(seq, err)
	}
	if forgot, err := db.Forgot(t.Context()); forgot < 4 || err != nil {
		t.Error(forgot, err)
	}
	if again, _ := db.ByID(t.Context(), "mem_a"); again == nil || again.SupersededBy != "" {
		t.Errorf("what superseded it is gone, and it is %+v", again)
	}
}

func TestOldChangesAreDropped(t *testing.T) {
	db := newDB(t)
	a := record("mem_a", "a")
	insert(t, db, &a)
	write(t, db, func(tx *Tx) error {
		for range keptChanges + 5 {
			if err := tx.Supersede(a.N, 0); err != nil {
				return err
			}
		}
		return nil
	})
	last, err := db.Seq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if all, ok, err := db.Changes(t.Context(), last-keptChanges, 1<<30); len(all) != keptChanges || !ok || err != nil {
		t.Error(len(all), ok, err)
	}
	if _, ok, err := db.Changes(t.Context(), last-keptChanges-1, 10); ok || err != nil {
		t.Error("a change that was missed is not noticed", err)
	}
}

func TestMoveProject(t *testing.T) {
	db := newDB(t)
	a := record("mem_a", "a")
	insert(t, db, &a)
	before, _ := db.Seq(t.Context())
	to := memory.Project{Key: "00000000000000ff", Name: "port", Path: "/src/port"}
	write(t, db, func(tx *Tx) error {
		if _, err := tx.Exec("INSERT INTO journal(id, project, session, state, entry, created_at) VALUES('j', ?, 's', 'active', '{}', 0)", harbor().Key); err != nil {
			return err
		}
		return tx.MoveProject(harbor().Key, to)
	})
	if got, _ := db.ByID(t.Context(), "mem_a"); got.Project != to {
		t.Errorf("it is of %+v", got.Project)
	}
	if after, _ := db.Seq(t.Context()); after == before {
		t.Error("an index does not see that it has moved")
	}
	places, err := db.Projects(t.Context())
	if len(places) != 1 || err != nil {
		t.Errorf("%+v, %v", places, err)
	}
	if c, err := db.Counts(t.Context()); c.Memories != 1 || c.Projects[to.Key] != 1 || c.Kinds[memory.Note] != 1 || c.Entries != 1 || c.Bytes == 0 || err != nil {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	db := newDB(t)
	a := record("mem_a", "a")
	insert(t, db, &a)
	write(t, db, func(tx *Tx) error {
		for i := range keptEvents + 3 {
			if err := tx.AddEvent(a.N, Event{What: Merged, Note: fmt.Sprint(i), At: now()}); err != nil {
				return err
			}
		}
		return nil
	})
	if all, err := db.Events(t.Context(), a.N); len(all) != keptEvents || all[0].Note != "3" || all[keptEvents-1].Note != fmt.Sprint(keptEvents+2) || err != nil {
		t.Errorf("%d events from %+v, %v", len(all), all[0], err)
	}
}

func TestTold(t *testing.T) {
	db := newDB(t)
	a, b := record("mem_a", "a"), record("mem_b", "b")
	insert(t, db, &a, &b)
	write(t, db, func(tx *Tx) error {
		for i, n := range []uint32{a.N, b.N, a.N, 999} {
			if err := tx.Tell("s", n, now().Add(time.Duration(i)*time.Minute)); err != nil {
				return err
			}
		}
		return nil
	})
	if told, err := db.Told(t.Context(), "s"); !slices.Equal(told, []uint32{a.N, b.N}) || err != nil {
		t.Error(told, err)
	}
	lately, err := db.Lately(t.Context(), 1)
	if err != nil || len(lately) != 1 || lately[0].N != b.N || !lately[0].At.Equal(now().Add(time.Minute)) {
		t.Errorf("%+v, %v", lately, err)
	}
	write(t, db, func(tx *Tx) error { return tx.Remove(&b) })
	write(t, db, func(tx *Tx) error { return tx.Tidy(now().Add(time.Second)) })
	if told, _ := db.Told(t.Context(), "s"); len(told) != 0 {
		t.Error(told)
	}
}

// What is removed is in no byte of the files, whatever else is there.
func TestRemovedTextIsGone(t *testing.T) {
	few(t)
	db := newDB(t)
	const secret = "xyzzyplugh"
	id := 0
	next := func() string { id++; return fmt.Sprint("mem_", id) }
	rapid.Check(t, func(r *rapid.T) {
		var all []*Record
		for i := range rapid.IntRange(1, 40).Draw(r, "memories") {
			text := strings.Repeat(fmt.Sprint(secret, i, rapid.Uint32().Draw(r, "n"), " "), rapid.IntRange(1, 300).Draw(r, "size"))
			m := record(next(), fmt.Sprint(id, text))
			m.Tags, m.Session, m.Kind = []string{secret}, secret, memory.Session
			all = append(all, &m)
			if rapid.Bool().Draw(r, "another between") {
				o := record(next(), fmt.Sprint("stays", id))
				insert(t, db, &o)
			}
			insert(t, db, &m)
		}
		write(t, db, func(tx *Tx) error {
			for i, m := range all {
				if err := tx.AddEvent(m.N, Event{What: Learned, Note: secret}); err != nil {
					return err
				}
				_, err := tx.Exec("INSERT INTO journal(id, project, session, state, entry, memory, created_at) VALUES(?, 'p', ?, 'confirmed', ?, ?, 0)",
					fmt.Sprint(secret, i), fmt.Sprint(secret, i), `"`+secret+`"`, m.N)
				if err != nil {
					return err
				}
			}
			return nil
		})
		write(t, db, func(tx *Tx) error {
			for _, m := range all {
				if err := tx.Remove(m); err != nil {
					return err
				}
			}
			return nil
		})
		if err := db.Purge(t.Context()); err != nil {
			r.Fatal(err)
		}
		files, err := filepath.Glob(db.Path() + "*")
		if err != nil || len(files) < 2 {
			r.Fatal(files, err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				r.Fatal(err)
			}
			if bytes.Contains(data, []byte(secret)) {
				at := bytes.Index(data, []byte(secret))
				r.Fatalf("the text is still in %s at %d: %q", filepath.Base(name), at, data[max(0, at-100):min(len(data), at+100)])
			}
		}
	})
}

func TestForgottenIsKeyed(t *testing.T) {
	one, other := newDB(t), newDB(t)
	for i, db := range []*DB{one, other} {
		write(t, db, func(tx *Tx) error {
			if i == 0 {
				if err := tx.MarkForgotten([]byte("words"), now()); err != nil {
					return err
				}
			}
			is, err := tx.IsForgotten([]byte("words"))
			if is != (i == 0) {
				t.Errorf("database %d: forgotten is %v", i, is)
			}
			return err
		})
	}
	if bytes.Equal(one.ID(), other.ID()) {
		t.Error("two databases have one identity")
	}
	write(t, one, func(tx *Tx) error { return tx.Unforget([]byte("words")) })
	if c, err := one.Counts(t.Context()); c.Forgotten != 0 || err != nil {
		t.Error(c.Forgotten, err)
	}
}

// The memory of a session is found by the session: a prompt that begins one must not read all memories of the project.
func TestSummaryIsFoundByItsSession(t *testing.T) {
	db := newDB(t)
	var plan []string
	err := each(db.reader(t.Context()), func(row sqlite.Row) error {
		var id, parent, unused int
		var step string
		err := row.Scan(&id, &parent, &unused, &step)
		plan = append(plan, step)
		return err
	}, "EXPLAIN QUERY PLAN "+selectMemory+ofSession, "s", harbor().Key, memory.Session)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(plan, "SEARCH m USING INDEX memory_session (session=?)") {
		t.Errorf("the plan is %q", plan)
	}
	first, second, other := record("mem_1", "goal one"), record("mem_2", "goal two"), record("mem_3", "a note")
	first.Kind, first.Session, second.Kind, second.Session, other.Session = memory.Session, "s", memory.Session, "s", "s"
	insert(t, db, &first, &second, &other)
	got, err := db.Summary(t.Context(), harbor().Key, "s")
	if err != nil || got == nil || got.ID != second.ID {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := db.Summary(t.Context(), harbor().Key, "another"); err != nil || got != nil {
		t.Errorf("of a session without memories: %+v, %v", got, err)
	}
}

func TestListAndNeighbours(t *testing.T) {
	db := newDB(t)
	var all []*Record
	for i := range 6 {
		r := record(fmt.Sprint("mem_", i), fmt.Sprint("text ", i))
		r.Session, r.Turn, r.Created, r.Updated = "s", 5-i, now().Add(time.Duration(i)*time.Hour), now().Add(time.Duration(i)*time.Hour)
		if i == 4 {
			r.Kind, r.Outcome, r.Tags = memory.Fix, memory.Failure, []string{"db"}
		}
		all = append(all, &r)
	}
	insert(t, db, all...)
	for name, test := range map[string]struct {
		filter Filter
		want   string
	}{
		"all":     {Filter{}, "5 4 3 2 1 0"},
		"limit":   {Filter{Limit: 2}, "5 4"},
		"below":   {Filter{Below: all[3].N, Limit: 2}, "2 1"},
		"kind":    {Filter{Kinds: []memory.Kind{memory.Fix}}, "4"},
		"outcome": {Filter{Outcome: memory.Failure}, "4"},
		"tag":     {Filter{Tag: "db"}, "4"},
		"since":   {Filter{Since: now().Add(4 * time.Hour)}, "5 4"},
		"before":  {Filter{Before: now().Add(time.Hour)}, "0"},
		"project": {Filter{Projects: []string{"x"}}, ""},
		"nobody":  {Filter{Projects: []string{}}, ""},
		"session": {Filter{Session: "s", Limit: 1}, "5"},
	} {
		got, err := db.List(t.Context(), test.filter)
		if names := ids(got); names != test.want || err != nil {
			t.Errorf("%s: %s, %v", name, names, err)
		}
	}
	before, after, err := db.Neighbours(t.Context(), all[2], 2)
	if ids(before) != "4 3" || ids(after) != "1 0" || err != nil {
		t.Error(ids(before), ids(after), err)
	}
	if some, err := db.Records(t.Context(), []uint32{all[3].N, 77, all[1].N}); ids(some) != "1 3" || err != nil {
		t.Error(ids(some), err)
	}
	if failures, err := db.WithOutcome(t.Context(), memory.Failure); len(failures) != 1 || !failures[all[4].N] || err != nil {
		t.Error(failures, err)
	}
}

func ids(records []Record) string {
	var all []string
	for _, r := range records {
		all = append(all, strings.TrimPrefix(r.ID, "mem_"))
	}
	return strings.Join(all, " ")
}

// few has properties checked 25 times: each check writes a database anew.
func few(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	if checks.Value.String() != checks.DefValue {
		return // somebody has asked for so many
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(checks.Value.Set("25"))
	t.Cleanup(func() { must(checks.Value.Set(checks.DefValue)) })
}
