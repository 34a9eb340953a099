package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"
)

// A Session is a conversation: the turns of one file.
type Session struct {
	ID         int64
	SID        string // the id that the source gave it
	File       int64
	Source     string
	Parent     string // of a subagent's session; "": not known
	ForkedFrom string // the session whose turns it begins with; "": none
	Slug       string
	Title      string
	Cwd        string
	Branch     string
	Sidechain  bool
	Live       bool // its file is there
	First      time.Time
	Last       time.Time
	Turns      int // highest number and one
}

const sessionColumns = "id, sid, file, source, parent, forked_from, slug, title, cwd, branch, sidechain, live, first, last, turns"

func scanSession(row scanner) (s Session, err error) {
	var first, last int64
	err = row.Scan(&s.ID, &s.SID, &s.File, &s.Source, &s.Parent, &s.ForkedFrom, &s.Slug, &s.Title, &s.Cwd, &s.Branch, &s.Sidechain, &s.Live,
		&first, &last, &s.Turns)
	s.First, s.Last = moment(first), moment(last)
	return s, err
}

// Sessions returns the sessions that have changed since a revision, the last used first. 0: all.
func (s *Store) Sessions(ctx context.Context, since int64) ([]Session, error) {
	return s.sessions(ctx, "rev > ?", since)
}

// WithPrefix returns the sessions whose SID begins with a prefix, at most limit.
func (s *Store) WithPrefix(ctx context.Context, prefix string, limit int) ([]Session, error) {
	// No index can answer LIKE here, but a range is one.
	return s.sessions(ctx, "sid >= ?1 AND sid < ?1 || char(0x10ffff)", prefix, limit)
}

func (s *Store) sessions(ctx context.Context, where string, args ...any) ([]Session, error) {
	query := "SELECT " + sessionColumns + " FROM session WHERE " + where + " ORDER BY last DESC, id"
	if len(args) > 1 {
		query += " LIMIT ?2"
	}
	rows, err := s.db.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	var all []Session
	err = drain(rows, func(row scanner) error {
		one, err := scanSession(row)
		all = append(all, one)
		return err
	})
	return all, err
}

// OfFile returns the session of a file; the zero Session if there is none.
func (t *Tx) OfFile(file int64) (Session, error) {
	s, err := scanSession(t.row("SELECT "+sessionColumns+" FROM session WHERE file = ?", file))
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, nil
	}
	return s, err
}

// PutSession adds a session, or replaces the one with its ID, and sets the ID. Turns is not written: PutTurn and Trim count. Two files
// may claim one SID: the second is called SID.2.
func (t *Tx) PutSession(s *Session) error {
	if s.ID != 0 {
		return t.updateSession(s)
	}
	sid, err := t.free(s.SID)
	if err != nil {
		return err
	}
	s.SID, t.changed = sid, true
	s.ID, err = t.insert(`INSERT INTO session(rev, sid, file, source, parent, forked_from, slug, title, cwd, branch, sidechain, live, first, last,
		turns) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
		t.rev, s.SID, s.File, s.Source, s.Parent, s.ForkedFrom, s.Slug, s.Title, s.Cwd, s.Branch, s.Sidechain, s.Live, millis(s.First), millis(s.Last))
	return err
}

// updateSession writes a session if it has changed.
func (t *Tx) updateSession(s *Session) error {
	old, err := scanSession(t.row("SELECT "+sessionColumns+" FROM session WHERE id = ?", s.ID))
	if err != nil {
		return err
	}
	same := *s
	same.SID, same.Turns = old.SID, old.Turns
	same.First, same.Last = moment(millis(s.First)), moment(millis(s.Last))
	if same == old {
		return nil
	}
	t.changed = true
	return t.exec(`UPDATE session SET rev = ?, parent = ?, forked_from = ?, slug = ?, title = ?, cwd = ?, branch = ?, sidechain = ?, live = ?,
		first = ?, last = ? WHERE id = ?`,
		t.rev, s.Parent, s.ForkedFrom, s.Slug, s.Title, s.Cwd, s.Branch, s.Sidechain, s.Live, millis(s.First), millis(s.Last), s.ID)
}

// free returns an id that no session has.
func (t *Tx) free(sid string) (string, error) {
	for n, name := 1, sid; ; {
		var one int
		err := t.row("SELECT 1 FROM session WHERE sid = ?", name).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			return name, nil
		}
		if err != nil {
			return "", err
		}
		n++
		name = sid + "." + strconv.Itoa(n)
	}
}
