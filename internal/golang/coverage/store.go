package coverage

import (
	"encoding/json"
	"fmt"

	"tidepool/internal/diskcache"
)

// A store keeps records on the disk, named after the package, in whichever checkout its module is, and the content of its files. A store
// without a directory keeps nothing.
type store struct{ files diskcache.Cache }

func newStore(dir string) store {
	return store{diskcache.Cache{Dir: dir, Ending: ".json", Versions: 4, MaxFile: 16 << 20, MaxAll: 64 << 20}}
}

func (s store) subject(modulePath, below string) string { return modulePath + "\n" + below }

// exact returns the record of a package for a key, nil if there is none.
func (s store) exact(modulePath, below, key string) *record {
	r := s.read(modulePath, below, key)
	if r == nil || r.Key != key {
		return nil
	}
	return r
}

// latest returns the record of a package that was measured last, nil if there is none.
func (s store) latest(modulePath, below string) *record {
	for _, key := range s.files.Keys(s.subject(modulePath, below)) {
		if r := s.read(modulePath, below, key); r != nil {
			return r
		}
	}
	return nil
}

// read reads a record, nil if there is none. What is no record of the package is removed.
func (s store) read(modulePath, below, key string) *record {
	data := s.files.Read(s.subject(modulePath, below), key)
	if data == nil {
		return nil
	}
	var r record
	if json.Unmarshal(data, &r) != nil || !r.sound() || r.Package != below {
		s.files.Remove(s.subject(modulePath, below), key)
		return nil
	}
	return &r
}

// save writes a record, and removes old ones beyond the bounds.
func (s store) save(modulePath string, r *record) error {
	data, err := json.Marshal(r)
	if err == nil {
		err = s.files.Write(s.subject(modulePath, r.Package), r.Key, data)
	}
	if err != nil {
		return fmt.Errorf("keeping what the tests of %s run: %w", r.Package, err)
	}
	s.files.Trim()
	return nil
}
