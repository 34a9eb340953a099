package store

import (
	"time"

	"tidepool/internal/recall/memory"
)

// A Lesson is that an event has taught a memory.
type Lesson struct {
	Session string
	Origin  string // the id of the event in the session, or memory.NoOrigin
	What    []byte // what identifies the memory as it was learned: not stored, but its keyed hash
	Late    bool   // it is from a transcript, so that a hook may have reported the event before
}

// Teach records a lesson, and reports whether the same event has taught the same memory before. Of events without an id nobody can tell
// whether they are the same. In doubt a late one is: a memory that counts twice is told too soon.
func (t *Tx) Teach(l Lesson, now time.Time) (again bool, err error) {
	what := t.hash(l.What)
	if l.Late {
		err := t.Row("SELECT EXISTS(SELECT 1 FROM taught WHERE session = ?1 AND what = ?2 AND (origin IN (?3, ?4) OR ?3 = ?4))",
			l.Session, what, l.Origin, memory.NoOrigin).Scan(&again)
		if err != nil || again {
			return again, err
		}
	}
	result, err := t.Exec("INSERT OR IGNORE INTO taught(session, what, origin, at) VALUES(?, ?, ?, ?)", l.Session, what, l.Origin, millis(now))
	if err != nil {
		return false, err
	}
	added, err := result.RowsAffected()
	return added == 0 && l.Origin != memory.NoOrigin, err
}
