package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"tidepool/internal/sqlite"
)

// A DB is an open database of memories. It is safe for concurrent use.
type DB struct {
	db  *sqlite.DB
	key []byte // of the hashes of what was forgotten

	mu    sync.Mutex
	ready map[string]*sql.Stmt // of queries that are asked often
}

// Open opens a database to read and write it, and makes it if there is none. The caller closes it. Errors are those of [sqlite.Open].
func Open(ctx context.Context, path string) (*DB, error) {
	db, err := sqlite.Open(ctx, path, schema())
	if err != nil {
		return nil, err
	}
	d := &DB{db: db, ready: map[string]*sql.Stmt{}}
	if err := d.reader(ctx).row("SELECT value FROM meta WHERE key = 'key'").Scan(&d.key); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Close closes the database, after the transaction that is at work.
func (d *DB) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	for _, q := range d.ready {
		err = errors.Join(err, q.Close())
	}
	clear(d.ready)
	return errors.Join(err, d.db.Close())
}

// Path returns the path of the database.
func (d *DB) Path() string { return d.db.Path() }

// ID identifies the database, so that what was made from it is recognized. It has 16 bytes.
func (d *DB) ID() []byte { return hashOf(d.key, []byte("database")) }

// Backup writes a copy of the database, which must not be there yet.
func (d *DB) Backup(ctx context.Context, to string) error { return d.db.Backup(ctx, to) }

// A Tx is a transaction that writes. It is used by one goroutine, and not after Write has returned. The texts of its statements are
// constants.
type Tx struct {
	*sqlite.Tx
	key []byte
}

// Write runs one transaction, which is committed if do returns nil. It survives the end of the process. Calls wait for each other and for
// other processes, thirty seconds at most.
func (d *DB) Write(ctx context.Context, do func(*Tx) error) error {
	return d.db.Write(ctx, func(tx *sqlite.Tx) error { return do(&Tx{tx, d.key}) })
}

// WriteThrough is Write for what must survive the end of the machine: this transaction and all before it.
func (d *DB) WriteThrough(ctx context.Context, do func(*Tx) error) error {
	return d.db.WriteThrough(ctx, func(tx *sqlite.Tx) error { return do(&Tx{tx, d.key}) })
}

// Sync returns when all transactions of this process survive the end of the machine.
func (d *DB) Sync(ctx context.Context) error {
	return d.WriteThrough(ctx, func(tx *Tx) error { // without a change nothing would be written, and nothing waited for
		return tx.exec("INSERT OR REPLACE INTO meta(key, value) VALUES('synced', coalesce((SELECT value FROM meta WHERE key = 'synced'), 0) + 1)")
	})
}

// Purge takes what was removed out of the database and its log: see [sqlite.DB.Purge]. The error says why something is left, such as
// another process that reads for too long.
func (d *DB) Purge(ctx context.Context) error { return d.db.Purge(ctx) }

// Query runs a query outside of transactions. Its text is a constant: it stays compiled. The caller closes the rows.
func (d *DB) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	q, err := d.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return q.QueryContext(ctx, args...)
}

// prepared returns a query that is compiled once for each connection.
func (d *DB) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q := d.ready[query]; q != nil {
		return q, nil
	}
	q, err := d.db.Reader().PrepareContext(ctx, query)
	if err == nil {
		d.ready[query] = q
	}
	return q, err
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
