package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"sync"
	"time"

	"tidepool/internal/sqlite"
)

// A Store is an open database of conversations. It is safe for concurrent use.
type Store struct {
	db    *sqlite.DB
	codec *codec // its encoder belongs to the transaction at work

	mu    sync.Mutex
	ready map[string]*sql.Stmt // of queries that are asked often
}

// prepared returns a query that is compiled once for each connection.
func (s *Store) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := s.ready[query]; q != nil {
		return q, nil
	}
	q, err := s.db.Reader().PrepareContext(ctx, query)
	if err == nil {
		s.ready[query] = q
	}
	return q, err
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
	err = db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("INSERT OR IGNORE INTO meta(key, value) VALUES('project', ?), ('rev', 0), ('segment', 0), ('dropped', 0), ('forgot', 0)", project)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// OpenReadOnly opens a store that another process may be writing. Errors are those of [sqlite.OpenReadOnly]; a store that is just being
// made is not there yet.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	db, err := sqlite.OpenReadOnly(ctx, path, schema())
	if err != nil {
		return nil, err
	}
	s, err := over(db)
	if err != nil {
		return nil, err
	}
	if _, err = s.Project(ctx); errors.Is(err, sql.ErrNoRows) { // between the two transactions that make a store
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// over returns the store of a database, which it closes if it fails.
func over(db *sqlite.DB) (*Store, error) {
	codec, err := newCodec()
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Store{db: db, codec: codec, ready: map[string]*sql.Stmt{}}, nil
}

// Close closes the store.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, q := range s.ready {
		err = errors.Join(err, q.Close())
	}
	clear(s.ready)
	return errors.Join(err, s.db.Close())
}

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
	q, err := s.prepared(ctx, "SELECT value FROM meta WHERE key = ?")
	if err != nil {
		return 0, err
	}
	var n int64
	err = q.QueryRowContext(ctx, key).Scan(&n)
	return n, err
}

// Checkpoint empties the write-ahead log, as far as readers allow.
func (s *Store) Checkpoint(ctx context.Context) error { return s.db.Checkpoint(ctx, false) }

// SetComplete stores whether all transcripts have been read once.
func (s *Store) SetComplete(ctx context.Context, is bool) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO meta(key, value) VALUES('complete', ?)", is)
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
