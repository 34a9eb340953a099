package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"syscall"
	"time"
)

// maxReady is how many statements stay compiled. Compiling one takes as long as running it ten times.
const maxReady = 256

// A Tx is a transaction that writes. It is used by one goroutine, and not after Write has returned. Its statements are compiled once for the
// database, so their texts are constants.
type Tx struct {
	ctx context.Context
	db  *DB
}

// A Row is the first row of a result; sql.ErrNoRows if there is none.
type Row interface{ Scan(to ...any) error }

// Write runs one transaction, which is committed if do returns nil. Calls wait for each other, and do must not call Write. A
// transaction survives the end of the process when Write has returned, and that of the machine after the next checkpoint. The
// context ends the wait; a transaction that has begun is ended by do. Another process may make it wait for thirty seconds; then the error
// is a *BusyError.
func (d *DB) Write(ctx context.Context, do func(*Tx) error) error {
	if err := d.take(ctx); err != nil {
		return err
	}
	defer d.give()
	return explain(d.path, d.write(ctx, do))
}

// WriteThrough is Write for what must survive the end of the machine, too: when it has returned, the transaction and all before it are
// on the disk. It waits for the disk, some milliseconds. If the disk fails the transaction may be there all the same.
func (d *DB) WriteThrough(ctx context.Context, do func(*Tx) error) error {
	if err := d.Write(ctx, do); err != nil {
		return err
	}
	return syncLog(d.path)
}

// syncLog brings what is committed to the disk. With SQLite's own way, synchronous = FULL, nobody writes while the disk is at work,
// and a slow disk makes a dozen processes wait for each other. What is no longer in the log is on the disk: a checkpoint brings it
// there before it empties the log. Closing the file releases no lock, for SQLite has none on the log.
func syncLog(path string) error {
	f, err := os.OpenFile(path+"-wal", os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// write runs a transaction. The caller has taken turn.
func (d *DB) write(ctx context.Context, do func(*Tx) error) error {
	if err := d.begin(ctx); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // the driver would start a goroutine for each statement to watch it
	err := d.run(ctx, do)
	if err == nil {
		_, err = d.conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		_, _ = d.conn.ExecContext(ctx, "ROLLBACK") // the cause is what counts; SQLite may have rolled back itself
	}
	return err
}

// begin begins a transaction as soon as no other process has one. SQLite's own wait grows to a tenth of a second between two attempts, so that
// among a dozen processes that write without pause one would never meet a moment without a lock. Here all try equally often, and stand in a
// queue if the database is shared.
func (d *DB) begin(ctx context.Context) error {
	last := time.Now().Add(writeWait)
	if err := d.queue.take(ctx, d.path, last); err != nil {
		return err
	}
	defer d.queue.release()
	return d.unlessBusy(ctx, last, func() error {
		_, err := d.conn.ExecContext(context.WithoutCancel(ctx), "BEGIN IMMEDIATE")
		return err
	})
}

// unlessBusy does something again as long as another process has SQLite's lock, see patiently.
func (d *DB) unlessBusy(ctx context.Context, last time.Time, do func() error) error {
	return patiently(ctx, d.path, last, func() (bool, error) { err := do(); return isBusy(err), err })
}

// patiently does something again, every millisecond or two, as long as it reports that another process has a lock, until a time: then the error
// is a *BusyError.
func patiently(ctx context.Context, path string, last time.Time, do func() (busy bool, err error)) error {
	for {
		busy, err := do()
		if !busy {
			return err
		}
		if time.Now().After(last) {
			return &BusyError{path}
		}
		if err := pause(ctx, writePause+rand.N(writePause)); err != nil {
			return err
		}
	}
}

// run calls do. If it panics, nothing is written.
func (d *DB) run(ctx context.Context, do func(*Tx) error) error {
	done := false
	defer func() {
		if !done {
			_, _ = d.conn.ExecContext(ctx, "ROLLBACK")
		}
	}()
	err := do(&Tx{ctx, d})
	done = true
	return err
}

// take waits until nobody else writes.
func (d *DB) take(ctx context.Context) error {
	if d.writer == nil {
		return errors.New("the database was opened for reading")
	}
	select {
	case d.turn <- struct{}{}:
		if !d.closed {
			return nil
		}
		d.give()
		return errors.New("the database is closed")
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *DB) give() { <-d.turn }

// prepare returns a compiled statement.
func (t *Tx) prepare(query string) (*sql.Stmt, error) {
	if s := t.db.ready[query]; s != nil {
		return s, nil
	}
	if len(t.db.ready) >= maxReady {
		for _, s := range t.db.ready {
			_ = s.Close()
		}
		clear(t.db.ready)
	}
	s, err := t.db.conn.PrepareContext(t.ctx, query)
	if err == nil {
		t.db.ready[query] = s
	}
	return s, err
}

// Exec runs a statement that returns no rows.
func (t *Tx) Exec(query string, args ...any) (sql.Result, error) {
	s, err := t.prepare(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(t.ctx, args...)
}

// Row runs a query for one row.
func (t *Tx) Row(query string, args ...any) Row {
	s, err := t.prepare(query)
	if err != nil {
		return failed{err}
	}
	return s.QueryRowContext(t.ctx, args...)
}

// Query runs a query. The caller closes the rows before it runs another statement.
func (t *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	s, err := t.prepare(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(t.ctx, args...)
}

// A failed is the row of a statement that could not be compiled.
type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }
