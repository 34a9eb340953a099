package lsp

import (
	"context"
	"slices"
)

// A Check is what the language servers know to be wrong with the project, before and after changes. Both lists
// have an entry for each server that has looked at the whole project at least once since it was started.
type Check struct {
	Before []Errors // when the server had last looked at everything before the check
	Now    []Errors // when it had last looked at everything
	Over   bool     // Now is after the changes, for every server that has an entry and reads the files asked about
}

// Check brings the servers in step with the disk and waits until those that read the files have looked at what
// has changed, or ctx ends. It never waits for a server that starts or loads: one that has not looked at the
// whole project yet cannot tell what is new.
func (p *Project) Check(ctx context.Context, paths ...string) Check {
	wanted := p.wanted()
	check := Check{Before: errorsOf(wanted), Over: true}
	looking := slices.DeleteFunc(slices.Clone(wanted), func(s *server) bool { return !s.concerns(paths) || s.sure() == nil })
	if len(looking) > 0 {
		p.tell(paths)
		p.sync(nil)
	}
	for _, s := range looking {
		check.Over = s.look(ctx) && check.Over
	}
	check.Now = errorsOf(wanted)
	return check
}

// errorsOf are the errors that servers were last sure of.
func errorsOf(servers []*server) []Errors {
	var all []Errors
	for _, s := range servers {
		if live := s.sure(); live != nil {
			all = append(all, live.progress.lastErrors())
		}
	}
	return all
}

// sure is the session that lives if it has ever looked at the whole project, else nil.
func (s *server) sure() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil || !s.session.progress.everSure() {
		return nil
	}
	return s.session
}

// look waits until the server has looked at everything, and says whether it has.
func (s *server) look(ctx context.Context) bool {
	live := s.sure()
	return live != nil && s.flush(live) == nil && live.onDisk() == nil && live.idle(ctx) == nil
}

// concerns says whether one of the files is below the root and of a kind that the server hears about.
func (s *server) concerns(paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		return s.hears(path) && s.project.inside(s.project.absolute(path))
	})
}
