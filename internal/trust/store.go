package trust

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Store is where trust is recorded. It holds nothing in memory: each question reads the record anew, about 50 µs.
// The zero Store trusts nothing.
type Store struct {
	Dir  string // absolute, made with the first yes; "": there is no place for a record
	Home string // the user's home directory, resolved, which is never a project; "": not known
}

// A Record is one yes.
type Record struct {
	Identity
	Project string    `json:"project"` // the directory for which it was said, resolved
	Granted time.Time `json:"granted"`
}

// Open returns the store of a user: tidepool below XDG_STATE_HOME, or else below ~/.local/state. lookup reads the
// environment.
func Open(lookup func(name string) string) Store {
	s := Store{Home: lookup("HOME")}
	base := lookup("XDG_STATE_HOME")
	if !filepath.IsAbs(base) && filepath.IsAbs(s.Home) { // a relative one is invalid, says the specification
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

// Trusted says whether what the project around a directory brings along may run. An error says why that cannot be
// known, and means no.
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

// Grant records that the user trusts the project around a directory. Of the same path nothing older is kept.
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

// Revoke takes back what was said for the project around a directory, and returns it: nothing if it was not. One whose
// project is gone, or another by now, is taken back by its path. What was said for a directory above stays.
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

// Stands says whether a record still is of the directory that it names.
func (r Record) Stands() bool {
	now, err := identify(r.Path)
	return err == nil && now.is(r.Identity)
}

// errNoPlace says that there is no place for a record.
var errNoPlace = errors.New("there is no place to record it: neither XDG_STATE_HOME nor HOME is an absolute path")
