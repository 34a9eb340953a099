package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Log checks that the daemon can write its log.
type Log struct {
	File string // absolute; its directory may be missing, but not the one above
}

// Look writes a file of its own beside the log, and removes it.
func (l Log) Look(context.Context) []Finding {
	const name = "log"
	dir := filepath.Dir(l.File)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		dir = filepath.Dir(dir)
	}
	if !exists(dir) {
		return nil // the state directory is missing, which is said elsewhere
	}
	if err := tryToWrite(dir); err != nil {
		return []Finding{trouble(name, "make "+dir+" a directory that you may write to, on a disk with space", err)}
	}
	info, err := os.Lstat(l.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []Finding{fine(name, "%s can be written; there is none yet", l.File)}
	case err != nil:
		return []Finding{trouble(name, "make it accessible", err)}
	case !info.Mode().IsRegular():
		return []Finding{problem(name, "move it away", "%s is no file", l.File)}
	case info.Mode().Perm()&0o077 != 0:
		return []Finding{problem(name, "chmod 600 "+quote(l.File), "%s is open to other users (mode %o)", l.File, info.Mode().Perm()).
			safely(func() error { return os.Chmod(l.File, 0o600) })}
	}
	f, err := os.OpenFile(l.File, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return []Finding{trouble(name, "make it writable", err)}
	}
	if err := f.Close(); err != nil {
		return []Finding{trouble(name, "make it writable", err)}
	}
	return []Finding{fine(name, "%s can be written", l.File)}
}

// tryToWrite tells what only writing tells: a full disk, a quota, a file system that is read only.
func tryToWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("can be written\n")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
