package trust

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Store is the record of trust. It caches nothing: each query reads the record again, in about 50 µs.
// The zero Store trusts nothing.
type Store struct {
	Dir  string // absolute, made by the first Grant; "": there is no place for a record
	Home string // the user's home directory, resolved, which is never a project; "": unknown
}

// A Record is one consent.
type Record struct {
	Identity
	Project string    `json:"project"` // the directory for which it was given, resolved
	Granted time.Time `json:"granted"`
}

// Open returns the store of a user: tidepool below XDG_STATE_HOME, or else below ~/.local/state. lookup reads the
// environment.
func Open(lookup func(name string) string) Store {
	s := Store{Home: lookup("HOME")}
	base := lookup("XDG_STATE_HOME")
	if !filepath.IsAbs(base) && filepath.IsAbs(s.Home) { // by the specification a relative path is invalid
		base = filepath.Join(s.Home, ".local", "state")
	}
	if filepath.IsAbs(base) {
		s.Dir = filepath.Join(base, "tidepool")
	}
	if home, err := filepath.EvalSymlinks(s.Home); err == nil {
		s.Home = home
	}
	return s
}

// Trusted reports whether what the project around a directory brings along may run. With an error, which says why that is
// unknown, it reports false.
func (s Store) Trusted(dir string) (bool, error) {
	records, err := s.List()
	if err != nil || len(records) == 0 {
		return false, err
	}
	of, err := s.identities(dir)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(records, func(r Record) bool { return slices.ContainsFunc(of, r.is) }), nil
}

// Grant records that the user trusts the project around a directory. It replaces an older record of the same path.
func (s Store) Grant(dir string) (Record, error) {
	of, err := s.identities(dir)
	if err != nil {
		return Record{}, err
	}
	project, err := resolve(dir)
	if err != nil {
		return Record{}, err
	}
	granted := Record{Identity: of[0], Project: project, Granted: time.Now().UTC().Truncate(time.Second)}
	err = s.change(func(records []Record) []Record {
		records = slices.DeleteFunc(records, func(r Record) bool { return r.Path == granted.Path })
		return append(records, granted)
	})
	return granted, err
}

// Revoke removes the records of the project around a directory and returns them. A record whose project is gone, or is another
// one by now, is removed by its path. Records of directories above stay.
func (s Store) Revoke(dir string) ([]Record, error) {
	path, own := filepath.Clean(dir), ""
	if resolved, err := resolve(dir); err == nil {
		path = resolved
	}
	if of, err := s.identities(dir); err == nil {
		own = of[0].Path
	}
	covers := func(r Record) bool { return r.Path == own || r.Project == path || r.Path == path }
	records, err := s.List()
	if err != nil || !slices.ContainsFunc(records, covers) {
		return nil, err
	}
	var revoked []Record
	err = s.change(func(records []Record) []Record {
		return slices.DeleteFunc(records, func(r Record) bool {
			if covers(r) {
				revoked = append(revoked, r)
			}
			return covers(r)
		})
	})
	return revoked, err
}

// List returns every record, sorted by path.
func (s Store) List() ([]Record, error) {
	if s.Dir == "" {
		return nil, nil
	}
	records, err := s.read()
	slices.SortFunc(records, func(a, b Record) int { return strings.Compare(a.Path, b.Path) })
	return records, err
}

// Stands reports whether a record still applies to the directory at its path.
func (r Record) Stands() bool {
	now, err := Identify(r.Path)
	return err == nil && now.is(r.Identity)
}

// errNoPlace means that there is no place for a record.
var errNoPlace = errors.New("there is no place to record it: neither XDG_STATE_HOME nor HOME is an absolute path")
