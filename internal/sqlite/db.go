package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strconv"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// Limits of a database.
const (
	busyTimeout = 5 * time.Second  // for a lock of another process
	writeWait   = 30 * time.Second // for the transaction of another process
	writePause  = time.Millisecond // between two attempts to begin one, and as much again at random
	maxMoved    = 100              // attempts to open a file that is not where it was, a millisecond or two apart
	maxLog      = 16 << 20         // bytes of the write-ahead log that are kept after a checkpoint
	maxReaders  = 4                // connections
	readerCache = 512 << 10        // bytes of pages that each of them keeps; the system keeps the others
	idleReaders = time.Minute      // after which an unused connection is closed
)

// A Schema says what a database holds. Application must not be 0, and there is at least one migration.
type Schema struct {
	Application  uint32   // application_id of the file's header: which program made it
	Migrations   []string // statements from user_version i to i+1, in order; a released one never changes
	Shared       bool     // several processes write it at the same time: they stand in a queue, a file beside the database
	SecureDelete bool     // what is deleted is overwritten, in the database as in free pages
}

// A DB is an open database. It is safe for concurrent use.
type DB struct {
	path   string
	reader *sql.DB
	writer *sql.DB   // nil: read-only
	conn   *sql.Conn // the one that writes; used by who has taken turn
	turn   chan struct{}
	queue  *queue               // nil: not shared; used by who has taken turn
	closed bool                 // guarded by turn
	ready  map[string]*sql.Stmt // of conn
}

// Open opens a database to read and write it. It makes the file and its directory if they are missing, and runs the migrations
// that are. Errors: *RefusedError, *NetworkError, *NewerError, *UnreadableError, *BusyError. The caller closes it.
func Open(ctx context.Context, path string, schema Schema) (db *DB, err error) {
	moved := 0
	err = patiently(ctx, path, time.Now().Add(writeWait), func() (bool, error) {
		db, err = openOnce(ctx, path, schema)
		if isMoved(err) && moved < maxMoved { // another process has just set it aside: the next attempt makes a new one
			moved++
			return true, err
		}
		return isBusy(err), err // while another process gives a new database its log, SQLite fails at once
	})
	return db, err
}

func openOnce(ctx context.Context, path string, schema Schema) (*DB, error) {
	if err := makePrivate(path); err != nil {
		return nil, err
	}
	if err := probe(ctx, path, schema); err != nil {
		return nil, err
	}
	writer, err := sql.Open("sqlite", dsn(path, "rwc", schema))
	if err != nil {
		return nil, err
	}
	writer.SetMaxOpenConns(1)
	if err := migrate(ctx, path, writer, schema); err != nil {
		return nil, errors.Join(explain(path, err), writer.Close())
	}
	reader, err := openReader(path, schema)
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	conn, err := writer.Conn(ctx)
	if err != nil {
		return nil, errors.Join(explain(path, err), reader.Close(), writer.Close())
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil { // from here on, begin and Checkpoint wait
		return nil, errors.Join(explain(path, err), conn.Close(), reader.Close(), writer.Close())
	}
	db := &DB{path: path, reader: reader, writer: writer, conn: conn, turn: make(chan struct{}, 1), ready: map[string]*sql.Stmt{}}
	if schema.Shared {
		if db.queue, err = openQueue(path); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

// OpenReadOnly opens a database to read it. The error is fs.ErrNotExist if there is none, or one that its writer has not made a
// table in yet, and as for Open; a database with an older schema is a *OlderError. The caller closes it.
func OpenReadOnly(ctx context.Context, path string, schema Schema) (db *DB, err error) {
	err = patiently(ctx, path, time.Now().Add(writeWait), func() (bool, error) {
		db, err = openReadOnly(ctx, path, schema)
		return isBusy(err), err // another process makes it, at a low priority on a busy machine or on a slow disk
	})
	return db, err
}

func openReadOnly(ctx context.Context, path string, schema Schema) (*DB, error) {
	if err := checkPrivate(path); err != nil {
		return nil, err
	}
	if err := probe(ctx, path, schema); err != nil {
		return nil, err
	}
	reader, err := openReader(path, schema)
	if err != nil {
		return nil, err
	}
	var version int
	err = reader.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	switch {
	case err != nil:
	case version == 0:
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	case version < len(schema.Migrations):
		err = &OlderError{path}
	}
	if err != nil {
		return nil, errors.Join(explain(path, err), reader.Close())
	}
	return &DB{path: path, reader: reader}, nil
}

func openReader(path string, schema Schema) (*sql.DB, error) {
	reader, err := sql.Open("sqlite", dsn(path, "ro", schema))
	if err != nil {
		return nil, err
	}
	reader.SetMaxOpenConns(maxReaders)
	reader.SetConnMaxIdleTime(idleReaders)
	return reader, nil
}

// dsn returns the name under which the driver opens a file. mode is that of SQLite's URIs: ro, rw, rwc.
func dsn(path, mode string, schema Schema) string {
	q := url.Values{"mode": {mode}, "_txlock": {"immediate"}}
	pragma := func(name, value string) { q.Add("_pragma", name+"("+value+")") }
	pragma("busy_timeout", strconv.FormatInt(busyTimeout.Milliseconds(), 10))
	pragma("trusted_schema", "0")
	if mode == "ro" {
		pragma("query_only", "1")
		pragma("cache_size", strconv.Itoa(-readerCache>>10))
	} else {
		pragma("foreign_keys", "1")
		pragma("journal_mode", "WAL")
		pragma("journal_size_limit", strconv.Itoa(maxLog))
		pragma("synchronous", "NORMAL")
		pragma("temp_store", "MEMORY") // what is deleted must not live on in a temporary file
		pragma("secure_delete", strconv.FormatBool(schema.SecureDelete))
	}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: q.Encode()}).String()
}

// finishing returns the name under which a file is only queried, but may be written to roll back a transaction that was not finished.
func finishing(path string) string {
	q := url.Values{"mode": {"rw"}, "_pragma": {"busy_timeout(" + strconv.FormatInt(busyTimeout.Milliseconds(), 10) + ")", "trusted_schema(0)", "query_only(1)"}}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: q.Encode()}).String()
}

