package session

import (
	"fmt"
	"sync"
	"time"
)

// patientSilences is how many times as long it may say nothing in a task that it has told of, or while all who have asked
// still wait.
const patientSilences = 2

// A watchdog is the time in which nothing comes from a server that has been asked; what it writes to its standard error
// answers nobody. It is counted in pulses of the project's guard, each of which is one however late it comes: the machine
// may have slept, and the server with it. Safe for concurrent use.
type watchdog struct {
	mu       sync.Mutex // taken last
	requests int        // made since the server last said anything
	pulses   int        // since the first of them
	givenUp  bool       // by one who made them
	since    int        // pulses since then
	messages int        // that the server has sent
}

// received returns how many messages the server has sent.
func (q *watchdog) received() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.messages
}

// state returns how many requests were made since the server last said anything, and whether one of them was given up.
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

// heard takes note of a message of the server, whichever it is.
func (q *watchdog) heard() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.messages++
	q.requests, q.pulses, q.givenUp, q.since = 0, 0, false, 0
}

// giveUp says that somebody waits for an answer no longer. It means nothing if the server has said something since.
func (q *watchdog) giveUp() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.givenUp = q.requests > 0
}

// beat counts a pulse. It returns how many requests have met with silence, and how many whole pulses ago the first of
// them was made and one was first given up.
func (q *watchdog) beat() (requests, asked, givenUp int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.requests > 0 {
		q.pulses++
	}
	if q.givenUp {
		q.since++
	}
	return q.requests, q.pulses - 1, q.since - 1
}

// Hung counts a pulse and says why the session counts as hung, "" if it does not. One that has never known the project
// is loading it: it never does.
func (s *Session) Hung(silence, pulse time.Duration) (reason string) {
	requests, asked, givenUp := s.wire.watchdog.beat()
	known, working := s.Progress.standing()
	if silence == 0 || !known {
		return ""
	}
	silent := time.Duration(asked) * pulse
	unheeded := !working && time.Duration(givenUp)*pulse >= silence
	if !unheeded && silent < patientSilences*silence {
		return ""
	}
	waited := "a request"
	if requests > 1 {
		waited = fmt.Sprintf("%d requests", requests)
	}
	return fmt.Sprintf("it gave no sign of life for %v while %s waited", silent, waited)
}

// standing reports whether the server has ever known a project, and whether it is in a task that it has told of.
func (p *Progress) standing() (known, working bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known = p.loads > 0 || p.answered > 0 || p.language.LoadTitle == "" && p.language.Probe == nil
	return known, len(p.running) > 0
}
