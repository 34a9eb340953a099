package searchnote

import (
	"context"
	"slices"
	"sync"
	"time"

	"tidepool/internal/session"
)

const (
	maxLookups = 4                // that run at once: a client's parallel searches
	maxKept    = 16               // that are kept for hooks to come; with more, the oldest is dropped
	maxLookup  = 10 * time.Second // that one may run
	maxLate    = time.Minute      // that a note may come after its lookup began
)

// A lookup is that of the symbols of one search.
type lookup struct {
	search Search
	asker  session.ID
	use    string // the id of the tool's use
	late   bool   // the hook after the search has not waited any longer
	begun  time.Time

	cancel context.CancelFunc
	done   chan struct{} // closed when found is set
	found  Description
}

// drop ends a lookup that nobody waits for. That of nil does nothing.
func (l *lookup) drop() {
	if l != nil {
		l.cancel()
	}
}

// isDone reports whether there is an answer.
func (l *lookup) isDone() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// lookups are those that run, and those that are kept for hooks to come. Safe for concurrent use.
type lookups struct {
	ctx     context.Context // ends with close
	cancel  context.CancelFunc
	running chan struct{}  // holds an element for each that runs
	rest    sync.WaitGroup // the goroutines of them, and of hooks that wait

	mu   sync.Mutex
	kept []*lookup // the oldest first
}

func newLookups() *lookups {
	ctx, cancel := context.WithCancel(context.Background())
	return &lookups{ctx: ctx, cancel: cancel, running: make(chan struct{}, maxLookups)}
}

// close ends all lookups, and waits for them.
func (l *lookups) close() {
	l.cancel()
	l.rest.Wait()
}

// start begins a lookup, and returns nil if too many run. A lookup that is no longer of use must be dropped or kept.
func (l *lookups) start(asker session.ID, use string, s Search, describe func(context.Context, Search) Description) *lookup {
	select {
	case l.running <- struct{}{}:
	default:
		return nil
	}
	ctx, cancel := context.WithTimeout(l.ctx, maxLookup)
	begun := &lookup{search: s, asker: asker, use: use, begun: time.Now(), cancel: cancel, done: make(chan struct{})}
	l.rest.Go(func() {
		defer cancel()
		begun.found = describe(ctx, s)
		<-l.running // before the hook is answered: the next search may follow at once
		close(begun.done)
	})
	return begun
}

// await waits for a lookup until ctx ends. isDone is false if it has no answer by then; holds is whether the answer is true now.
func (l *lookups) await(ctx context.Context, of *lookup) (isDone, holds bool) {
	answered := make(chan bool, 1)
	l.rest.Go(func() {
		select {
		case <-of.done:
			answered <- of.found.Holds == nil || of.found.Holds(ctx)
		case <-ctx.Done():
		}
	})
	select {
	case holds = <-answered:
		return true, holds
	case <-ctx.Done():
		return false, false
	}
}

// keep keeps a lookup until it is taken.
func (l *lookups) keep(one *lookup) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) == maxKept {
		l.kept[0].drop()
		l.kept = slices.Delete(l.kept, 0, 1)
	}
	l.kept = append(l.kept, one)
}

// take returns the oldest lookup that is kept and fits, which is kept no longer then; nil if there is none.
func (l *lookups) take(fits func(*lookup) bool) *lookup {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.IndexFunc(l.kept, fits)
	if at < 0 {
		return nil
	}
	found := l.kept[at]
	l.kept = slices.Delete(l.kept, at, at+1)
	return found
}

// forget drops the lookups of a session.
func (l *lookups) forget(session string) {
	ofSession := func(one *lookup) bool { return one.asker.Session == session }
	for one := l.take(ofSession); one != nil; one = l.take(ofSession) {
		one.drop()
	}
}
