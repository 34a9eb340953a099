package lsp

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
)

// A server keeps one language served: it starts sessions, one after the other, and holds what the next query
// must tell the present one first.
// Goroutines: run (one per session, while it lives), counted by the project.
type server struct {
	language *Language
	project  *Project

	mu       sync.Mutex
	state    ServerState
	since    time.Time
	reason   error                              // why there is no session: missing, ended, failed
	attempt  *attempt                           // the start that is under way, or nil
	session  *session                           // the one that lives, or nil
	pending  map[string]protocol.FileChangeType // changes on the disk that the session has not heard of
	exits    int                                // sessions in a row that ended by themselves
	restarts int                                // sessions started after the first
	earliest time.Time                          // when the next one may start
	scope    scope
	names    names
	closed   bool
}

// An attempt is one start of a server; done is closed when the result is there.
type attempt struct {
	done    chan struct{}
	session *session
	err     error
}

// exitLimit is how many times in a row a server may end by itself before it is given up; one that lived for
// healthyAfter begins a new row.
const (
	exitLimit    = 5
	healthyAfter = time.Minute
	firstBackoff = 250 * time.Millisecond // before the second restart in a row; it doubles from there
)

func newServer(p *Project, language *Language) *server {
	return &server{language: language, project: p, state: Starting, since: time.Now(),
		pending: map[string]protocol.FileChangeType{}}
}

// live returns the session, and starts one if there is none. ctx bounds the wait, not the start.
func (s *server) live(ctx context.Context) (*session, error) {
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
	switch {
	case s.closed:
		return nil, errClosed
	case s.attempt != nil:
		return s.attempt, nil
	case s.state == Failed:
		return nil, s.reason
	}
	path, err := lookup(*s.language, s.project.root, s.project.env)
	if err != nil {
		s.enter(Missing, err)
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

// run is one session from its start to its end.
func (s *server) run(path string, start *attempt) {
	started, err := s.open(path)
	if !s.begun(start, started, err) {
		return
	}
	born := time.Now()
	if s.language.Probe != nil {
		s.project.running.Go(started.probe)
	}
	started.watch(s.project.ladder)
	started.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = nil
	s.names.forget()
	started.err = s.ended(started.explain(started.conn.Err()), time.Since(born))
	close(started.gone)
}

// begun gives the result of a start to those who wait for it, and says whether there is a session to watch.
func (s *server) begun(start *attempt, started *session, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(start.done)
	s.attempt = nil
	if err != nil {
		start.err = s.ended(err, 0)
		return false
	}
	if s.closed { // too late for close to have seen it
		started.process.kill()
	} else {
		s.enter(Ready, nil)
	}
	s.session, start.session = started, started
	return true
}

// open waits out the backoff and starts a session. Whatever changes on the disk from here on is pending for it.
func (s *server) open(path string) (*session, error) {
	ctx := s.project.ctx
	s.mu.Lock()
	wait := time.Until(s.earliest)
	again := s.exits > 0
	s.mu.Unlock()
	select {
	case <-time.After(max(0, wait)):
	case <-ctx.Done():
		return nil, errClosed
	}
	s.mu.Lock()
	if again {
		s.restarts++
	}
	s.enter(Starting, nil)
	s.mu.Unlock()
	s.project.sync(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		clear(s.pending)
	})
	return openSession(ctx, path, s)
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
	var exit *ExitError
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

func (s *server) enter(state ServerState, reason error) {
	if s.state != state {
		s.since = time.Now()
	}
	s.state, s.reason = state, reason
}

// note records changes on the disk for the next flush. files yields all files that are there now.
func (s *server) note(changes []change, files iter.Seq[string]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scopeChanges(changes, files)
	for _, c := range changes {
		if s.hears(c.path) {
			s.pending[c.path] = together(s.pending[c.path], c.kind)
			s.names.forget()
		}
	}
}

// reads says whether path is a source file of the language.
func (s *server) reads(path string) bool {
	return slices.Contains(s.language.Extensions, filepath.Ext(path))
}

// hears says whether the server must be told when path changes.
func (s *server) hears(path string) bool {
	return s.reads(path) || named(s.language.Manifests, filepath.Base(path))
}

// flush tells the session of everything that has changed on the disk.
func (s *server) flush(to *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) == 0 || s.session != to {
		return nil
	}
	changes := make([]change, 0, len(s.pending))
	events := make([]protocol.FileEvent, 0, len(s.pending))
	for path, kind := range s.pending {
		changes = append(changes, change{path, kind})
		events = append(events, protocol.FileEvent{URI: wireURI(path), Type: kind})
	}
	clear(s.pending)
	if to.structural(changes) {
		defer to.progress.probeAgain() // after the server has heard of them
	}
	if s.language.Changed != nil {
		return s.language.Changed(to, changes)
	}
	if err := to.refresh(changes); err != nil {
		return err
	}
	to.progress.notify(true)
	return to.tell(protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: events})
}

// cover takes note of what the session knows of the project.
func (s *server) cover(known coverage) {
	s.project.walking.Lock()
	defer s.project.walking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names.forget()
	s.classifyAll(known.outside, s.project.disk.top.all)
}

// current returns the session, told of everything that has changed on the disk.
func (s *server) current(ctx context.Context) (*session, error) {
	live, err := s.live(ctx)
	if err != nil {
		return nil, err
	}
	if err = s.flush(live); err == nil {
		err = live.onDisk()
	}
	return live, live.because(ctx, err)
}

// await waits until the session knows the whole project, or ctx ends. If the session turns out to have died
// before we came it does so with the next one.
func (s *server) await(ctx context.Context) error {
	s.mu.Lock()
	found := s.session != nil
	s.mu.Unlock()
	err := s.settle(ctx)
	var exit *ExitError
	if found && errors.As(err, &exit) && !exit.GaveUp {
		return s.settle(ctx)
	}
	return err
}

func (s *server) settle(ctx context.Context) error {
	live, err := s.current(ctx)
	if err != nil {
		return err
	}
	return live.idle(ctx)
}

// nudge tells the session what has changed, and starts one if there is none, without waiting for it.
func (s *server) nudge() {
	s.mu.Lock()
	live := s.session
	if live == nil {
		s.startLocked() // what goes wrong shows in the next View
	}
	s.mu.Unlock()
	if live != nil {
		s.flush(live) // what goes wrong ends the session
	}
}

// close ends the session by the ladder and refuses any other.
func (s *server) close(ctx context.Context) {
	s.mu.Lock()
	s.closed = true
	live := s.session
	s.enter(Stopped, nil)
	s.mu.Unlock()
	if live != nil {
		live.stop(ctx, s.project.ladder)
	}
}

// sources are the project's source files of the language, sorted, as of the last walk.
func (s *session) sources() []string {
	p := s.server.project
	p.walking.Lock()
	defer p.walking.Unlock()
	var paths []string
	for path := range p.disk.top.all {
		if s.server.reads(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// folders are the directories that the server serves.
func (s *session) folders() []string { return []string{s.root} }
