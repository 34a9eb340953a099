package workspace

import (
	"path/filepath"

	"tidepool/lsp/internal/disk"
)

// FilesChanged says that files may have changed, even if their times do not show it. Relative paths are below the
// project's directory. It returns at once; the servers are told behind it, and by the next View at the latest.
func (w *Workspace) FilesChanged(paths ...string) {
	w.noteChanged(paths)
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// noteChanged takes note for the next sync of the trees that the paths lie in. What lies in a worktree that is not open is
// nothing to anybody.
func (w *Workspace) noteChanged(paths []string) {
	foreign := w.Main.Foreign()
	for _, path := range paths {
		if t := w.TreeOf(path); t != w.Main || !foreign(path) {
			t.MayHaveChanged([]string{path})
		}
	}
}

// TreeOf returns the open tree that a path lies in, the project's directory if it lies in none.
func (w *Workspace) TreeOf(path string) *Tree {
	found := w.Main
	if !filepath.IsAbs(path) {
		return found
	}
	for _, t := range w.allTrees()[1:] {
		if t.Inside(path) && (len(t.Root) > len(found.Root) || !found.Inside(path)) {
			found = t
		}
	}
	return found
}

// settled has the disk walked again once a server has looked at everything that it was told: only then is it known whether
// the disk was the same all the while. It does not wait for the walk.
func (w *Workspace) settled() {
	select {
	case w.caughtUp <- struct{}{}:
	default:
	}
}

// follow brings the servers in step after FilesChanged, so that they need not begin when the next question comes, and after
// they have settled.
func (w *Workspace) follow() {
	for {
		act, of := (*Server).FlushOrStart, (*Tree).Wanted
		select {
		case <-w.ctx.Done():
			return
		case <-w.caughtUp:
			act, of = (*Server).sendChanges, w.serversOf
		case <-w.news:
		}
		for _, t := range w.allTrees() {
			t.Sync()
			for _, s := range of(t) {
				act(s)
			}
		}
	}
}

// heed brings the servers in step soon after the watch has seen something, so that they need not begin when the next
// question comes. It starts none. It returns when the watch is closed or the project is.
func (t *Tree) heed(w *disk.Watch) {
	for w.Stirred(t.Workspace.ctx) {
		t.Sync()
		for _, s := range t.Workspace.serversOf(t) {
			s.sendChanges()
		}
	}
}

// sendChanges tells the session what has changed, if there is one.
func (s *Server) sendChanges() {
	s.mu.Lock()
	live := s.session
	s.mu.Unlock()
	if live != nil {
		s.Flush(live) // what goes wrong ends the session
	}
}
