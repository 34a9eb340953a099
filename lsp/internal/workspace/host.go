package workspace

import (
	"slices"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// Cover takes note of what the session knows of the project.
func (s *Server) Cover(known session.Coverage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names.drop()
	s.coverage, s.unknown = known.Outside, known.Unknown
	clear(s.scopes)
}

// Sources returns the source files of the language in all trees that the server serves, sorted, as of the last walk.
func (s *Server) Sources() []string {
	var paths []string
	for _, t := range s.Trees() {
		paths = append(paths, t.Of(s.Language).sources...)
	}
	slices.Sort(paths)
	return paths
}

// Links returns the links to directories in all trees that the server serves, as of the last walk.
func (s *Server) Links() []disk.Link {
	var all []disk.Link
	for _, t := range s.Trees() {
		t.mu.Lock()
		all = append(all, t.links...)
		t.mu.Unlock()
	}
	return all
}

// RootOf returns the root of the server's only tree that a source file belongs to, "" if to none.
func (s *Server) RootOf(path string) string { return s.tree.Of(s.Language).Root(path) }

// Covers reports whether the server finds errors in a source file of its only tree by itself.
func (s *Server) Covers(path string) bool { return s.Checks(s.tree, path, Nowhere) }

// Words returns the words of the tree that a file lies in; those of all the server's trees for "".
func (s *Server) Words(near string) []session.Words {
	trees := s.Trees()
	if near != "" {
		trees = []*Tree{s.workspace.TreeOf(near)}
	}
	all := make([]session.Words, len(trees))
	for i, t := range trees {
		all[i] = t.Words(s.Language)
	}
	return all
}

// Relative returns a path as a person writes it who works in the tree that it lies in.
func (s *Server) Relative(path string) string { return s.workspace.TreeOf(path).Relative(path) }

// Owns reports whether the user has put there all that lies in a directory.
func (s *Server) Owns(dir string) bool { return s.workspace.owns(dir) }

// CaughtUp has the disk walked again.
func (s *Server) CaughtUp() { s.workspace.settled() }
