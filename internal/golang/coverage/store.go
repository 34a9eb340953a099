package coverage

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	statedir "tidepool/internal/state"
)

// Bounds of what is kept on the disk.
const (
	maxVersions = 4        // of one package, so that whoever goes back to another branch finds what was measured there
	maxRecord   = 16 << 20 // bytes of one record
	maxStore    = 64 << 20 // bytes of all
)

// A store keeps records in a directory, one file each, named after the package and the content of its files. Several daemons may
// share it. The zero value keeps nothing. It is safe for concurrent use: a file appears as a whole.
type store struct{ dir string }

// name returns what the files of a package's records begin with, in whichever checkout the module is.
func (s store) name(modulePath, below string) string {
	sum := sha256.Sum256([]byte(modulePath + "\n" + below))
	return hex.EncodeToString(sum[:8])
}

// exact returns the record of a package for a key, nil if there is none.
func (s store) exact(modulePath, below, key string) *record {
	r := s.read(s.name(modulePath, below)+"-"+key+".json", below)
	if r == nil || r.Key != key {
		return nil
	}
	return r
}

// latest returns the record of a package that was measured last, nil if there is none.
func (s store) latest(modulePath, below string) *record {
	for _, f := range s.list(s.name(modulePath, below) + "-") {
		if r := s.read(f.name, below); r != nil {
			return r
		}
	}
	return nil
}

// read reads a record, nil if there is none. A file that is not ours is removed: one that others may read came with the
// project.
func (s store) read(name, below string) (found *record) {
	if s.dir == "" {
		return nil
	}
	_ = statedir.Within(filepath.Join(s.dir, name), func(f *statedir.File) error {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if info.Mode() == 0o600 {
			data, err := f.Read(maxRecord)
			var r record
			if err == nil && json.Unmarshal(data, &r) == nil && r.sound() && r.Package == below {
				found = &r
				return nil
			}
		}
		return f.Remove() // at worst it is read in vain again
	})
	return found
}

// save writes a record, and removes old ones beyond the bounds.
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
	path := filepath.Join(s.dir, name+"-"+r.Key+".json")
	if err := statedir.Within(path, func(f *statedir.File) error { return f.Replace(data) }); err != nil {
		return fmt.Errorf("keeping what tests run: %w", err)
	}
	s.trim(name + "-")
	return nil
}

// A kept file is one of the store.
type keptFile struct {
	name    string
	size    int64
	changed time.Time
}

// ours are the names of records: what else is in the directory is never removed.
var ours = regexp.MustCompile(`^[0-9a-f]{16}-[0-9a-z]+\.json$`)

// halfWritten are the names under which earlier versions wrote, until a record was whole.
var halfWritten = regexp.MustCompile(`^new-[0-9]+$`)

// list lists the records whose names begin so, the latest first.
func (s store) list(prefix string) []keptFile {
	if s.dir == "" {
		return nil
	}
	dir, err := statedir.OpenDir(s.dir)
	if err != nil {
		return nil
	}
	defer dir.Close()
	entries, _ := dir.List() // none, if it cannot be read
	var all []keptFile
	for _, info := range entries {
		isOurs := ours.MatchString(info.Name()) || halfWritten.MatchString(info.Name())
		if isOurs && strings.HasPrefix(info.Name(), prefix) && info.Mode().IsRegular() {
			all = append(all, keptFile{info.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b keptFile) int { return cmp.Or(b.changed.Compare(a.changed), strings.Compare(a.name, b.name)) })
	return all
}

// trim removes the oldest records of a package beyond its versions, then the oldest of all, and what a daemon that was
// killed has left half written.
func (s store) trim(prefix string) {
	for i, f := range s.list(prefix) {
		if i >= maxVersions {
			s.remove(f)
		}
	}
	total := int64(0)
	for _, f := range s.list("") {
		total += f.size
		abandoned := halfWritten.MatchString(f.name) && time.Since(f.changed) > time.Hour
		if total > maxStore || abandoned {
			s.remove(f)
		}
	}
}

func (s store) remove(f keptFile) {
	_ = statedir.Within(filepath.Join(s.dir, f.name), (*statedir.File).Remove) // at the next time, then
}
