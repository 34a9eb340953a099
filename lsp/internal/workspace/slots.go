package workspace

import (
	"context"
	"sync"
)

// DefaultProcessLimit is how many servers run at the same time, unless told otherwise.
const DefaultProcessLimit = 8

// slots bound how many servers run at the same time. Safe for concurrent use.
type slots struct {
	limit int

	mu      sync.Mutex
	taken   int
	waiting int           // servers that want a slot
	leaving int           // servers that are about to give theirs back
	changed chan struct{} // closed and replaced at every change
}

func newSlots(limit int) *slots { return &slots{limit: limit, changed: make(chan struct{})} }

// take waits for a slot, which leave gives back. When too few are about to be given back it calls makeRoom, again
// after every change.
func (p *slots) take(ctx context.Context, makeRoom func()) error {
	p.update(func() { p.waiting++ })
	defer p.update(func() { p.waiting-- })
	for {
		p.mu.Lock()
		if p.taken < p.limit {
			p.taken++
			p.mu.Unlock()
			return nil
		}
		changed, crowded := p.changed, p.waiting > p.leaving
		p.mu.Unlock()
		if crowded {
			makeRoom()
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// promise says that a slot will be given back soon.
func (p *slots) promise() { p.update(func() { p.leaving++ }) }

// leave gives a slot back, promised or not.
func (p *slots) leave(promised bool) {
	p.update(func() {
		p.taken--
		if promised {
			p.leaving--
		}
	})
}

// stir has those who wait for a slot look again whether room can be made.
func (p *slots) stir() { p.update(func() {}) }

func (p *slots) update(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	close(p.changed)
	p.changed = make(chan struct{})
}
