package workspace

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

var errResting = errors.New("the language server was stopped to save memory; ask again")

// rest stops the session unless somebody waits for an answer of it, and says whether it has. The next question starts
// another one.
func (s *Server) rest(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.session
	if live == nil || s.holds > 0 || s.closed {
		return false
	}
	s.enter(Idle, nil)
	s.retire(live, errResting, what)
	return true
}

// retire lets go of the session for a reason and ends it in steps. Callers hold mu.
func (s *Server) retire(live *session.Session, reason error, what string) {
	s.leaveLocked(live, reason)
	s.workspace.slots.promise()
	s.what = what
	s.workspace.running.Go(func() { live.Stop(s.workspace.ctx, s.workspace.stopTimeouts) })
	s.report(Event{What: what})
}

// linkTurned is why a session was ended that keeps where links to directories led. Callers do as after any other rest.
type linkTurned struct{}

func (linkTurned) Error() string        { return "a link to a directory leads elsewhere; ask again" }
func (linkTurned) Is(target error) bool { return target == errResting }

// relink starts the server again in place of a session that keeps where links led. Callers hold mu.
func (s *Server) relink(live *session.Session) {
	s.enter(Idle, nil)
	s.retire(live, linkTurned{}, "restarted: a link to a directory leads elsewhere")
	if s.drafts == nil {
		s.startLocked() // what goes wrong shows in the next View
	}
}

// Rests reports whether the server was stopped and nobody has asked since.
func (s *Server) Rests() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session == nil && s.attempt == nil && s.state == Idle && s.what != ""
}

// Hold keeps the server from being stopped until release is called, and counts as a need of it.
func (s *Server) Hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holds++
	s.asked = time.Now()
	return func() {
		s.mu.Lock()
		s.holds--
		s.asked = time.Now()
		s.mu.Unlock()
		s.workspace.slots.stir()
	}
}

// makeRoom stops the server that nobody has asked for the longest time, so that another one can run. It does nothing
// while somebody waits for each of them.
func (w *Workspace) makeRoom(newcomer *Server) {
	var oldest *Server
	var since time.Time
	for _, s := range w.Servers() {
		if at, ok := s.Spare(); ok && s != newcomer && (oldest == nil || at.Before(since)) {
			oldest, since = s, at
		}
	}
	if oldest != nil {
		oldest.rest(fmt.Sprintf("stopped to make room for %s: at most %d language servers run", newcomer.Name(), w.slots.limit))
	}
}

// Spare reports whether the server runs and nobody waits for it, and since when nobody has asked.
func (s *Server) Spare() (asked time.Time, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked, s.session != nil && s.holds == 0
}

// Name returns what people call the server.
func (s *Server) Name() string {
	program := s.Language.Program()
	if s.drafts != nil {
		program += " for drafts"
	}
	if s.tree == nil || s.tree == s.workspace.Main {
		return program
	}
	return program + " of " + s.tree.Root
}

// treeRoot returns the directory that the server serves, "" if it serves all.
func (s *Server) treeRoot() string {
	if s.tree == nil {
		return ""
	}
	return s.tree.Root
}

// dropTrees lets go of worktrees that are gone or that nobody has asked about for long.
func (w *Workspace) dropTrees() {
	for _, t := range w.allTrees() {
		t.mu.Lock()
		idle := w.limits.Idle > 0 && time.Since(t.asked) > w.limits.Idle
		t.mu.Unlock()
		if t != w.Main && (idle || !disk.IsDir(t.Root)) {
			w.drop(t)
		}
	}
}

// drop closes a tree.
func (w *Workspace) drop(t *Tree) {
	w.mu.Lock()
	w.trees = slices.DeleteFunc(w.trees, func(other *Tree) bool { return other == t })
	var own, shared []*Server
	for _, s := range w.servers {
		switch s.tree {
		case t:
			own = append(own, s)
		case nil:
			shared = append(shared, s)
		}
	}
	w.servers = slices.DeleteFunc(w.servers, func(s *Server) bool { return s.tree == t })
	w.mu.Unlock()
	for _, s := range own {
		w.running.Go(func() { s.close(w.ctx) })
	}
	for _, s := range shared {
		s.leaveTree(t)
	}
	t.Close()
}

// leaveTree tells the session that a tree is not asked about any more.
func (s *Server) leaveTree(t *Tree) {
	s.mu.Lock()
	delete(s.scopes, t)
	delete(s.unconfirmed, t)
	s.moved = true
	live := s.session
	s.mu.Unlock()
	if live != nil {
		s.Flush(live) // what goes wrong ends the session
	}
}
