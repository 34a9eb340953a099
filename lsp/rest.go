package lsp

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// limits are what servers may cost while nobody asks them, and how long they may leave those who do without an answer.
type limits struct {
	idle   time.Duration // 0: for ever
	draft  time.Duration // the same, of one for drafts
	memory int64         // bytes; 0: any

	silence time.Duration // of one that hangs; 0: any
	pulse   time.Duration // how often all this is looked at
}

// defaultPulse is how often memory, idleness and silence are looked at.
const defaultPulse = 10 * time.Second

// An Event is what became of a server without anybody asking.
type Event struct {
	Language string // ID
	Tree     string // the directory that it serves; "": all of the project's
	Drafts   bool   // it is one for drafts
	What     string // one line: "stopped: nobody has asked for 30m0s"
}

// guard looks after what servers cost, and whether they live, until the project is closed.
func (p *Project) guard() {
	ticks := time.NewTicker(p.limits.pulse)
	defer ticks.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-ticks.C:
		}
		p.weigh()
		for _, s := range p.allServers() {
			s.revive(p.limits)
			s.restrain(p.limits)
		}
		p.dropTrees()
	}
}

// restrain stops a server that nobody needs and restarts one that has grown too much, if nobody waits for it.
func (s *server) restrain(limits limits) {
	s.mu.Lock()
	unasked, memory := time.Since(s.asked), s.memory
	s.mu.Unlock()
	idle := limits.idle
	if s.drafts != nil {
		idle = limits.draft
	}
	switch {
	case idle > 0 && unasked > idle:
		s.rest(fmt.Sprintf("stopped: nobody has asked for %v", idle))
	case limits.memory > 0 && memory > limits.memory:
		s.shrink(fmt.Sprintf("it occupied %d MB, more than the limit of %d MB", memory>>20, limits.memory>>20))
	}
}

// shrink restarts a server that has grown too much, for a reason; one for drafts starts with the next of them.
func (s *server) shrink(reason string) {
	if s.drafts != nil {
		s.rest("stopped: " + reason)
		return
	}
	if s.rest("restarted: " + reason) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.restarts++
		s.startLocked()
	}
}

var errResting = errors.New("the language server was stopped to save memory; ask again")

// rest stops the session unless somebody waits for an answer of it, and says whether it has. The next question starts
// another one.
func (s *server) rest(what string) bool {
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

// retire lets go of the session for a reason and ends it by the ladder. Callers hold mu.
func (s *server) retire(live *session.Session, reason error, what string) {
	s.leaveLocked(live, reason)
	s.project.slots.promise()
	s.what = what
	s.memory = 0
	s.project.running.Go(func() { live.Stop(s.project.ctx, s.project.ladder) })
	s.project.events(Event{Language: s.language.ID, Tree: s.treeRoot(), Drafts: s.drafts != nil, What: what})
}

// rests reports whether the server was stopped and nobody has asked since.
func (s *server) rests() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session == nil && s.attempt == nil && s.state == Idle && s.what != ""
}

// hold keeps the server from being stopped until release is called, and counts as a need of it.
func (s *server) hold() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holds++
	s.asked = time.Now()
	return func() {
		s.mu.Lock()
		s.holds--
		s.asked = time.Now()
		s.mu.Unlock()
		s.project.slots.stir()
	}
}

// makeRoom stops the server that nobody has asked for the longest time, so that another one can run. It does nothing
// while somebody waits for each of them.
func (p *Project) makeRoom(newcomer *server) {
	var oldest *server
	var since time.Time
	for _, s := range p.allServers() {
		if at, ok := s.spare(); ok && s != newcomer && (oldest == nil || at.Before(since)) {
			oldest, since = s, at
		}
	}
	if oldest != nil {
		oldest.rest(fmt.Sprintf("stopped to make room for %s: at most %d language servers run", newcomer.name(), p.slots.limit))
	}
}

// spare reports whether the server runs and nobody waits for it, and since when nobody has asked.
func (s *server) spare() (asked time.Time, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked, s.session != nil && s.holds == 0
}

// name returns what people call the server.
func (s *server) name() string {
	program := s.language.Program()
	if s.drafts != nil {
		program += " for drafts"
	}
	if s.tree == nil || s.tree == s.project.main {
		return program
	}
	return program + " of " + s.tree.root
}

// treeRoot returns the directory that the server serves, "" if it serves all.
func (s *server) treeRoot() string {
	if s.tree == nil {
		return ""
	}
	return s.tree.root
}

// dropTrees lets go of worktrees that are gone or that nobody has asked about for long.
func (p *Project) dropTrees() {
	for _, t := range p.allTrees() {
		t.mu.Lock()
		idle := p.limits.idle > 0 && time.Since(t.asked) > p.limits.idle
		t.mu.Unlock()
		if t != p.main && (idle || !disk.IsDir(t.root)) {
			p.drop(t)
		}
	}
}

// drop closes a tree.
func (p *Project) drop(t *tree) {
	p.mu.Lock()
	p.trees = slices.DeleteFunc(p.trees, func(other *tree) bool { return other == t })
	var own, shared []*server
	for _, s := range p.servers {
		switch s.tree {
		case t:
			own = append(own, s)
		case nil:
			shared = append(shared, s)
		}
	}
	p.servers = slices.DeleteFunc(p.servers, func(s *server) bool { return s.tree == t })
	p.mu.Unlock()
	for _, s := range own {
		p.running.Go(func() { s.close(p.ctx) })
	}
	for _, s := range shared {
		s.leaveTree(t)
	}
	t.close()
}

// leaveTree tells the session that a tree is not asked about any more.
func (s *server) leaveTree(t *tree) {
	s.mu.Lock()
	delete(s.scopes, t)
	delete(s.unconfirmed, t)
	s.moved = true
	live := s.session
	s.mu.Unlock()
	if live != nil {
		s.flush(live) // what goes wrong ends the session
	}
}
