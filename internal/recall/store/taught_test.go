package store

import (
	"path/filepath"
	"testing"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/sqlite"
)

// A lesson counts once for each event, whoever reports it first. One of an event without an id counts each time that a hook reports it, and
// never again from a transcript.
func TestTeach(t *testing.T) {
	type report struct {
		origin, what string
		late, again  bool
	}
	for name, reports := range map[string][]report{
		"a hook, then the transcript, twice": {{"p", "a", false, false}, {"p", "a", true, true}, {"p", "a", true, true}},
		"the transcript, then the hook":      {{"p", "a", true, false}, {"p", "a", false, true}},
		"two events":                         {{"p", "a", false, false}, {"q", "a", false, false}, {"q", "a", true, true}, {"r", "a", true, false}},
		"two lessons of one event":           {{"p", "a", false, false}, {"p", "b", false, false}, {"p", "b", true, true}},
		"hooks without ids":                  {{"-", "a", false, false}, {"-", "a", false, false}, {"p", "a", true, true}, {"-", "a", true, true}, {"-", "b", true, false}},
		"a transcript without ids":           {{"p", "a", false, false}, {"-", "a", true, true}},
	} {
		db := newDB(t)
		for i, r := range reports {
			write(t, db, func(tx *Tx) error {
				again, err := tx.Teach(Lesson{Session: "s", Origin: r.origin, What: []byte(r.what), Late: r.late}, now())
				if again != r.again {
					t.Errorf("%s: report %d was there before: %v", name, i, again)
				}
				return err
			})
		}
		write(t, db, func(tx *Tx) error {
			again, err := tx.Teach(Lesson{Session: "other", Origin: reports[0].origin, What: []byte("a"), Late: true}, now())
			if again {
				t.Errorf("%s: another session's event counts", name)
			}
			return err
		})
	}
	if memory.NoOrigin != "-" {
		t.Error("the table above writes it so")
	}
}

// A database of the first version keeps its sessions.
func TestFirstVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	first := schema()
	first.Migrations = first.Migrations[:1]
	old, err := sqlite.Open(t.Context(), path, first)
	if err != nil {
		t.Fatal(err)
	}
	err = old.Write(t.Context(), func(tx *sqlite.Tx) error {
		_, err := tx.Exec("INSERT INTO session(id, project, started_at) VALUES('s', 'p', 1)")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	write(t, db, func(tx *Tx) error { return tx.BeginSession(Beginning{ID: "s", Project: "p", Transcript: "/t"}, now()) })
	all, err := db.Transcripts(t.Context(), "p", "", time.Time{}, 9)
	if err != nil || len(all) != 1 || all[0] != (Transcript{Session: "s", Path: "/t"}) {
		t.Errorf("%+v, %v", all, err)
	}
}
