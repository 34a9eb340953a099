package program

import (
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"tidepool/internal/state"
)

// maxRecord is how large the file may be, in bytes: it has at most maxSessions ids, escaped, with a time each.
const maxRecord = 1 << 20

// A record is the content of the file.
type record struct {
	Sessions map[string]time.Time `json:"sessions"` // last uses, at most noteEvery old when they were written
}

// load reads the file at the first use. Of a session it may have an older use than the last one, so it counts as the latest possible one.
// A file that cannot be used has no sessions. Callers hold mu.
func (s *Sessions) load() {
	if s.loaded || s.options.File == "" {
		return
	}
	s.loaded = true
	var r record
	err := state.Within(s.options.File, func(f *state.File) error {
		data, err := f.Read(maxRecord)
		if err != nil {
			return err
		}
		return json.Unmarshal(data, &r)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.options.Log.Warn("programs' sessions of an earlier daemon are not known", "err", err)
		return
	}
	now := time.Now()
	for id, at := range r.Sessions {
		if id == "" || len(id) > maxID || len(s.known) == maxSessions {
			continue
		}
		if at = at.Add(noteEvery); at.After(now) {
			at = now
		}
		s.known[id] = &use{at: at}
	}
}

// save writes the file, or removes it if there are no sessions. Callers hold mu.
func (s *Sessions) save() {
	if s.options.File == "" {
		return
	}
	r := record{make(map[string]time.Time, len(s.known))}
	for id, u := range s.known {
		u.noted = u.at
		r.Sessions[id] = u.at.UTC()
	}
	err := state.Within(s.options.File, func(f *state.File) error {
		if len(s.known) == 0 {
			return f.Remove()
		}
		data, err := json.Marshal(r)
		if err != nil {
			return err
		}
		return f.Replace(data)
	})
	if err != nil {
		s.options.Log.Warn("a restart of the daemon forgets programs' sessions", "err", err)
	}
}
