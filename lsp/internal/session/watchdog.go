package session

import (
	"fmt"
	"sync"
	"time"
)

// patience is how many times the limit a server may send nothing while it reports a task, or while all who have asked
// still wait.
const patience = 2

// A watchdog measures for how long a server that has been asked sends nothing. Standard error does not count: it answers
// nobody. The unit is a tick of the project's guard. A late tick counts as one, because the machine may have slept, and the
// server with it. Safe for concurrent use.
type watchdog struct {
	mu       sync.Mutex // taken last
	requests int        // made since the server's last message
	ticks    int        // since the first of them
	givenUp  bool       // by one who made them
	since    int        // ticks since then
	messages int        // that the server has sent
}

// received returns how many messages the server has sent.
func (q *watchdog) received() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.messages
}

// state returns how many requests were made since the server's last message, and whether one of them was given up.
func (q *watchdog) state() (requests int, givenUp bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.requests, q.givenUp
}

// sent counts a request that is about to be sent.
func (q *watchdog) sent() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.requests++
}

// heard counts a message of the server, whichever it is.
func (q *watchdog) heard() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.messages++
	q.requests, q.ticks, q.givenUp, q.since = 0, 0, false, 0
}

// giveUp notes that a caller waits for its answer no longer. It has no effect if the server has sent something since.
func (q *watchdog) giveUp() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.givenUp = q.requests > 0
}

// tick counts a tick. It returns how many requests are unanswered since the server's last message, and how many whole ticks
// ago the first of them was made and one was first given up.
func (q *watchdog) tick() (requests, asked, givenUp int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.requests > 0 {
		q.ticks++
	}
	if q.givenUp {
		q.since++
	}
	return q.requests, q.ticks - 1, q.since - 1
}

// Hung counts a tick and returns why the session counts as hung, "" if it does not. A server that has never known the
// project is loading it and never counts as hung. limit is how long it may send nothing, 0 for any time; interval is the
// time between two ticks.
func (s *Session) Hung(limit, interval time.Duration) (reason string) {
	requests, asked, givenUp := s.wire.watchdog.tick()
	known, working := s.Progress.standing()
	if limit == 0 || !known {
		return ""
	}
	waiting := time.Duration(asked) * interval
	unheeded := !working && time.Duration(givenUp)*interval >= limit
	if !unheeded && waiting < patience*limit {
		return ""
	}
	waited := "a request"
	if requests > 1 {
		waited = fmt.Sprintf("%d requests", requests)
	}
	return fmt.Sprintf("it gave no sign of life for %v while %s waited", waiting, waited)
}

// standing reports whether the server has ever known a project, and whether it is in a task that it has told of.
func (p *Progress) standing() (known, working bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known = p.loads > 0 || p.answered > 0 || p.language.LoadTitle == "" && p.language.Probe == nil
	return known, len(p.running) > 0
}
