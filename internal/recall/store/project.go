package store

import (
	"context"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/sqlite"
)

// A Directory identifies a directory whatever its path is. The zero Directory identifies none.
type Directory struct {
	Device, Inode uint64
	Born          int64 // nanoseconds since 1970; 0: the file system does not tell, and an inode alone may have been another directory before
}

// A Place is a project and the directory that it is in: the common one of its repository, or its own.
type Place struct {
	memory.Project
	Directory
}

// Projects returns all projects, the last seen first.
func (d *DB) Projects(ctx context.Context) (all []Place, err error) {
	err = each(d.reader(ctx), func(row sqlite.Row) error {
		var p Place
		var device, inode int64
		err := row.Scan(&p.Key, &p.Name, &p.Path, &device, &inode, &p.Born)
		p.Device, p.Inode = uint64(device), uint64(inode)
		all = append(all, p)
		return err
	}, "SELECT key, name, path, device, inode, born FROM project ORDER BY seen_at DESC, key")
	return all, err
}

// PutProject adds a project or brings it up to date. A Directory that is not known leaves what was.
func (t *Tx) PutProject(p Place, now time.Time) error {
	return t.exec(`INSERT INTO project(key, name, path, device, inode, born, seen_at) VALUES(?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(key) DO UPDATE SET name = excluded.name, path = excluded.path, seen_at = max(seen_at, excluded.seen_at),
		device = iif(excluded.born <> 0, excluded.device, device), inode = iif(excluded.born <> 0, excluded.inode, inode),
		born = iif(excluded.born <> 0, excluded.born, born)`,
		p.Key, p.Name, p.Path, int64(p.Device), int64(p.Inode), p.Born, millis(now))
}

// EnsureProject adds a project that another process may have removed.
func (t *Tx) EnsureProject(p memory.Project, now time.Time) error {
	return t.exec("INSERT OR IGNORE INTO project(key, name, path, device, inode, born, seen_at) VALUES(?, ?, ?, 0, 0, 0, ?)", p.Key, p.Name, p.Path, millis(now))
}

// MoveProject gives a project another key, which no project has yet, and all that belongs to it.
func (t *Tx) MoveProject(from string, to memory.Project) error {
	if err := t.exec("UPDATE project SET key = ?, name = ?, path = ? WHERE key = ?", to.Key, to.Name, to.Path, from); err != nil {
		return err
	}
	if err := t.exec("UPDATE journal SET project = ? WHERE project = ?", to.Key, from); err != nil {
		return err
	}
	return t.exec("UPDATE session SET project = ? WHERE project = ?", to.Key, from)
}
