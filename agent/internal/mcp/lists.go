package mcp

import "sync"

// A list is a set of lists of the daemon, beside that of the tools, whose changes a
// client can learn of.
type list uint8

const (
	prompts list = 1 << iota
	resources
)

// changed returns the notification that a list has changed.
func (l list) changed() string {
	if l == prompts {
		return "notifications/prompts/list_changed"
	}
	return "notifications/resources/list_changed"
}

// lists records which lists the client has asked for. A list is stale if the daemon
// did not answer, or if another daemon runs now.
type lists struct {
	mu       sync.Mutex
	attached bool // a daemon runs
	came     bool // one ran before, or runs
	asked    list
	stale    list
}

// ask notes that the client asks for a list. What it gets is not stale, unless the
// daemon goes meanwhile.
func (l *lists) ask(which list) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked |= which
	l.stale &^= which
}

// expect notes that the client wants to learn of changes from now on, such as the
// first daemon.
func (l *lists) expect(which list) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked |= which
	if !l.attached {
		l.stale |= which
	}
}

// daemonCame notes that a daemon runs.
func (l *lists) daemonCame() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attached, l.came = true, true
}

// miss notes that the client did not get a list.
func (l *lists) miss(which list) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stale |= which
}

// hadDaemon reports whether a daemon has run.
func (l *lists) hadDaemon() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.came
}

// daemonGone notes that the next daemon may have other lists.
func (l *lists) daemonGone() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attached, l.stale = false, l.asked
}

// takeStale returns which of the lists are stale and forgets that they are. Without a
// daemon none is: the client would get nothing.
func (l *lists) takeStale(of list) list {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.attached {
		return 0
	}
	stale := l.stale & of
	l.stale &^= of
	return stale
}

// announceLists notifies the client of lists that may have changed: in the legacy era
// of each, in the modern era of those that a listener wants.
func (s *server) announceLists() {
	initialized, listeners := s.readers()
	var wanted list
	if initialized {
		wanted = prompts | resources
	}
	for _, l := range listeners {
		wanted |= l.lists
	}
	stale := s.lists.takeStale(wanted)
	for _, which := range []list{prompts, resources} {
		if stale&which != 0 {
			s.announce(which, initialized, listeners)
		}
	}
}

func (s *server) announce(which list, initialized bool, listeners []listener) {
	if initialized {
		s.notify(which.changed(), nil)
	}
	for _, l := range listeners {
		if l.lists&which != 0 {
			s.notify(which.changed(), subscriptionParams{Meta: l.meta()})
		}
	}
}

// readers returns who receives notifications of changes.
func (s *server) readers() (initialized bool, listeners []listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.initialized, append(listeners, s.listeners...)
}
