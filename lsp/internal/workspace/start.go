package workspace

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tidepool/lsp/internal/session"
)

// An attempt is one start of a server; done is closed when the result is there.
type attempt struct {
	done    chan struct{}
	session *session.Session
	err     error
}

// ExitLimit is how many times in a row a server may end by itself, or hang, before it is given up for a while; one that
// lived for healthyAfter begins a new row.
const (
	ExitLimit    = 5
	healthyAfter = time.Minute
	firstBackoff = 250 * time.Millisecond // before the second restart in a row; it doubles from there
	failedFor    = 5 * time.Minute        // a server given up is tried again, sooner if a manifest changes
)

// Live returns the session, and starts one if there is none. ctx bounds the wait, not the start.
func (s *Server) Live(ctx context.Context) (*session.Session, error) {
	s.mu.Lock()
	if s.session != nil {
		defer s.mu.Unlock()
		return s.session, nil
	}
	start, err := s.startLocked()
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case <-start.done:
		return start.session, start.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (s *Server) startLocked() (*attempt, error) {
	if s.attempt != nil {
		return s.attempt, nil
	}
	path, err := s.programLocked()
	if err != nil {
		return nil, err
	}
	start := &attempt{done: make(chan struct{})}
	s.attempt = start
	if s.state != Backoff {
		s.enter(Starting, nil)
	}
	s.workspace.running.Go(func() { s.run(path, start) })
	return start, nil
}

// programLocked finds the program, or says why there can be no session now.
func (s *Server) programLocked() (path string, err error) {
	if s.closed {
		return "", ErrClosed
	}
	if s.state == Failed {
		if time.Since(s.since) < failedFor {
			return "", s.reason
		}
		s.forgive()
	}
	path, err = s.find()
	var untrusted *session.UntrustedError
	switch {
	case errors.As(err, &untrusted):
		s.enter(Untrusted, err)
	case err != nil:
		s.enter(Missing, err)
	}
	return path, err
}

// forgive has a server that was given up start again with the next question. Callers hold mu.
func (s *Server) forgive() {
	if s.state == Failed {
		s.exits = 0
		s.enter(Backoff, s.reason)
	}
}

// Obstacle returns why no session can be had, nil if there is one or may be.
func (s *Server) Obstacle() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil || s.attempt != nil {
		return nil
	}
	_, err := s.programLocked()
	return err
}

// root returns the directory that a session works in.
func (s *Server) root() string {
	if s.tree == nil {
		return s.workspace.Main.Root
	}
	if roots := s.tree.Of(s.Language).Roots; len(roots) == 1 {
		return roots[0]
	}
	return s.tree.Root
}

// run is one session from its start to its end.
func (s *Server) run(path string, start *attempt) {
	if err := s.takeSlot(); err != nil {
		s.begun(start, nil, ErrClosed)
		return
	}
	started, err := s.open(path)
	if !s.begun(start, started, err) {
		s.workspace.slots.leave(false)
		return
	}
	if s.Language.Probe != nil {
		s.workspace.running.Go(started.RunProbe)
	}
	started.Wait(s.workspace.stopTimeouts)
	s.mu.Lock()
	promised := started.Retired() != nil
	if !promised {
		s.leaveLocked(started, s.ended(started.Ended(), started.Lived()))
	}
	started.Finish()
	s.mu.Unlock()
	s.workspace.slots.leave(promised)
}

// takeSlot waits until the server may run.
func (s *Server) takeSlot() error {
	crowd := func(is bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.crowded = is
	}
	defer crowd(false)
	return s.workspace.slots.take(s.workspace.ctx, func() {
		crowd(true)
		s.workspace.makeRoom(s)
	})
}

// leaveLocked lets go of a session, for a reason.
func (s *Server) leaveLocked(from *session.Session, reason error) {
	from.Retire(reason)
	s.session = nil
	s.memory.end()
	s.names.drop()
	s.outlines.forget()
	s.drafts.forget()
}

