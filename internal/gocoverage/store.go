package gocoverage

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Bounds of what is kept on the disk.
const (
	maxVersions = 4        // of one package, so that whoever goes back to another branch finds what was measured there
	maxRecord   = 16 << 20 // bytes of one record
	maxStore    = 64 << 20 // bytes of all
)

// A store keeps records in a directory, one file each, named after the package and the content that it stands for:
// several daemons may share it. The zero value keeps nothing. Safe for concurrent use: a file is there as a whole or not.
type store struct{ dir string }

// name is what the files of a package's records begin with, in whichever checkout the module is.
func (s store) name(modulePath, below string) string {
	sum := sha256.Sum256([]byte(modulePath + "\n" + below))
	return hex.EncodeToString(sum[:8])
}

// exact returns the record of a package for a key, nil if there is none.
func (s store) exact(modulePath, below, key string) *record {
	r := s.read(filepath.Join(s.dir, s.name(modulePath, below)+"-"+key+".json"), below)
	if r == nil || r.Key != key {
		return nil
	}
	return r
}

// latest returns the record of a package that was measured last, nil if there is none.
func (s store) latest(modulePath, below string) *record {
	for _, f := range s.list(s.name(modulePath, below) + "-") {
		if r := s.read(f.path, below); r != nil {
			return r
		}
	}
	return nil
}

// read reads a record, nil if there is none. A file that is not ours is removed: one that others may read came with the
// project.
func (s store) read(path, below string) *record {
	info, err := os.Lstat(path)
	if s.dir == "" || err != nil {
		return nil
	}
	if info.Mode() == 0o600 && info.Size() <= maxRecord {
		data, err := os.ReadFile(path)
		var r record
		if err == nil && json.Unmarshal(data, &r) == nil && r.sound() && r.Package == below {
			return &r
		}
	}
	_ = os.Remove(path) // at worst it is read in vain again
	return nil
}

// save keeps a record, and makes room for it.
func (s store) save(modulePath string, r *record) error {
	if s.dir == "" {
		return nil
	}
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("keeping what tests run: %w", err)
	}
	if len(data) > maxRecord {
		return fmt.Errorf("keeping what the tests of %s run: %d MB are too much", r.Package, len(data)>>20)
	}
	name := s.name(modulePath, r.Package)
	if err := s.write(filepath.Join(s.dir, name+"-"+r.Key+".json"), data); err != nil {
		return fmt.Errorf("keeping what tests run: %w", err)
	}
	s.trim(name + "-")
	return nil
}

func (s store) write(path string, data []byte) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// A kept file is one of the store.
type keptFile struct {
	path    string
	size    int64
	changed time.Time
}

// list lists the files whose names begin so, the latest first.
func (s store) list(prefix string) []keptFile {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil
	}
	var all []keptFile
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), prefix) {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().Type()&fs.ModeDir == 0 {
			all = append(all, keptFile{filepath.Join(s.dir, entry.Name()), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b keptFile) int { return cmp.Or(b.changed.Compare(a.changed), strings.Compare(a.path, b.path)) })
	return all
}

// trim removes the oldest records of a package beyond its versions, then the oldest of all, and what a daemon that was
// killed has left half written.
func (s store) trim(prefix string) {
	for i, f := range s.list(prefix) {
		if i >= maxVersions {
			_ = os.Remove(f.path)
		}
	}
	total := int64(0)
	for _, f := range s.list("") {
		total += f.size
		abandoned := strings.HasPrefix(filepath.Base(f.path), "new-") && time.Since(f.changed) > time.Hour
		if total > maxStore || abandoned {
			_ = os.Remove(f.path)
		}
	}
}
