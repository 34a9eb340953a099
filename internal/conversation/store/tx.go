package store

import (
	"context"
	"database/sql"

	"tidepool/internal/sqlite"
)

// A Tx is a transaction that changes the store. It is used by one goroutine, and not after Update has returned.
type Tx struct {
	sql     *sqlite.Tx
	rev     int64 // of what this transaction changes
	changed bool  // a row has the revision
	some    bool  // turns were forgotten
	known   bool  // some is known
	codec   *codec
	counts  map[int64]int // turns of the sessions that were looked at
}

// Update runs one transaction, which is committed if do returns nil. Calls wait for each other.
func (s *Store) Update(ctx context.Context, do func(*Tx) error) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		t := &Tx{sql: tx, codec: s.codec, counts: map[int64]int{}}
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

func (t *Tx) exec(query string, args ...any) error {
	_, err := t.sql.Exec(query, args...)
	return err
}

// insert runs a statement and returns the id of the row that it has added.
func (t *Tx) insert(query string, args ...any) (int64, error) {
	result, err := t.sql.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// A scanner is a row.
type scanner = sqlite.Row

func (t *Tx) row(query string, args ...any) scanner { return t.sql.Row(query, args...) }

// each calls scan for each row of a query. The rows are closed before it returns; scan must not use the transaction.
func (t *Tx) each(scan func(scanner) error, query string, args ...any) error {
	rows, err := t.sql.Query(query, args...)
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