// begun gives the result of a start to those who wait for it, and says whether there is a session to watch.
func (s *Server) begun(start *attempt, started *session.Session, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(start.done)
	s.attempt = nil
	if err != nil {
		start.err = s.ended(err, 0)
		return false
	}
	if s.closed { // too late for close to have seen it
		started.Kill()
	} else {
		s.enter(Ready, nil)
		if s.exits > 0 {
			s.report(Event{What: "started again"})
		}
	}
	s.session, start.session = started, started
	return true
}

// open waits out the backoff and starts a session. Whatever changes on the disk from here on is pending for it.
func (s *Server) open(path string) (*session.Session, error) {
	ctx := s.workspace.ctx
	s.mu.Lock()
	wait := time.Until(s.earliest)
	if s.exits > 0 {
		s.restarts++
	}
	s.mu.Unlock()
	select {
	case <-time.After(max(0, wait)):
	case <-ctx.Done():
		return nil, ErrClosed
	}
	s.mu.Lock()
	s.enter(Starting, nil)
	s.mu.Unlock()
	s.fresh()
	l, err := s.launchOf(path)
	if err != nil {
		return nil, err
	}
	return session.Open(ctx, l)
}

// launch returns what a session would be started with, but for what depends on its program and what it is told of memory.
func (s *Server) launch() session.Launch {
	return session.Launch{
		Language: s.Language, Dir: s.root(), Roots: s.roots(), Env: s.workspace.env, Host: s,
		Grace: s.workspace.grace, ErrorsKept: s.errorsKept(), NonASCII: &s.workspace.NonASCII, Ledger: s.workspace.ledger, Scratch: s.workspace.scratch,
	}
}

// launchOf returns how a session of a program is started. In a project that is not trusted it is restrained, and the program
// sees nothing on PATH that came with the project.
func (s *Server) launchOf(path string) (session.Launch, error) {
	l := s.launch()
	l.Path, l.Trusted, l.Memory = path, s.trusted(), s.memoryTold()
	if l.Trusted {
		return l, nil
	}
	l.Env = s.installed()
	if s.Language.Restrain == nil {
		return l, nil
	}
	var err error
	l.Restraint, err = s.Language.Restrain(l)
	return l, err
}

// fresh forgets what the next session will see for itself.
func (s *Server) fresh() {
	for _, t := range s.Trees() {
		t.Sync()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.pending)
	s.moved, s.raced = false, false
	for _, t := range s.Trees() {
		s.unconfirmed[t] = true
	}
}

// report reports what became of the server. Callers hold mu.
func (s *Server) report(e Event) {
	e.Language, e.Tree, e.Drafts = s.Language.ID, s.treeRoot(), s.drafts != nil
	s.workspace.events(e)
}

// endOf says that a server has ended so many times. Why is in its status: it may quote what the server wrote.
func endOf(exits int) string {
	if exits >= ExitLimit {
		return fmt.Sprintf("ended by itself %d times and is not started again: agent status says why", exits)
	}
	return "ended by itself; the next question starts it again"
}

// ended takes note of the end of a session and returns the reason as callers shall read it. Callers hold mu.
func (s *Server) ended(reason error, lived time.Duration) error {
	if s.closed {
		return ErrClosed
	}
	if lived >= healthyAfter {
		s.exits = 0
	}
	s.exits++
	var exit *session.ExitError
	if errors.As(reason, &exit) {
		exit.Exits, exit.GaveUp = s.exits, s.exits >= ExitLimit
	}
	s.report(Event{Ended: true, GaveUp: s.exits >= ExitLimit, What: endOf(s.exits)})
	if s.exits >= ExitLimit {
		s.enter(Failed, reason)
		return reason
	}
	if s.exits > 1 {
		s.earliest = time.Now().Add(firstBackoff << (s.exits - 2))
	}
	s.enter(Backoff, reason)
	return reason
}
