package diagnostics

import (
	"slices"
	"sync"

	"tidepool/internal/session"
)

// Bounds of what is remembered of edits that the language servers have not checked yet.
const (
	maxPending  = 256 // conversations; in further ones, errors that come too late are not reported
	maxEdited   = 64  // files of one conversation
	maxExpected = 16  // edits of one conversation that have not been made yet
)

// pending remembers, for each conversation, the edits whose check was not over in time, and the errors from before them.
// It is safe for concurrent use.
type pending struct {
	mu   sync.Mutex
	open map[session.ID]*edits
}

// edits are those of one conversation whose errors have not been reported.
type edits struct {
	paths  []string          // of the files
	before map[string]Errors // from before the first of them; nil: not known yet
	late   bool              // a check was not over in time
	hooks  int               // that wait for a check now

	expected []string // ids of tool uses that are about to edit; one that was refused stays
}

// expect notes that a tool is about to edit, and what was wrong before.
func (p *pending) expect(conversation session.ID, toolUse string, before map[string]Errors) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, found := p.open[conversation]
	if !found {
		if len(p.open) >= maxPending {
			return
		}
		e = new(edits)
		p.open[conversation] = e
	}
	if e.before == nil {
		e.before = before
	}
	if len(e.expected) == maxExpected {
		e.expected = slices.Delete(e.expected, 0, 1)
	}
	e.expected = append(e.expected, toolUse)
}

// expectNone says that no tool is about to edit.
func (p *pending) expectNone(conversation session.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.open[conversation]; e != nil {
		e.expected = nil
		p.close(conversation, e)
	}
}

// close drops edits that have nothing to report any more. Callers hold mu.
func (p *pending) close(conversation session.ID, e *edits) {
	if e.hooks > 0 || e.late {
		return
	}
	e.paths = nil
	if len(e.expected) == 0 && p.open[conversation] == e {
		delete(p.open, conversation)
	}
}

// begin counts a hook in, which comes after the edit of a file, or after another tool if path is "". It returns the files
// that may have errors to report; if there are none, e is nil and the hook is not counted.
func (p *pending) begin(conversation session.ID, toolUse, path string) (e *edits, paths []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, found := p.open[conversation]
	switch {
	case path == "" && (!found || len(e.paths) == 0):
		return nil, nil
	case !found:
		e = new(edits)
		if len(p.open) < maxPending {
			p.open[conversation] = e
		}
	}
	e.hooks++
	e.expected = slices.DeleteFunc(e.expected, func(id string) bool { return id == toolUse })
	if path != "" && !slices.Contains(e.paths, path) && len(e.paths) < maxEdited {
		e.paths = append(slices.Clip(e.paths), path) // others may be reading those before
	}
	return e, e.paths
}

// end counts a hook out and returns the errors that it has to report, and how many more there are.
func (p *pending) end(conversation session.ID, e *edits, d Diagnosis) (list []Problem, more int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e.hooks--
	if e.before == nil {
		e.before = d.Before
	}
	e.late = !d.Over
	if d.Over {
		list, more = newErrors(e.before, d.Now)
		e.before = d.Now
	}
	p.close(conversation, e)
	return list, more
}

// forget drops a conversation that has ended.
func (p *pending) forget(conversation session.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, conversation)
}
