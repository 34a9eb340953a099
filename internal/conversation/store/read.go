package store

import (
	"context"
	"encoding/json"
	"slices"
)

// Turns returns the turns of a session in order, from a number on, at most limit.
func (s *Store) Turns(ctx context.Context, session int64, from, limit int) ([]Turn, error) {
	return s.rows(ctx, "WHERE t.session = ? AND t.n >= ? ORDER BY t.n LIMIT ?", session, from, limit)
}

// ByID returns the turns with the numbers of some documents, in the order of the numbers. Those that are gone are left out.
func (s *Store) ByID(ctx context.Context, ids []uint32) ([]Turn, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	return s.rows(ctx, "WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY t.id", string(list))
}

func (s *Store) rows(ctx context.Context, where string, args ...any) ([]Turn, error) {
	query, err := s.prepared(ctx, rowQuery+where)
	if err != nil {
		return nil, err
	}
	found, err := query.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	var turns []Turn
	err = drain(found, func(from scanner) error {
		r, err := scanRow(s.codec, from)
		turns = append(turns, r.Turn)
		return err
	})
	return turns, err
}

// Counts says how much there is.
type Counts struct {
	Sessions, Turns             int
	Live, Gone, Refused         int   // files
	Size                        int64 // bytes of live files
	Read                        int64 // bytes of them that were read
	Skipped, Unreadable         int   // lines
	Bytes                       int64 // of the database
	Segment                     int64 // bytes of the index's snapshot in it
	ForgottenSessions, Excluded int
}

// Counts counts.
func (s *Store) Counts(ctx context.Context) (c Counts, err error) {
	err = s.db.Reader().QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM session), (SELECT count(*) FROM turn),
		coalesce(sum(state = 'live'), 0), coalesce(sum(state = 'gone'), 0), coalesce(sum(state = 'refused'), 0),
		coalesce(sum(iif(state = 'live', size, 0)), 0), coalesce(sum(iif(state = 'live', min(offset, size), 0)), 0),
		coalesce(sum(skipped), 0), coalesce(sum(unreadable), 0),
		(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size),
		(SELECT coalesce(sum(length(data)), 0) FROM segment),
		(SELECT count(*) FROM forgotten_session), (SELECT count(*) FROM exclusion)
		FROM file`).Scan(&c.Sessions, &c.Turns, &c.Live, &c.Gone, &c.Refused, &c.Size, &c.Read, &c.Skipped, &c.Unreadable, &c.Bytes, &c.Segment,
		&c.ForgottenSessions, &c.Excluded)
	return c, err
}

// A Change is a turn as an index sees it.
type Change struct {
	Rev   int64
	ID    uint32
	Found bool // searches find it; else it is a copy, was forgotten, or is gone
	Turn       // with its text if it is found
}

// Changes calls each for what has changed since a revision, in order of revisions. ok is false if that is so long ago that removed turns
// are not known any more: then nothing was called, and an index begins anew from revision 0. One turn may be named twice.
func (s *Store) Changes(ctx context.Context, since int64, each func(Change) error) (ok bool, err error) {
	dropped, err := s.number(ctx, "dropped")
	if err != nil || since > 0 && since < dropped {
		return false, err
	}
	if since > 0 {
		if err := s.removed(ctx, since, each); err != nil {
			return false, err
		}
	}
	for rev, id := since, uint32(1<<32-1); ; {
		some, err := s.changes(ctx, rev, id)
		if err != nil || len(some) == 0 {
			return err == nil, err
		}
		for _, c := range some {
			if err := each(c); err != nil {
				return false, err
			}
		}
		last := some[len(some)-1]
		rev, id = last.Rev, last.ID
	}
}

// maxChanges is how many turns are read at once, so that no statement stays open while they are indexed.
const maxChanges = 256

// changes returns what comes next after a turn.
func (s *Store) changes(ctx context.Context, rev int64, id uint32) ([]Change, error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT rev, id, session, n, at, flags, coalesce(same, 0), iif(same IS NULL, body, NULL)
		FROM turn WHERE (rev, id) > (?, ?) ORDER BY rev, id LIMIT ?`, rev, id, maxChanges)
	if err != nil {
		return nil, err
	}
	all := make([]Change, 0, maxChanges)
	err = drain(rows, func(row scanner) error {
		c, err := scanChange(s.codec, row)
		all = append(all, c)
		return err
	})
	return all, err
}

func scanChange(codec *codec, row scanner) (c Change, err error) {
	var at int64
	var flags int
	var same uint32
	var body []byte
	if err := row.Scan(&c.Rev, &c.ID, &c.Session, &c.Number, &at, &flags, &same, &body); err != nil {
		return c, err
	}
	c.At = moment(at)
	c.setFlags(flags)
	c.Turn.ID = c.ID
	if c.Found = same == 0 && !c.Forgotten; c.Found {
		c.Body, err = codec.decode(body)
	}
	return c, err
}

func (s *Store) removed(ctx context.Context, since int64, each func(Change) error) error {
	rows, err := s.db.Reader().QueryContext(ctx, "SELECT rev, id FROM removed WHERE rev > ? ORDER BY rev", since)
	if err != nil {
		return err
	}
	var all []Change
	err = drain(rows, func(row scanner) error {
		var c Change
		err := row.Scan(&c.Rev, &c.ID)
		all = append(all, c)
		return err
	})
	for _, c := range slices.Clip(all) {
		if err == nil {
			err = each(c)
		}
	}
	return err
}
