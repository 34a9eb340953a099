package lsp

import (
	"context"
	"errors"
	"time"

	"tidepool/lsp/internal/session"
)

// An attempt is one start of a server; done is closed when the result is there.
type attempt struct {
	done    chan struct{}
	session *session.Session
	err     error
}

// exitLimit is how many times in a row a server may end by itself, or hang, before it is given up for a while; one that
// lived for healthyAfter begins a new row.
const (
	exitLimit    = 5
	healthyAfter = time.Minute
	firstBackoff = 250 * time.Millisecond // before the second restart in a row; it doubles from there
	failedFor    = 5 * time.Minute        // a server given up is tried again, sooner if a manifest changes
)

// live returns the session, and starts one if there is none. ctx bounds the wait, not the start.
func (s *server) live(ctx context.Context) (*session.Session, error) {
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

func (s *server) startLocked() (*attempt, error) {
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
	s.project.running.Go(func() { s.run(path, start) })
	return start, nil
}

// programLocked finds the program, or says why there can be no session now.
func (s *server) programLocked() (path string, err error) {
	if s.closed {
		return "", errClosed
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
func (s *server) forgive() {
	if s.state == Failed {
		s.exits = 0
		s.enter(Backoff, s.reason)
	}
}

// obstacle returns why no session can be had, nil if there is one or may be.
func (s *server) obstacle() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil || s.attempt != nil {
		return nil
	}
	_, err := s.programLocked()
	return err
}

// root returns the directory that a session works in.
func (s *server) root() string {
	if s.tree == nil {
		return s.project.main.root
	}
	if roots := s.tree.of(s.language).roots; len(roots) == 1 {
		return roots[0]
	}
	return s.tree.root
}

// run is one session from its start to its end.
func (s *server) run(path string, start *attempt) {
	if err := s.takeSlot(); err != nil {
		s.begun(start, nil, errClosed)
		return
	}
	started, err := s.open(path)
	if !s.begun(start, started, err) {
		s.project.slots.leave(false)
		return
	}
	if s.language.Probe != nil {
		s.project.running.Go(started.RunProbe)
	}
	started.Wait(s.project.ladder)
	s.mu.Lock()
	promised := started.Retired() != nil
	if !promised {
		s.leaveLocked(started, s.ended(started.Ended(), started.Lived()))
	}
	started.Finish()
	s.mu.Unlock()
	s.project.slots.leave(promised)
}

// takeSlot waits until the server may run.
func (s *server) takeSlot() error {
	crowd := func(is bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.crowded = is
	}
	defer crowd(false)
	return s.project.slots.take(s.project.ctx, func() {
		crowd(true)
		s.project.makeRoom(s)
	})
}

// leaveLocked lets go of a session, for a reason.
func (s *server) leaveLocked(from *session.Session, reason error) {
	from.Retire(reason)
	s.session = nil
	s.names.forget()
	s.outlines.forget()
	s.drafts.forget()
}

// begun gives the result of a start to those who wait for it, and says whether there is a session to watch.
func (s *server) begun(start *attempt, started *session.Session, err error) bool {
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
	}
	s.session, start.session = started, started
	return true
}

// open waits out the backoff and starts a session. Whatever changes on the disk from here on is pending for it.
func (s *server) open(path string) (*session.Session, error) {
	ctx := s.project.ctx
	s.mu.Lock()
	wait := time.Until(s.earliest)
	if s.exits > 0 {
		s.restarts++
	}
	s.mu.Unlock()
	select {
	case <-time.After(max(0, wait)):
	case <-ctx.Done():
		return nil, errClosed
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

// launch returns what a session would be started with, but for what depends on its program.
func (s *server) launch() session.Launch {
	return session.Launch{
		Language: s.language, Dir: s.root(), Roots: s.roots(), Env: s.project.env, Host: s,
		Grace: s.project.grace, ErrorsKept: s.errorsKept(), ASCII: &s.project.plain, Ledger: s.project.ledger, Scratch: s.project.scratch,
	}
}

// launchOf returns how a session of a program is started. In a project that is not trusted it is restrained, and the program
// sees nothing on PATH that came with the project.
func (s *server) launchOf(path string) (session.Launch, error) {
	l := s.launch()
	l.Path, l.Trusted = path, s.trusted()
	if l.Trusted {
		return l, nil
	}
	l.Env = s.installed()
	if s.language.Restrain == nil {
		return l, nil
	}
	var err error
	l.Restraint, err = s.language.Restrain(l)
	return l, err
}

// fresh forgets what the next session will see for itself.
func (s *server) fresh() {
	for _, t := range s.trees() {
		t.sync()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.pending)
	s.moved, s.raced = false, false
	for _, t := range s.trees() {
		s.unconfirmed[t] = true
	}
}

// ended takes note of the end of a session and returns the reason as callers shall read it. Callers hold mu.
func (s *server) ended(reason error, lived time.Duration) error {
	if s.closed {
		return errClosed
	}
	if lived >= healthyAfter {
		s.exits = 0
	}
	s.exits++
	var exit *session.ExitError
	if errors.As(reason, &exit) {
		exit.Exits, exit.GaveUp = s.exits, s.exits >= exitLimit
	}
	if s.exits >= exitLimit {
		s.enter(Failed, reason)
		return reason
	}
	if s.exits > 1 {
		s.earliest = time.Now().Add(firstBackoff << (s.exits - 2))
	}
	s.enter(Backoff, reason)
	return reason
}
