package store

import (
	"context"

	"tidepool/internal/sqlite"
)

// Seq returns the sequence number of the last change; 0: there was none. It takes some ten microseconds.
func (d *DB) Seq(ctx context.Context) (seq int64, err error) {
	err = d.reader(ctx).row("SELECT coalesce(max(seq), 0) FROM change").Scan(&seq)
	return seq, err
}

// A Change says that a memory was added, changed or removed.
type Change struct {
	Seq  int64
	N    uint32
	Gone bool
}

// Changes returns what came after a sequence number, in its order, at most limit. ok is false if some of it is not known any more: then an
// index begins anew.
func (d *DB) Changes(ctx context.Context, since int64, limit int) (all []Change, ok bool, err error) {
	// SQLite plans by the value of a limit that is a parameter alone, so it compiles the query again whenever that is set: 80 µs for each prompt.
	err = each(d.reader(ctx), func(row sqlite.Row) error {
		var c Change
		err := row.Scan(&c.Seq, &c.N, &c.Gone)
		all = append(all, c)
		return err
	}, "SELECT seq, n, gone FROM change WHERE seq > ? ORDER BY seq LIMIT ? + 0", since, limit)
	// Sequence numbers have no gaps: a transaction that is rolled back gives its numbers back.
	return all, err == nil && (len(all) == 0 || all[0].Seq == since+1), err
}

// Forgot returns the sequence number of the last change that forgot something. An index that was made before has the words of it.
func (d *DB) Forgot(ctx context.Context) (seq int64, err error) {
	err = d.reader(ctx).row("SELECT value FROM meta WHERE key = 'forgot'").Scan(&seq)
	return seq, err
}

// Cleaned returns how often something was removed, and how often it had been when the text of all that was out of all files.
func (d *DB) Cleaned(ctx context.Context) (removals, cleaned int64, err error) {
	err = d.reader(ctx).row("SELECT (SELECT value FROM meta WHERE key = 'removals'), (SELECT value FROM meta WHERE key = 'cleaned')").Scan(&removals, &cleaned)
	return removals, cleaned, err
}

// SetCleaned records that the text of so many removals is out of all files.
func (t *Tx) SetCleaned(removals int64) error {
	return t.exec("UPDATE meta SET value = max(value, ?) WHERE key = 'cleaned'", removals)
}
