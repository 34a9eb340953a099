package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"tidepool/internal/sqlite"
)

// A Store is an open database of conversations. It is safe for concurrent use.
type Store struct {
	db    *sqlite.DB
	codec *codec // its encoder belongs to the transaction at work
}

// Open opens a store to read and write it, and makes it if there is none. project is the path that it is of. Whoever reads transcripts
// into it holds its lock. The caller closes it. Errors are those of [sqlite.Open].
func Open(ctx context.Context, path, project string) (*Store, error) {
	db, err := sqlite.Open(ctx, path, schema())
	if err != nil {
		return nil, err
	}
	s, err := over(db)
	if err != nil {
		return nil, err
	}
	err = db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO meta(key, value) VALUES('project', ?), ('rev', 0), ('segment', 0), ('dropped', 0), ('forgot', 0)", project)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// OpenReadOnly opens a store that another process may be writing. Errors are those of [sqlite.OpenReadOnly].
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	db, err := sqlite.OpenReadOnly(ctx, path, schema())
	if err != nil {
		return nil, err
	}
	return over(db)
}

// over returns the store of a database, which it closes if it fails.
func over(db *sqlite.DB) (*Store, error) {
	codec, err := newCodec()
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Store{db, codec}, nil
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// Path returns the path of the database.
func (s *Store) Path() string { return s.db.Path() }

// Writable reports whether the store was opened to be written.
func (s *Store) Writable() bool { return s.db.Writable() }

// Project returns the path of the project that the store is of.
func (s *Store) Project(ctx context.Context) (string, error) {
	var path string
	err := s.db.Reader().QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'project'").Scan(&path)
	return path, err
}

// Revision returns the number of the last change.
func (s *Store) Revision(ctx context.Context) (int64, error) { return s.number(ctx, "rev") }

func (s *Store) number(ctx context.Context, key string) (int64, error) {
	var n int64
	err := s.db.Reader().QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", key).Scan(&n)
	return n, err
}

// Checkpoint empties the write-ahead log, as far as readers allow.
func (s *Store) Checkpoint(ctx context.Context) error { return s.db.Checkpoint(ctx, false) }

// SetComplete stores whether all transcripts have been read once.
func (s *Store) SetComplete(ctx context.Context, is bool) error {
	return s.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO meta(key, value) VALUES('complete', ?)", is)
		return err
	})
}

// Complete reports whether all transcripts had been read once, when somebody last looked.
func (s *Store) Complete(ctx context.Context) (bool, error) {
	n, err := s.number(ctx, "complete")
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return n == 1, err
}

// millis returns the milliseconds of a time, 0 for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// moment returns the time of milliseconds, the zero time for 0.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
