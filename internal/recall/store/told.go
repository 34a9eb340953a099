package store

import (
	"context"
	"time"

	"tidepool/internal/sqlite"
)

// Told returns the numbers of the memories that a session was told.
func (d *DB) Told(ctx context.Context, session string) ([]uint32, error) {
	return numbers(d.reader(ctx), "SELECT memory FROM told WHERE session = ?", session)
}

// Tell records that a session was told a memory. One that is gone is no error.
func (t *Tx) Tell(session string, n uint32, now time.Time) error {
	return t.exec("INSERT OR IGNORE INTO told(session, memory, at) SELECT ?, n, ? FROM memory WHERE n = ?", session, millis(now), n)
}

// ToldShared returns the ids of the team's memories that a session was told.
func (d *DB) ToldShared(ctx context.Context, session string) (ids []string, err error) {
	err = each(d.reader(ctx), func(row sqlite.Row) error {
		var id string
		err := row.Scan(&id)
		ids = append(ids, id)
		return err
	}, "SELECT id FROM told_shared WHERE session = ?", session)
	return ids, err
}

// TellShared records that a session was told a memory of the team.
func (t *Tx) TellShared(session, id string, now time.Time) error {
	return t.exec("INSERT OR IGNORE INTO told_shared(session, id, at) VALUES(?, ?, ?)", session, id, millis(now))
}

// A Telling is a memory that a session was told.
type Telling struct {
	N       uint32
	Session string
	At      time.Time
}

// Lately returns what was told last, the latest first.
func (d *DB) Lately(ctx context.Context, limit int) (all []Telling, err error) {
	err = each(d.reader(ctx), func(row sqlite.Row) error {
		var one Telling
		var at int64
		err := row.Scan(&one.N, &one.Session, &at)
		one.At = moment(at)
		all = append(all, one)
		return err
	}, "SELECT memory, session, at FROM told ORDER BY at DESC, memory DESC LIMIT ?", limit)
	return all, err
}

// Tidy removes what is known about tellings from before a time.
func (t *Tx) Tidy(before time.Time) error {
	if err := t.exec("DELETE FROM told_shared WHERE at < ?", millis(before)); err != nil {
		return err
	}
	return t.exec("DELETE FROM told WHERE at < ?", millis(before))
}
