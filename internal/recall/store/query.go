package store

import (
	"context"
	"database/sql"

	"tidepool/internal/sqlite"
)

// A querier is what reads run on: a transaction, or a connection outside of one.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// A reader reads outside of transactions.
type reader struct {
	ctx context.Context
	db  *DB
}

func (d *DB) reader(ctx context.Context) reader { return reader{ctx, d} }

func (r reader) Query(query string, args ...any) (*sql.Rows, error) {
	return r.db.Query(r.ctx, query, args...)
}

func (r reader) row(query string, args ...any) sqlite.Row {
	q, err := r.db.prepared(r.ctx, query)
	if err != nil {
		return failed{err}
	}
	return q.QueryRowContext(r.ctx, args...)
}

// A loose reads outside of transactions by queries whose texts are made, so that they do not stay compiled.
type loose struct {
	ctx context.Context
	db  *DB
}

func (l loose) Query(query string, args ...any) (*sql.Rows, error) {
	return l.db.db.Reader().QueryContext(l.ctx, query, args...)
}

// A failed is the row of a query that could not be compiled.
type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }

// each calls scan for each row of a query. The rows are closed before it returns.
func each(q querier, scan func(sqlite.Row) error, query string, args ...any) error {
	rows, err := q.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// numbers returns the rows of a query with one number.
func numbers(q querier, query string, args ...any) (all []uint32, err error) {
	err = each(q, func(row sqlite.Row) error {
		var n uint32
		err := row.Scan(&n)
		all = append(all, n)
		return err
	}, query, args...)
	return all, err
}

func (t *Tx) exec(query string, args ...any) error {
	_, err := t.Exec(query, args...)
	return err
}
