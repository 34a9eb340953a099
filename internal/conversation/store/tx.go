package store

import (
	"context"
	"database/sql"
)

// A Tx is a transaction that changes the store. It is used by one goroutine, and not after Update has returned.
type Tx struct {
	ctx     context.Context
	sql     *sql.Tx
	rev     int64 // of what this transaction changes
	changed bool  // a row has the revision
	some    bool  // turns were forgotten
	known   bool  // some is known
	codec   *codec
	counts  map[int64]int // turns of the sessions that were looked at
	ready   map[string]*sql.Stmt
}

// Update runs one transaction, which is committed if do returns nil. Calls wait for each other.
func (s *Store) Update(ctx context.Context, do func(*Tx) error) error {
	return s.db.Write(ctx, func(tx *sql.Tx) error {
		t := &Tx{ctx: ctx, sql: tx, codec: s.codec, counts: map[int64]int{}, ready: map[string]*sql.Stmt{}}
		if err := t.row("SELECT value + 1 FROM meta WHERE key = 'rev'").Scan(&t.rev); err != nil {
			return err
		}
		if err := do(t); err != nil {
			return err
		}
		if err := t.count(); err != nil {
			return err
		}
		if !t.changed {
			return nil
		}
		return t.exec("UPDATE meta SET value = ? WHERE key = 'rev'", t.rev)
	})
}

// prepare returns a statement, which the transaction compiles once and closes at its end.
func (t *Tx) prepare(query string) (*sql.Stmt, error) {
	if s := t.ready[query]; s != nil {
		return s, nil
	}
	s, err := t.sql.PrepareContext(t.ctx, query)
	if err == nil {
		t.ready[query] = s
	}
	return s, err
}

func (t *Tx) exec(query string, args ...any) error {
	_, err := t.insert(query, args...)
	return err
}

// insert runs a statement and returns the id of the row that it has added, if any.
func (t *Tx) insert(query string, args ...any) (int64, error) {
	s, err := t.prepare(query)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// A scanner is a row.
type scanner interface{ Scan(...any) error }

// A failed is a row of a statement that could not be compiled.
type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }

func (t *Tx) row(query string, args ...any) scanner {
	s, err := t.prepare(query)
	if err != nil {
		return failed{err}
	}
	return s.QueryRowContext(t.ctx, args...)
}

// each calls scan for each row of a query. The rows are closed before it returns; scan must not use the transaction.
func (t *Tx) each(scan func(scanner) error, query string, args ...any) error {
	s, err := t.prepare(query)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(t.ctx, args...)
	if err != nil {
		return err
	}
	return drain(rows, scan)
}

func drain(rows *sql.Rows, scan func(scanner) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
