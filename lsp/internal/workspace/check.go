package workspace

import (
	"context"
	"slices"

	"tidepool/lsp/internal/session"
)

// CheckedSession returns the session that lives if it has ever looked at the whole tree, else nil.
func (s *Server) CheckedSession(t *Tree) *session.Session {
	of := t.Part()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil || !s.session.Progress.WasComplete(of) {
		return nil
	}
	return s.session
}

// Asked returns the servers that serve the tree and have been asked about it, without those for drafts. It does not look at the disk.
func (t *Tree) Asked() []*Server {
	return slices.DeleteFunc(t.Workspace.serversOf(t), func(s *Server) bool { return s.drafts != nil })
}

// AwaitCheck waits until the server has looked at everything, and says whether it has.
func (s *Server) AwaitCheck(ctx context.Context, t *Tree) bool {
	live := s.CheckedSession(t)
	return live != nil && s.CatchUp(ctx, live, t.Part(), func() {}) == nil
}

// Concerns reports whether one of the files is in the tree and of a kind that the server hears about.
func (s *Server) Concerns(t *Tree, paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		return s.Language.Watches(path) && t.Inside(t.Absolute(path))
	})
}
