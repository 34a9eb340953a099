package workspace

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

// TakeDraft waits for the turn to make a draft, which ReleaseDraft gives back.
func (s *Server) TakeDraft(ctx context.Context) error {
	select {
	case s.drafts.turn <- struct{}{}: // also when ctx has ended
		return nil
	default:
	}
	select {
	case s.drafts.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ReleaseDraft lets the next one make a draft.
func (s *Server) ReleaseDraft() { <-s.drafts.turn }

// forget says that the disk has changed, or the session. Callers hold the server's mu.
func (d *drafts) forget() {
	if d != nil {
		d.before = nil
	}
}

// draftFaults bounds the errors that are kept of one file in a session for drafts: there may be one for each use of a name.
const draftFaults = 5_000

// DraftServer returns the server for drafts of a language in a tree.
func (w *Workspace) DraftServer(language *session.Language, t *Tree) *Server {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.servers {
		if s.drafts != nil && s.Language.ID == language.ID && s.tree == t {
			return s
		}
	}
	of := *language
	of.Drafting.Adapt(&of)
	made := NewServer(w, &of, t)
	made.tree, made.drafts, made.state = t, &drafts{turn: make(chan struct{}, 1)}, Idle
	if w.ctx.Err() != nil {
		made.closed = true
	}
	w.servers = append(w.servers, made)
	return made
}

// errorsKept returns how many errors of one file are kept.
func (s *Server) errorsKept() int {
	if s.drafts != nil {
		return draftFaults
	}
	return session.ProblemsPerFile
}

// DraftBaseline returns the session and the errors on the disk; nil if they are not known as the disk is now.
func (s *Server) DraftBaseline() (*session.Session, session.Diagnostics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil || len(s.pending) > 0 || s.moved {
		return nil, nil
	}
	return s.session, s.drafts.before
}

// KeepBaseline remembers the errors on the disk.
func (s *Server) KeepBaseline(live *session.Session, before session.Diagnostics) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == live {
		s.drafts.before = before
	}
}

// Living returns the session, nil if there is none.
func (s *Server) Living() *session.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

// Checks reports whether the server finds errors in a source file of a tree; reached says so of those that it leaves out by
// itself.
func (s *Server) Checks(t *Tree, path string, reached func(path string) bool) bool {
	has := t.Of(s.Language)
	root := has.Root(path)
	if _, found := slices.BinarySearch(has.sources, path); !found || root == "" {
		return false
	}
	if passes := s.Language.Drafting.Passes; passes != nil && passes(root, path) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scopeIn(t).why[path] == "" || reached(path)
}

// Nowhere and everywhere are what a server may look at of the files that it leaves out by itself.
func Nowhere(string) bool { return false }
