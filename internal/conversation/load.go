package conversation

import (
	"context"
	"sync"
	"time"

	"tidepool/internal/conversation/store"
)

const (
	// loadWait is how long a question waits for the index. One that is not complete yet answers what it has.
	loadWait = 2 * time.Second
	// loadIdle is how long after the last question the index leaves the memory.
	loadIdle = 30 * time.Minute
	// loadSave is how many turns a snapshot may lack when the index is dropped. A load indexes some 20,000 a second.
	loadSave = 500
)

// A loading is the index in memory, or on its way there. Archive.mu guards all but work.
type loading struct {
	index *index
	ready chan struct{} // closed when the index has seen the whole store once, or failed
	err   error         // why it failed; valid when ready is closed
	drop  *time.Timer
	work  sync.WaitGroup // the goroutine that loads
}

// ready returns the index, brought up to date, and which share of the store it has seen: 1 is all of it.
func (a *Archive) ready(ctx context.Context, s *store.Store) (x *index, share float64, err error) {
	x, ready, err := a.load(s)
	if err != nil {
		return nil, 0, err
	}
	wait := time.NewTimer(loadWait)
	defer wait.Stop()
	select {
	case <-ready:
	case <-wait.C:
		share, err := x.share(ctx, s)
		return x, share, err
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	a.mu.Lock()
	err = a.loaded.err
	a.mu.Unlock()
	if err != nil {
		return nil, 0, err
	}
	ok, err := x.follow(ctx, s, a.checkout)
	if err == nil && !ok {
		a.forgetIndex(x)
		return a.ready(ctx, s)
	}
	return x, 1, err
}

// load begins to load the index unless it is there, and puts off its end.
func (a *Archive) load(s *store.Store) (x *index, ready chan struct{}, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, nil, errClosed
	}
	l := &a.loaded
	idle := a.options.Idle
	if idle == 0 {
		idle = loadIdle
	}
	if l.index != nil {
		l.drop.Reset(idle)
		return l.index, l.ready, nil
	}
	x = newIndex()
	l.index, l.ready, l.err = x, make(chan struct{}), nil
	l.drop = time.AfterFunc(idle, func() { a.forgetIndex(x) })
	l.work.Add(1)
	go a.fill(x, s, l.ready)
	return x, l.ready, nil
}

// fill is the goroutine that loads an index.
func (a *Archive) fill(x *index, s *store.Store, ready chan struct{}) {
	defer a.loaded.work.Done()
	defer close(ready)
	err := x.load(a.life, s)
	if err == nil {
		var ok bool
		if ok, err = x.follow(a.life, s, a.checkout); err == nil && !ok { // the snapshot is too old, or shows what was forgotten
			x.restart()
			_, err = x.follow(a.life, s, a.checkout)
		}
	}
	if err == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.loaded.index == x {
		a.loaded.err = err
		a.drop()
	}
}

// forgetIndex drops an index. The next question loads it again.
func (a *Archive) forgetIndex(x *index) {
	a.mu.Lock()
	k, is := a.keeper, a.loaded.index == x
	a.mu.Unlock()
	if is && k != nil {
		k.save(x)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.loaded.index == x {
		a.drop()
	}
}

// drop drops the index. mu is held.
func (a *Archive) drop() {
	if a.loaded.drop != nil {
		a.loaded.drop.Stop()
	}
	a.loaded.index, a.loaded.drop = nil, nil
}

// current returns the index if it is in memory and complete, else nil.
func (a *Archive) current() *index {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.loaded.index == nil || a.loaded.err != nil {
		return nil
	}
	select {
	case <-a.loaded.ready:
		return a.loaded.index
	default:
		return nil
	}
}

// share returns how much of the store's turns an index has that is being loaded, from 0 to 1.
func (x *index) share(ctx context.Context, s *store.Store) (float64, error) {
	c, err := s.Counts(ctx)
	if err != nil || c.Turns == 0 {
		return 0, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return min(float64(x.found)/float64(c.Turns), 0.99), nil
}
