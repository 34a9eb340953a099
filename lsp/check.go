package lsp

import (
	"context"
	"slices"

	"tidepool/lsp/internal/session"
)

// A Check is what the language servers know to be wrong with a tree, before and after changes. Both lists have an
// entry for each server that has looked at the whole tree at least once since it was started.
type Check struct {
	Before []Errors // when the server had last looked at everything before the check
	Now    []Errors // when it had last looked at everything
	Over   bool     // Now is after the changes, for every server that has an entry and reads the files asked about
}

// Check brings the servers in step with the disk and waits until those that read the files have looked at what
// has changed, or ctx ends. The tree is that of the first of the files. It never waits for a server that starts or
// loads: one that has not looked at the whole tree yet cannot tell what is new.
func (p *Project) Check(ctx context.Context, paths ...string) Check {
	t := p.main
	if len(paths) > 0 {
		t = p.treeOf(paths[0])
	}
	wanted := t.wanted()
	check := Check{Before: t.errorsOf(wanted), Over: true}
	looking := slices.DeleteFunc(slices.Clone(wanted), func(s *server) bool { return !s.concerns(t, paths) || s.sure(t) == nil })
	if len(looking) > 0 {
		t.tell(paths)
		t.sync()
	}
	for _, s := range looking {
		check.Over = s.look(ctx, t) && check.Over
	}
	check.Now = t.errorsOf(wanted)
	return check
}

// errorsOf returns the errors in the tree that servers were last sure of.
func (t *tree) errorsOf(servers []*server) []Errors {
	var all []Errors
	for _, s := range servers {
		if live := s.sure(t); live != nil {
			all = append(all, live.Progress.LastErrors(t.part()))
		}
	}
	return all
}

// sure returns the session that lives if it has ever looked at the whole tree, else nil.
func (s *server) sure(t *tree) *session.Session {
	of := t.part()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil || !s.session.Progress.WasComplete(of) {
		return nil
	}
	return s.session
}

// look waits until the server has looked at everything, and says whether it has.
func (s *server) look(ctx context.Context, t *tree) bool {
	live := s.sure(t)
	return live != nil && s.catchUp(ctx, live, t.part(), func() {}) == nil
}

// concerns reports whether one of the files is in the tree and of a kind that the server hears about.
func (s *server) concerns(t *tree, paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		return s.language.Watches(path) && t.inside(t.absolute(path))
	})
}
