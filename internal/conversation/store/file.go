package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// States of a File.
const (
	Live     = "live"     // it is there
	Gone     = "gone"     // it was deleted; its turns are kept
	Refused  = "refused"  // it cannot be read: Why says it
	Excluded = "excluded" // the user does not want it to be read: Why says it
)

// A File is what is known of a transcript.
type File struct {
	ID            int64 // 0: it is not stored yet
	Path          string
	Source        string // the name of the program
	Device, Inode uint64
	Size          int64 // bytes
	ModTime       time.Time
	Offset        int64 // bytes that were read
	Head, Tail    []byte
	State         string
	Why           string // of Refused and Excluded, without text of the file
	Skipped       int    // lines of no interest
	Unreadable    int    // lines that are damaged or too long
	Version       int    // of what read it
}

const fileColumns = "id, path, source, device, inode, size, mtime, offset, head, tail, state, why, skipped, unreadable, version"

func scanFile(row scanner) (f File, err error) {
	var device, inode, mtime int64
	err = row.Scan(&f.ID, &f.Path, &f.Source, &device, &inode, &f.Size, &mtime, &f.Offset, &f.Head, &f.Tail, &f.State, &f.Why,
		&f.Skipped, &f.Unreadable, &f.Version)
	f.Device, f.Inode, f.ModTime = uint64(device), uint64(inode), time.Unix(0, mtime)
	return f, err
}

// Files returns all files, the last modified first.
func (s *Store) Files(ctx context.Context) ([]File, error) {
	rows, err := s.db.Reader().QueryContext(ctx, "SELECT "+fileColumns+" FROM file ORDER BY mtime DESC, id")
	if err != nil {
		return nil, err
	}
	var files []File
	err = drain(rows, func(row scanner) error {
		f, err := scanFile(row)
		files = append(files, f)
		return err
	})
	return files, err
}

// File returns the file with a path; the zero File if there is none.
func (s *Store) File(ctx context.Context, path string) (File, error) {
	q, err := s.prepared(ctx, "SELECT "+fileColumns+" FROM file WHERE path = ?")
	if err != nil {
		return File{}, err
	}
	f, err := scanFile(q.QueryRowContext(ctx, path))
	if errors.Is(err, sql.ErrNoRows) {
		return File{}, nil
	}
	return f, err
}

// A Candidate is a file that may have been moved.
type Candidate struct {
	File
	SID string // of its session; "": it has none
}

// Candidates returns the files with an inode, and that of a session: one of them may stand at another path now.
func (s *Store) Candidates(ctx context.Context, device, inode uint64, sid string) (all []Candidate, err error) {
	q, err := s.prepared(ctx, "SELECT "+fileColumns+", coalesce((SELECT sid FROM session WHERE file = file.id), '') FROM file "+
		"WHERE id IN (SELECT id FROM file WHERE inode = ? AND device = ? UNION SELECT file FROM session WHERE sid = ?) ORDER BY id")
	if err != nil {
		return nil, err
	}
	rows, err := q.QueryContext(ctx, int64(inode), int64(device), sid)
	if err != nil {
		return nil, err
	}
	err = drain(rows, func(row scanner) error {
		var c Candidate
		f, err := scanFile(with{row, &c.SID})
		c.File = f
		all = append(all, c)
		return err
	})
	return all, err
}

// A with scans one column more than it is asked for.
type with struct {
	scanner
	last any
}

func (w with) Scan(to ...any) error { return w.scanner.Scan(append(to, w.last)...) }

// File returns the file with a path; the zero File if there is none.
func (t *Tx) File(path string) (File, error) {
	f, err := scanFile(t.row("SELECT "+fileColumns+" FROM file WHERE path = ?", path))
	if errors.Is(err, sql.ErrNoRows) {
		return File{}, nil
	}
	return f, err
}

// PutFile adds a file, or replaces the one with its ID, and sets the ID. A path that another file had is taken from it: that one is
// gone. Sessions of the file become resumable, or no longer so.
func (t *Tx) PutFile(f *File) error {
	if err := t.vacate(f.Path, f.ID); err != nil {
		return err
	}
	values := []any{f.Path, f.Source, int64(f.Device), int64(f.Inode), f.Size, f.ModTime.UnixNano(), f.Offset, some(f.Head), some(f.Tail),
		f.State, f.Why, f.Skipped, f.Unreadable, f.Version}
	if f.ID == 0 {
		id, err := t.insert(`INSERT INTO file(path, source, device, inode, size, mtime, offset, head, tail, state, why, skipped, unreadable,
			version) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values...)
		f.ID = id
		return err
	}
	err := t.exec(`UPDATE file SET path = ?, source = ?, device = ?, inode = ?, size = ?, mtime = ?, offset = ?, head = ?, tail = ?, state = ?,
		why = ?, skipped = ?, unreadable = ?, version = ? WHERE id = ?`, append(values, f.ID)...)
	if err != nil {
		return err
	}
	return t.setLive(f.ID, f.State == Live)
}

// some returns a blob that is not NULL.
func some(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// vacate takes a path from the file that has it, unless that is the one with the id.
func (t *Tx) vacate(path string, id int64) error {
	var other int64
	err := t.row("SELECT id FROM file WHERE path = ? AND id <> ?", path, id).Scan(&other)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	// A path is unique, and this one stands for no file any more.
	if err := t.exec("UPDATE file SET state = 'gone', path = path || char(0) || id WHERE id = ?", other); err != nil {
		return err
	}
	return t.setLive(other, false)
}

func (t *Tx) setLive(file int64, live bool) error {
	var session int64
	err := t.row("SELECT id FROM session WHERE file = ? AND live <> ?", file, live).Scan(&session)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	t.changed = true
	return t.exec("UPDATE session SET live = ?, rev = ? WHERE id = ?", live, t.rev, session)
}
