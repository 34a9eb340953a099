package store

import (
	"context"
	"time"

	"tidepool/internal/sqlite"
)

// Kinds of an Event.
const (
	Learned    = "learned"    // it was kept
	Merged     = "merged"     // it was learned again
	Superseded = "superseded" // another memory took its place; Note is the id of that one
	Helpful    = "helpful"    // feedback; Note is the comment
	Unhelpful  = "unhelpful"
)

// keptEvents is how many events of a memory stay: the newest.
const keptEvents = 32

// An Event is a part of the history of a memory.
type Event struct {
	What    string
	Session string // "": unknown
	Note    string
	At      time.Time
}

// AddEvent adds to the history of a memory.
func (t *Tx) AddEvent(n uint32, e Event) error {
	if err := t.exec("INSERT INTO event(memory, what, session, note, at) VALUES(?, ?, ?, ?, ?)", n, e.What, e.Session, e.Note, millis(e.At)); err != nil {
		return err
	}
	return t.exec("DELETE FROM event WHERE memory = ?1 AND rowid <= (SELECT rowid FROM event WHERE memory = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)", n, keptEvents)
}

// Events returns the history of a memory, the oldest first.
func (d *DB) Events(ctx context.Context, n uint32) (all []Event, err error) {
	err = each(d.reader(ctx), func(row sqlite.Row) error {
		var e Event
		var at int64
		err := row.Scan(&e.What, &e.Session, &e.Note, &at)
		e.At = moment(at)
		all = append(all, e)
		return err
	}, "SELECT what, session, note, at FROM event WHERE memory = ? ORDER BY rowid", n)
	return all, err
}
