package workspace

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// A Server keeps one language served, of all the project's trees or of one: it starts sessions, one after the other,
// and holds what the next query must tell the present one first.
// Goroutines: run (one per session, while it lives), counted by the project.
type Server struct {
	Language  *session.Language
	workspace *Workspace
	tree      *Tree // the only one that it serves; nil: all of the project's

	mu          sync.Mutex
	state       ServerState
	since       time.Time
	reason      error                    // why there is no session: missing, ended, failed
	attempt     *attempt                 // the start that is under way, or nil
	session     *session.Session         // the one that lives, or nil
	pending     map[string]disk.Change   // changes on the disk that the session has not heard of
	unconfirmed map[*Tree]bool           // trees that may have changed while the session looked at what it has heard of
	raced       bool                     // files have come, gone or been replaced in one of them, and the session has not heard of that
	moved       bool                     // roots have come or gone that the session has not heard of
	exits       int                      // sessions in a row that ended by themselves or hung
	restarts    int                      // those after one that ended by itself, hung, or had grown too much
	earliest    time.Time                // when the next one may start
	crowded     bool                     // a start waits for another server to end
	holds       int                      // callers that wait for answers
	asked       time.Time                // when somebody last did
	what        string                   // why it was stopped or restarted last; "": it was not
	memory      footprint                // what its processes occupy and need
	coverage    func(path string) string // what the last probe said; nil: nothing
	unknown     func(path string) bool   // the same of what the server had not
	scopes      map[*Tree]*scope
	names       names
	outlines    outlines
	closed      bool
	drafts      *drafts // nil: it is not for drafts. Never changed
}

func NewServer(w *Workspace, language *session.Language, t *Tree) *Server {
	s := &Server{Language: language, workspace: w, state: Starting, since: time.Now(), asked: time.Now(),
		pending: map[string]disk.Change{}, unconfirmed: map[*Tree]bool{}, scopes: map[*Tree]*scope{}}
	if !language.Folders {
		s.tree = t
	}
	if !t.Of(language).marked {
		s.state = Idle
	}
	return s
}

// serves reports whether the tree is one of the server's.
func (s *Server) serves(t *Tree) bool { return s.tree == nil || s.tree == t }

// Trees returns those that the server serves.
func (s *Server) Trees() []*Tree {
	if s.tree != nil {
		return []*Tree{s.tree}
	}
	return s.workspace.allTrees()
}

func (s *Server) enter(state ServerState, reason error) {
	if s.state != state {
		s.since = time.Now()
	}
	s.state, s.reason = state, reason
}

// note records changes in a tree for the next flush. moved says that roots of some language have come or gone.
func (s *Server) note(t *Tree, changes []disk.Change, moved bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scopeChanges(t, changes, moved)
	s.moved = s.moved || moved
	was := s.unconfirmed[t]
	if moved {
		s.unconfirmed[t] = true
	}
	for _, c := range changes {
		if !s.Language.Heeds(c) {
			continue
		}
		s.unconfirmed[t] = true
		s.raced = s.raced || was && (c.Kind != disk.Changed || c.Replaced)
		if !s.Language.Reads(c.Path) {
			s.forgive()
		}
		s.pending[c.Path] = s.pending[c.Path].Then(c)
		s.names.drop()
		s.outlines.drop(c.Path)
	}
}

// hearsOf reports whether the session must hear of one of these changes.
func (s *Server) hearsOf(changes []disk.Change) bool {
	return slices.ContainsFunc(changes, s.Language.Heeds)
}

// Knows reports whether a session lives and has heard of all changes on the disk.
func (s *Server) Knows(live *session.Session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session == live && len(s.pending) == 0 && !s.moved
}

// isCaughtUp reports whether the session has looked at everything that it has heard of, and that is all there is. If a walk that
// begins then finds no change the disk was as it is now all the while.
func (s *Server) isCaughtUp() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session != nil && len(s.pending) == 0 && !s.moved && s.session.Progress.IsCaughtUp()
}

// confirm says that a tree has not changed while the session looked at it.
func (s *Server) confirm(t *Tree) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) == 0 && !s.moved {
		delete(s.unconfirmed, t)
	}
}

// Flush tells the session of everything that has changed on the disk.
func (s *Server) Flush(to *session.Session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != to {
		return nil
	}
	if s.moved {
		s.moved = false
		if s.outgrown(to) {
			s.part(to)
			return trustChanged{}
		}
		if err := s.move(to); err != nil {
			return err
		}
	}
	if len(s.pending) == 0 {
		return nil
	}
	changes := s.news()
	clear(s.pending)
	if s.Language.LinkedOnce && slices.ContainsFunc(changes, func(c disk.Change) bool { return c.Link }) {
		s.relink(to)
		return linkTurned{}
	}
	s.drafts.forget()
	// A file that was deleted and written again while the server was asked what it knows shows as changed only.
	if to.IsStructural(changes) || s.raced && s.Language.Probe != nil {
		defer to.Progress.ProbeAgain() // after the server has heard of them
	}
	what := session.Update{Changes: changes, Raced: s.raced, Entered: s.enteredLocked(), Outside: s.whyLocked}
	s.raced = false
	return to.Apply(what)
}

// news returns the changes that the session has not heard of. A changed file that the server had not when it was asked counts as
// created: it was gone for that moment.
func (s *Server) news() []disk.Change {
	changes := slices.Collect(maps.Values(s.pending))
	for i, c := range changes {
		if c.Kind == disk.Changed && s.unknown != nil && s.Language.Reads(c.Path) && s.unknown(c.Path) {
			changes[i].Kind = disk.Created
		}
	}
	return changes
}

// roots returns those of all the server's trees.
func (s *Server) roots() []string {
	var roots []string
	for _, t := range s.Trees() {
		roots = append(roots, t.Of(s.Language).Roots...)
	}
	return roots
}

// move tells the session which roots have come and gone.
func (s *Server) move(to *session.Session) error {
	come, gone := to.SetFolders(s.roots())
	if !s.Language.Folders || len(come)+len(gone) == 0 {
		return nil
	}
	s.names.drop()
	s.outlines.forget()
	to.Progress.MoveFolders(come, gone)
	if s.Language.Probe != nil {
		defer to.Progress.ProbeAgain() // after the server has heard of them
	}
	return to.Notify(protocol.MethodWorkspaceDidChangeWorkspaceFolders, map[string]any{
		"event": map[string]any{"added": session.WireFolders(come), "removed": session.WireFolders(gone)},
	})
}

// FlushOrStart tells the session what has changed, and starts one if there is none, without waiting for it. A server that
// was stopped because nobody asks stays so.
func (s *Server) FlushOrStart() {
	s.mu.Lock()
	live := s.session
	if live == nil && s.state != Idle {
		s.startLocked() // what goes wrong shows in the next View
	}
	s.mu.Unlock()
	if live != nil {
		s.Flush(live) // what goes wrong ends the session
	}
}

// close ends the session in steps and refuses any other.
func (s *Server) close(ctx context.Context) {
	s.mu.Lock()
	s.closed = true
	live := s.session
	s.enter(Stopped, nil)
	s.mu.Unlock()
	if live != nil {
		live.Stop(ctx, s.workspace.stopTimeouts)
	}
}
