// Package diskcache keeps what was made of content in the files of one directory, bounded. Each file is named after its subject and a
// key of the content.
package diskcache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tidepool/internal/state"
)

// A Cache is a directory that state has checked, see [state.Within]. Several processes may share it. The zero value keeps nothing.
// Safe for concurrent use: a file appears as a whole.
type Cache struct {
	Dir      string // "": nothing is kept
	Ending   string // of the names of its files, ".json"
	Versions int    // of one subject, so that whoever goes back to another branch finds what was made there
	MaxFile  int64  // bytes of one file
	MaxAll   int64  // bytes of all
}

// name returns the name of a file. A key is of lower-case letters and digits.
func (c Cache) name(subject, key string) string { return prefix(subject) + key + c.Ending }

func prefix(subject string) string {
	sum := sha256.Sum256([]byte(subject))
	return hex.EncodeToString(sum[:8]) + "-"
}

// Read returns what is kept of a subject under a key, nil if there is nothing. A file that others may read came with the project, so
// it is removed.
func (c Cache) Read(subject, key string) (data []byte) {
	if c.Dir == "" {
		return nil
	}
	_ = state.Within(filepath.Join(c.Dir, c.name(subject, key)), func(f *state.File) error {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if info.Mode() != 0o600 {
			return f.Remove() // at worst it is read in vain again
		}
		data, err = f.Read(c.MaxFile)
		if err != nil {
			data = nil
		}
		return err
	})
	return data
}

// isKey describes a key: no part of a path.
var isKey = regexp.MustCompile(`^[0-9a-z]+$`)

// Write keeps data of a subject under a key, or says why not.
func (c Cache) Write(subject, key string, data []byte) error {
	if c.Dir == "" {
		return nil
	}
	if !isKey.MatchString(key) {
		return fmt.Errorf("%q is no key of a file in %s: lower-case letters and digits are", key, c.Dir)
	}
	if int64(len(data)) > c.MaxFile {
		return fmt.Errorf("%d MB are too much for one file of %s", len(data)>>20, c.Dir)
	}
	return state.Within(filepath.Join(c.Dir, c.name(subject, key)), func(f *state.File) error { return f.Replace(data) })
}

// Remove removes what is kept of a subject under a key.
func (c Cache) Remove(subject, key string) { c.remove(c.name(subject, key)) }

func (c Cache) remove(name string) {
	_ = state.Within(filepath.Join(c.Dir, name), (*state.File).Remove) // at the next time, then
}

// Keys lists those of a subject, the one that was written last first.
func (c Cache) Keys(subject string) []string {
	var keys []string
	for _, f := range c.list() {
		if key, ok := strings.CutPrefix(f.name, prefix(subject)); ok {
			keys = append(keys, strings.TrimSuffix(key, c.Ending))
		}
	}
	return keys
}

// Trim removes the oldest files of each subject beyond its versions, then the oldest of all.
func (c Cache) Trim() {
	versions, total := make(map[string]int), int64(0)
	for _, f := range c.list() {
		subject, _, _ := strings.Cut(f.name, "-")
		versions[subject]++
		total += f.size
		if versions[subject] > c.Versions || total > c.MaxAll {
			total -= f.size
			c.remove(f.name)
		}
	}
}

// A kept file is one of the cache.
type kept struct {
	name    string
	size    int64
	changed time.Time
}

// ours are the names of the cache's files, without their ending: what else is in the directory is never removed.
var ours = regexp.MustCompile(`^[0-9a-f]{16}-[0-9a-z]+$`)

// list lists the files, the latest first.
func (c Cache) list() []kept {
	if c.Dir == "" {
		return nil
	}
	dir, err := state.OpenDir(c.Dir)
	if err != nil {
		return nil
	}
	defer dir.Close()
	entries, _ := dir.List() // none, if it cannot be read
	var all []kept
	for _, info := range entries {
		name, is := strings.CutSuffix(info.Name(), c.Ending)
		if is && ours.MatchString(name) && info.Mode().IsRegular() {
			all = append(all, kept{info.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(b.changed.Compare(a.changed), strings.Compare(a.name, b.name)) })
	return all
}
