package store

import (
	"context"
	"database/sql"
	"errors"
	"io"

	"tidepool/internal/sqlite"
)

// pieceSize is how many bytes of a snapshot are in one row. A row of a few MB would have to be in memory twice.
const pieceSize = 256 << 10

// PutSegment replaces the snapshot of the index by what write writes. It shows the turns up to a revision. Removed turns of
// before are not known any longer.
func (s *Store) PutSegment(ctx context.Context, rev int64, write func(io.Writer) error) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		t := &Tx{sql: tx}
		if err := t.exec("DELETE FROM segment"); err != nil {
			return err
		}
		w := &pieces{tx: t}
		if err := write(w); err != nil {
			return err
		}
		if err := w.flush(); err != nil {
			return err
		}
		if err := t.exec("DELETE FROM removed WHERE rev <= ?", rev); err != nil {
			return err
		}
		if err := t.exec("UPDATE meta SET value = max(value, ?) WHERE key = 'dropped'", rev); err != nil {
			return err
		}
		return t.exec("UPDATE meta SET value = ? WHERE key = 'segment'", rev)
	})
}

// pieces writes rows.
type pieces struct {
	tx   *Tx
	n    int
	data []byte
}

func (p *pieces) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		n := min(len(rest), pieceSize-len(p.data))
		p.data, rest = append(p.data, rest[:n]...), rest[n:]
		if len(p.data) == pieceSize {
			if err := p.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(data), nil
}

func (p *pieces) flush() error {
	if len(p.data) == 0 {
		return nil
	}
	p.n++
	err := p.tx.exec("INSERT INTO segment(n, data) VALUES(?, ?)", p.n, p.data)
	p.data = p.data[:0]
	return err
}

// Segment calls read with the snapshot of the index and the revision that it shows. ok is false if there is none, and read was
// not called.
func (s *Store) Segment(ctx context.Context, read func(rev int64, r io.Reader) error) (ok bool, err error) {
	tx, err := s.db.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // so that all pieces are of one snapshot
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	var rev int64
	if err := tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'segment'").Scan(&rev); err != nil || rev == 0 {
		return false, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT data FROM segment ORDER BY n")
	if err != nil {
		return false, err
	}
	defer rows.Close()
	return true, read(rev, &rowReader{rows: rows})
}

// dropSegment removes the snapshot. An index that was made before has words of what was forgotten, see Forgot.
func (t *Tx) dropSegment() error {
	return errors.Join(t.exec("DELETE FROM segment"), t.exec("UPDATE meta SET value = 0 WHERE key = 'segment'"),
		t.exec("UPDATE meta SET value = ? WHERE key = 'forgot'", t.rev))
}

// Forgot returns the revision at which something was last forgotten. An index that has seen fewer is made from the turns again, so that
// none of the words is in the next snapshot.
func (s *Store) Forgot(ctx context.Context) (int64, error) { return s.number(ctx, "forgot") }

// A rowReader reads the bytes of rows.
type rowReader struct {
	rows *sql.Rows
	rest []byte
}

func (r *rowReader) Read(to []byte) (int, error) {
	for len(r.rest) == 0 {
		if !r.rows.Next() {
			if err := r.rows.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		var data sql.RawBytes
		if err := r.rows.Scan(&data); err != nil {
			return 0, err
		}
		r.rest = data
	}
	n := copy(to, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Behind returns how many turns the snapshot does not show as they are.
func (s *Store) Behind(ctx context.Context) (n int, err error) {
	err = s.db.Reader().QueryRowContext(ctx, "SELECT count(*) FROM turn WHERE rev > (SELECT value FROM meta WHERE key = 'segment')").Scan(&n)
	return n, err
}
