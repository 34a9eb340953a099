package store

import (
	"context"
	"time"

	"tidepool/internal/sqlite"
)

// keptSessions is how long it is known when a session began and ended, and what its events have taught.
const keptSessions = 365 * 24 * time.Hour

// A Beginning is what is known of a session when it begins or goes on.
type Beginning struct {
	ID, Project string
	Transcript  string // its path; "": not known
	// Resumed says that the session was taken up again. What its transcript has from its end until now is of processes that may not have
	// been allowed to remember, and so is all of a session that nobody has heard of before.
	Resumed bool
}

// BeginSession records that a session has begun, or that one that had ended goes on. It forgets sessions of more than a year ago.
func (t *Tx) BeginSession(b Beginning, now time.Time) error {
	old := millis(now.Add(-keptSessions))
	if err := t.exec("DELETE FROM session WHERE project = ? AND started_at < ?", b.Project, old); err != nil {
		return err
	}
	if err := t.exec("DELETE FROM taught WHERE at < ?", old); err != nil {
		return err
	}
	return t.exec(`INSERT INTO session(id, project, started_at, transcript, gap_from, gap_to) VALUES(?1, ?2, ?3, ?4, iif(?5, 1, 0), iif(?5, ?3, 0))
		ON CONFLICT(id) DO UPDATE SET ended_at = NULL, transcript = iif(?4 = '', transcript, ?4),
		gap_from = iif(?5 AND ended_at IS NOT NULL AND gap_from = 0, ended_at, gap_from), gap_to = iif(?5 AND ended_at IS NOT NULL, ?3, gap_to)`,
		b.ID, b.Project, millis(now), b.Transcript, b.Resumed)
}

// EndSession records that a session has ended, whether or not anybody knows when it began.
func (t *Tx) EndSession(id, project string, now time.Time) error {
	return t.exec(`INSERT INTO session(id, project, started_at, ended_at) VALUES(?1, ?2, ?3, ?3) ON CONFLICT(id) DO UPDATE SET ended_at = ?3`,
		id, project, millis(now))
}

// HideSession records that nothing is to be learned from the transcript of a session, for good.
func (t *Tx) HideSession(id, project string, now time.Time) error {
	return t.exec(`INSERT INTO session(id, project, started_at, private) VALUES(?1, ?2, ?3, 1) ON CONFLICT(id) DO UPDATE SET private = 1`,
		id, project, millis(now))
}

// ReadSession records how large the transcript of a session was when it was read.
func (t *Tx) ReadSession(id string, size int64) error {
	return t.exec("UPDATE session SET read_to = ? WHERE id = ?", size, id)
}

// A Transcript is that of a session, which may be read. What it has from before the project's sessions were forgotten is in the gap.
type Transcript struct {
	Session        string
	Path           string
	Read           int64     // bytes that it had when it was read last; 0: it was not
	GapFrom, GapTo time.Time // what it has in between is left out, both included; zero: there is no gap
	Ended          time.Time // what it has later is left out; zero: the session goes on, or nobody has seen its end
}

// Transcripts returns those of a project's sessions that may be read, of the sessions since a time that began last, at most limit. With an
// id it returns that session's only.
func (d *DB) Transcripts(ctx context.Context, project, id string, since time.Time, limit int) (all []Transcript, err error) {
	err = each(d.reader(ctx), func(row sqlite.Row) error {
		var t Transcript
		var from, to, ended int64
		err := row.Scan(&t.Session, &t.Path, &t.Read, &from, &to, &ended)
		t.GapFrom, t.GapTo, t.Ended = moment(from), moment(to), moment(ended)
		all = append(all, t)
		return err
	}, `WITH emptied(at) AS (SELECT coalesce(max(value), 0) FROM meta WHERE key IN ('emptied ', 'emptied ' || ?1))
		SELECT id, transcript, read_to, iif(at > 0, 1, gap_from), max(gap_to, at), coalesce(ended_at, 0) FROM session, emptied
		WHERE project = ?1 AND started_at >= ?3 AND (?2 = '' OR id = ?2) AND transcript <> '' AND private = 0 ORDER BY started_at DESC LIMIT ?4`,
		project, id, millis(since), limit)
	return all, err
}