// Path returns the path of the database.
func (d *DB) Path() string { return d.path }

// Writable reports whether Write can be used.
func (d *DB) Writable() bool { return d.writer != nil }

// Reader returns the connections to read with. They see what was committed when a statement, or a transaction, began.
func (d *DB) Reader() *sql.DB { return d.reader }

// Checkpoint moves the write-ahead log into the database and empties it. Readers that are at work may leave a part of it to the next
// one, which is an error only if all is true: what was deleted is gone once the log is empty. Then those of this process are waited for,
// and those of others for five seconds.
func (d *DB) Checkpoint(ctx context.Context, all bool) error {
	if err := d.take(ctx); err != nil {
		return err
	}
	defer d.give()
	emptied, err := d.emptyLog(ctx)
	if err == nil && !emptied && all {
		defer d.holdReaders(ctx)()
		err = patiently(ctx, d.path, time.Now().Add(busyTimeout), func() (bool, error) {
			emptied, err := d.emptyLog(ctx)
			return err == nil && !emptied, err
		})
		var busy *BusyError
		if errors.As(err, &busy) {
			err = errors.New("another process is reading it")
		}
	}
	if err != nil {
		return fmt.Errorf("emptying the log of %s: %w", d.path, err)
	}
	return nil
}

// emptyLog reports whether the log was emptied, which somebody at work may prevent.
func (d *DB) emptyLog(ctx context.Context) (bool, error) {
	var busy, logged, moved int
	err := d.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &logged, &moved)
	if isBusy(err) { // another process writes or empties the log
		return false, nil
	}
	return busy == 0, err
}

// holdReaders waits until no reader of this process is at work and lets none begin until release is called: where several come and go,
// there is one at any moment. It gives up after the time that a writer waits.
func (d *DB) holdReaders(ctx context.Context) (release func()) {
	ctx, done := context.WithTimeout(ctx, writeWait)
	defer done()
	var held []*sql.Conn
	for range maxReaders {
		if conn, err := d.reader.Conn(ctx); err == nil {
			held = append(held, conn)
		}
	}
	return func() {
		for _, conn := range held {
			_ = conn.Close() // back to the others
		}
	}
}

// Purge writes the whole database anew and empties the log, so that nothing of what was deleted is left in a file. secure_delete alone does not: when SQLite moves
// rows from a page to another, old copies stay in the space that is free there. Who writes meanwhile waits, some 20 ms for each MB.
func (d *DB) Purge(ctx context.Context) error {
	if err := d.vacuum(ctx); err != nil {
		return fmt.Errorf("writing %s anew: %w", d.path, explain(d.path, err))
	}
	return d.Checkpoint(ctx, true)
}

func (d *DB) vacuum(ctx context.Context) error {
	if err := d.take(ctx); err != nil {
		return err
	}
	defer d.give()
	// The copy is made in memory as far as SQLite caches pages, and beyond in a file without a name. It has what stays.
	if _, err := d.conn.ExecContext(ctx, "PRAGMA temp_store = FILE"); err != nil {
		return err
	}
	last := time.Now().Add(writeWait)
	if err := d.queue.take(ctx, d.path, last); err != nil {
		return err
	}
	defer d.queue.release()
	err := d.unlessBusy(ctx, last, func() error {
		_, err := d.conn.ExecContext(context.WithoutCancel(ctx), "VACUUM")
		return err
	})
	_, back := d.conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA temp_store = MEMORY")
	return errors.Join(err, back)
}

// pause waits; the error is the context's.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Backup writes a copy of the database, which must not be there yet, of mode 0600.
func (d *DB) Backup(ctx context.Context, to string) error {
	conn, err := d.reader.Conn(ctx)
	if err != nil {
		return explain(d.path, err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "PRAGMA query_only = 0"); err != nil { // which forbids to write any file
		return explain(d.path, err)
	}
	err = backup(ctx, conn, to)
	_, back := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA query_only = 1")
	return explain(d.path, errors.Join(err, back))
}

// Close closes the database, after the transaction that is at work. A second Close does nothing. The log is emptied if no other process has it open.
func (d *DB) Close() error {
	err := d.reader.Close() // first: the last connection to close empties the log, and it must be one that writes
	if d.writer == nil || d.take(context.Background()) != nil {
		return err
	}
	defer d.give()
	d.closed = true
	for _, s := range d.ready {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, d.conn.Close(), d.writer.Close(), d.queue.close())
}
