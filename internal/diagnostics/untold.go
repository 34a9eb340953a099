package diagnostics

import (
	"slices"
	"sync"

	"tidepool/internal/session"
)

// Bounds of what is remembered of edits that have not been looked at yet.
const (
	maxUntold = 256 // conversations; in further ones, errors that come too late are not told
	maxEdited = 64  // files of one conversation
)

// untold remembers, of each conversation, since when errors have not been told because the look at an edit was not
// over in time. It is safe for concurrent use.
type untold struct {
	mu   sync.Mutex
	open map[session.ID]*edits
}

// edits are those of one conversation that errors have not been told of.
type edits struct {
	paths  []string          // of the files
	before map[string]Errors // of the first of them; nil: not known yet
	late   bool              // a look was not over in time
	hooks  int               // that are at it now
}

// begin counts in a hook after the edit of a file, or after something else if path is "". It returns the files whose
// errors may have to be told; if e is nil there are none, and the hook is not counted.
func (u *untold) begin(conversation session.ID, path string) (e *edits, paths []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	e, found := u.open[conversation]
	switch {
	case !found && path == "":
		return nil, nil
	case !found:
		e = new(edits)
		if len(u.open) < maxUntold {
			u.open[conversation] = e
		}
	}
	e.hooks++
	if path != "" && !slices.Contains(e.paths, path) && len(e.paths) < maxEdited {
		e.paths = append(slices.Clip(e.paths), path) // others may be reading those before
	}
	return e, e.paths
}

// end counts a hook out and returns what it shall tell.
func (u *untold) end(conversation session.ID, e *edits, d Diagnosis) (list []Problem, more int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	e.hooks--
	if e.before == nil {
		e.before = d.Before
	}
	e.late = !d.Over
	if d.Over {
		list, more = fresh(e.before, d.Now)
		e.before = d.Now
	}
	if e.hooks == 0 && !e.late && u.open[conversation] == e {
		delete(u.open, conversation)
	}
	return list, more
}

// forget is for a conversation that has ended.
func (u *untold) forget(conversation session.ID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.open, conversation)
}
