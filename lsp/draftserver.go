package lsp

import (
	"context"
	"slices"

	"tidepool/lsp/internal/session"
)

// drafts are what a server for drafts has besides those for queries.
type drafts struct {
	turn chan struct{} // capacity 1: taken by the one draft at a time

	before session.Diagnostics // the errors on the disk; nil: not known. Guarded by the server's mu
}

// take waits for the turn.
func (d *drafts) take(ctx context.Context) error {
	select {
	case d.turn <- struct{}{}: // also when ctx has ended
		return nil
	default:
	}
	select {
	case d.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// forget says that the disk has changed, or the session. Callers hold the server's mu.
func (d *drafts) forget() {
	if d != nil {
		d.before = nil
	}
}

// draftFaults bounds the errors that are kept of one file in a session for drafts: there may be one for each use of a name.
const draftFaults = 5_000

// drafter returns the server for drafts of a language in a tree.
func (p *Project) drafter(language *Language, t *tree) *server {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.servers {
		if s.drafts != nil && s.language.ID == language.ID && s.tree == t {
			return s
		}
	}
	of := *language
	of.Drafting.Adapt(&of)
	made := newServer(p, &of, t)
	made.tree, made.drafts, made.state = t, &drafts{turn: make(chan struct{}, 1)}, Idle
	if p.ctx.Err() != nil {
		made.closed = true
	}
	p.servers = append(p.servers, made)
	return made
}

// errorsKept returns how many errors of one file are kept.
func (s *server) errorsKept() int {
	if s.drafts != nil {
		return draftFaults
	}
	return session.ProblemsPerFile
}

// inStep returns the session and the errors on the disk; nil if they are not known as the disk is now.
func (s *server) inStep() (*session.Session, session.Diagnostics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil || len(s.pending) > 0 || s.moved {
		return nil, nil
	}
	return s.session, s.drafts.before
}

// keep remembers the errors on the disk.
func (s *server) keep(live *session.Session, before session.Diagnostics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == live {
		s.drafts.before = before
	}
}

// living returns the session, nil if there is none.
func (s *server) living() *session.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

// covers reports whether the server finds errors in a source file of a tree; reached says so of those that it leaves out by
// itself.
func (s *server) covers(t *tree, path string, reached func(path string) bool) bool {
	has := t.of(s.language)
	root := has.root(path)
	if _, found := slices.BinarySearch(has.sources, path); !found || root == "" {
		return false
	}
	if passes := s.language.Drafting.Passes; passes != nil && passes(root, path) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scopeIn(t).why[path] == "" || reached(path)
}
