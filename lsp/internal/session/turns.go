package session

import (
	"context"
	"sync"
)

// turns keep those apart who ask a server that takes turns about different texts. Questions about the disk go together. Of
// clients one has a turn at a time, and the server to itself if its texts are not those of the disk. Who has waited too
// long goes ahead, and may be answered by other texts. Safe for concurrent use.
type turns struct {
	mu      sync.Mutex
	asking  int           // questions about the disk that are not answered
	taken   bool          // by a client
	alone   bool          // taken, for texts that are not those of the disk
	waiting int           // clients with such texts that wait: no question about the disk comes before them
	overdue bool          // one of these has been waited for in vain
	changed chan struct{} // closed and replaced at every change
}

func newTurns() *turns { return &turns{changed: make(chan struct{})} }

// question begins a question about the disk. end must be called when it is answered.
func (t *turns) question(ctx context.Context) (end func()) {
	waited := t.await(ctx, func() bool { return t.overdue || !t.alone && t.waiting == 0 })
	t.update(func() {
		t.asking++
		t.overdue = t.overdue || !waited
	})
	return func() { t.update(func() { t.asking-- }) }
}

// Take gives a client the turn unless ctx ends first. release must be called when it is over. alone says that its texts
// are not those of the disk.
func (t *turns) Take(ctx context.Context, alone bool) (release func(), ok bool) {
	if alone {
		t.update(func() { t.waiting++ })
		defer t.update(func() { t.waiting--; t.overdue = false })
	}
	if !t.await(ctx, func() bool { return t.grant(alone) }) {
		return func() {}, false
	}
	return t.release, true
}

// Try is take without waiting.
func (t *turns) Try(alone bool) (release func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.release, t.grant(alone)
}

// IsAwaited reports whether a client waits for the turn with texts that are not those of the disk.
func (t *turns) IsAwaited() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.waiting > 0
}

// grant gives the turn if it can be had. Callers hold mu.
func (t *turns) grant(alone bool) bool {
	if t.taken || alone && t.asking > 0 {
		return false
	}
	t.taken, t.alone = true, alone
	return true
}

func (t *turns) release() { t.update(func() { t.taken, t.alone, t.overdue = false, false, false }) }

// await calls try until it returns true or ctx ends. try runs with mu held.
func (t *turns) await(ctx context.Context, try func() bool) bool {
	for {
		t.mu.Lock()
		ok, changed := try(), t.changed
		t.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

func (t *turns) update(change func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change()
	close(t.changed)
	t.changed = make(chan struct{})
}

// Turn begins a question about the files as they are on the disk. It waits for a client's turn to end, for as long as a
// server may leave a request without an answer.
func (s *Session) Turn(ctx context.Context) (end func()) {
	if !s.Language.TakesTurns() || s.wire.intercepting() == nil || ctx.Value(noText{}) != nil {
		return func() {}
	}
	bounded, cancel := context.WithTimeout(ctx, s.Grace)
	defer cancel()
	return s.Turns.question(bounded)
}
