package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// SetAside renames a file that is no database, and the log that belongs to it, and returns the new name. The caller holds the
// Lock, and has the database not open.
func SetAside(path string, now time.Time) (string, error) {
	to := path + ".unreadable-" + now.UTC().Format("20060102T150405.000")
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return "", errors.Join(&RefusedError{to, "it is there already"}, err)
	}
	// The log first: a new database must never meet the log of an old one.
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return to, nil
}

// Remove removes a database with all that was made beside it but its lock: log, backups, files that were set aside. The caller holds the
// Lock, and has it not open. A missing file is no error.
func Remove(path string) error {
	names, err := companions(path)
	if err != nil {
		return err
	}
	var all error
	for _, name := range names {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, err)
		}
	}
	return all
}

// companions returns the files of a database.
func companions(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, entry := range entries {
		rest, ok := strings.CutPrefix(entry.Name(), filepath.Base(path))
		if ok && (rest == "" || rest == "-wal" || rest == "-shm" || strings.HasPrefix(rest, ".v") || strings.HasPrefix(rest, ".unreadable-")) {
			names = append(names, filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
	return names, err
}
