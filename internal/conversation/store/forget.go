package store

import (
	"context"
	"strconv"
	"time"
)

// Forget removes a session with all that was said in it, for good. Copies of its turns in other sessions lose their text,
// and neither is stored again. It returns how many turns the session had.
func (s *Store) Forget(ctx context.Context, session Session, now time.Time) (removed int, err error) {
	err = s.Update(ctx, func(t *Tx) error {
		if err := t.exec("INSERT OR REPLACE INTO forgotten_session(sid, at) VALUES(?, ?)", session.SID, millis(now)); err != nil {
			return err
		}
		// Copies of a session that was forked keep what the session only had from another one: that one was not forgotten.
		err := t.exec(`INSERT OR IGNORE INTO forgotten_turn(uuid) SELECT uuid FROM turn WHERE session = ? AND uuid IS NOT NULL AND flags & ? = 0`,
			session.ID, copied)
		if err != nil {
			return err
		}
		if removed, err = t.removeSession(session); err != nil {
			return err
		}
		if err := t.exec("UPDATE file SET state = ?, why = ? WHERE id = ?", Excluded, Forgotten, session.File); err != nil {
			return err
		}
		if err := t.forgetCopies(); err != nil {
			return err
		}
		return t.dropSegment()
	})
	if err != nil {
		return 0, err
	}
	return removed, s.db.Purge(ctx)
}

// ForgetAll removes all sessions as Forget does. It returns how many turns they had.
func (s *Store) ForgetAll(ctx context.Context, now time.Time) (removed int, err error) {
	err = s.Update(ctx, func(t *Tx) error {
		if err := t.row("SELECT count(*) FROM turn").Scan(&removed); err != nil {
			return err
		}
		t.changed = true
		for _, statement := range []string{
			"INSERT OR REPLACE INTO forgotten_session(sid, at) SELECT sid, " + strconv.FormatInt(millis(now), 10) + " FROM session",
			"INSERT OR IGNORE INTO forgotten_turn(uuid) SELECT uuid FROM turn WHERE uuid IS NOT NULL",
			"DELETE FROM turn", "DELETE FROM session", "DELETE FROM removed",
			"UPDATE file SET state = '" + Excluded + "', why = '" + Forgotten + "'",
			"UPDATE meta SET value = " + strconv.FormatInt(t.rev, 10) + " WHERE key = 'dropped'",
		} {
			if err := t.exec(statement); err != nil {
				return err
			}
		}
		return t.dropSegment()
	})
	if err != nil {
		return 0, err
	}
	return removed, s.db.Purge(ctx)
}

// forgetCopies takes the texts of all turns that are forgotten.
func (t *Tx) forgetCopies() error {
	body, err := t.codec.encode(&Body{})
	if err != nil {
		return err
	}
	return t.exec(`UPDATE turn SET body = ?, same = NULL, flags = flags | ?, rev = ? WHERE uuid IN (SELECT uuid FROM forgotten_turn) AND flags & ? = 0`,
		body, forgotten, t.rev, forgotten)
}

// Remove removes a session with its turns and what was read of its file, which is read again if it is there. It returns how many
// turns there were.
func (t *Tx) Remove(session Session) (int, error) {
	removed, err := t.removeSession(session)
	if err != nil {
		return 0, err
	}
	return removed, t.exec("DELETE FROM file WHERE id = ?", session.File)
}

func (t *Tx) removeSession(session Session) (int, error) {
	removed, err := t.Trim(session.ID, 0)
	if err != nil {
		return 0, err
	}
	delete(t.counts, session.ID)
	t.changed = true
	return removed, t.exec("DELETE FROM session WHERE id = ?", session.ID)
}

// Forgotten is why a file is Excluded whose session was forgotten.
const Forgotten = "it was forgotten"

// IsForgotten reports whether a session was forgotten, so that it is never stored again.
func (t *Tx) IsForgotten(sid string) (is bool, err error) {
	err = t.row("SELECT EXISTS(SELECT 1 FROM forgotten_session WHERE sid = ?)", sid).Scan(&is)
	return is, err
}

// Exclude adds a pattern of directories whose sessions are not read.
func (s *Store) Exclude(ctx context.Context, pattern string) error {
	return s.Update(ctx, func(t *Tx) error { return t.exec("INSERT OR IGNORE INTO exclusion(pattern) VALUES(?)", pattern) })
}

// Exclusions returns the patterns.
func (t *Tx) Exclusions() (patterns []string, err error) {
	err = t.each(func(row scanner) error {
		var p string
		err := row.Scan(&p)
		patterns = append(patterns, p)
		return err
	}, "SELECT pattern FROM exclusion")
	return patterns, err
}

// Exclusions returns the patterns, in order.
func (s *Store) Exclusions(ctx context.Context) (patterns []string, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, "SELECT pattern FROM exclusion ORDER BY pattern")
	if err != nil {
		return nil, err
	}
	err = drain(rows, func(row scanner) error {
		var p string
		err := row.Scan(&p)
		patterns = append(patterns, p)
		return err
	})
	return patterns, err
}
