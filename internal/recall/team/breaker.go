package team

import (
	"sync"
	"time"
)

// How long nobody asks after a failure. It doubles with each further one.
const (
	firstPause   = 30 * time.Second
	longestPause = 10 * time.Minute
)

// A breaker keeps a server that is away from costing each prompt its patience. It is closed at first. A failure opens it for a pause, after
// which one request tries for all.
type breaker struct {
	name string // of the database, for people
	now  func() time.Time

	mu       sync.Mutex // guards what follows
	failures int        // in a row; 0: closed
	trying   bool       // a request is at work after the pause
	away     AwayError  // why it is open
	since    time.Time  // of the first failure
	answered time.Time  // the last time that the server did; zero: never
}

// enter reports whether a request may run: a *AwayError if not. Who may calls leave.
func (b *breaker) enter() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures == 0 {
		return nil
	}
	if b.trying || b.now().Before(b.away.Again) {
		return b.copy()
	}
	b.trying = true
	return nil
}

// leave notes how a request ended.
func (b *breaker) leave(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.trying = false
	if !isAway(err) {
		b.failures, b.answered = 0, now
		return
	}
	if b.failures > 0 && now.Before(b.away.Again) {
		return // two requests have met the same failure
	}
	if b.failures == 0 {
		b.since = now
	}
	pause := min(firstPause<<min(b.failures, 8), longestPause)
	b.failures++
	b.away = AwayError{Name: b.name, Why: why(err), Again: now.Add(pause)}
}

// state returns the *AwayError of an open breaker.
func (b *breaker) state() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.copy()
}

func (b *breaker) copy() error {
	away := b.away
	return &away
}
