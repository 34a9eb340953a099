package searchnote

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"
)

const (
	maxLookups = 4                // that run at once; a client's parallel searches
	maxAhead   = 16               // that are kept for the hooks after their searches; with more, the oldest is dropped
	maxLookup  = 10 * time.Second // that one may run
)

// A lookup is that of one search's symbols, before the search has ended.
type lookup struct {
	search Search
	cancel context.CancelFunc
	done   chan struct{} // closed when found is set
	found  Description
}

// drop ends a lookup whose answer nobody takes. That of nil does nothing.
func (l *lookup) drop() {
	if l != nil {
		l.cancel()
	}
}

// A describe looks the symbols of a search up.
type describe func(ctx context.Context, s Search) Description

// lookups are those that run, and those whose answers wait for their hook. Call begin first. Safe for concurrent use.
type lookups struct {
	ctx     context.Context // ends with close
	cancel  context.CancelFunc
	running chan struct{}  // holds an element for each that runs
	rest    sync.WaitGroup // the goroutines of them, and of hooks that wait

	mu     sync.Mutex
	of     map[string]*lookup // by the id of the tool's use
	oldest []string           // the keys of of, by when they were added
}

func (l *lookups) begin() {
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.running = make(chan struct{}, maxLookups)
	l.of = make(map[string]*lookup)
}

// close ends all lookups, and waits for them.
func (l *lookups) close() {
	l.cancel()
	l.rest.Wait()
}

// ahead looks a search up for the hook after it. It returns at once, and does nothing if too many run.
func (l *lookups) ahead(use string, s Search, look describe) {
	l.take(use).drop() // a hook of the same use that came twice
	if !l.claim() {
		return
	}
	ctx, cancel := context.WithTimeout(l.ctx, maxLookup)
	new := &lookup{search: s, cancel: cancel, done: make(chan struct{})}
	l.keep(use, new)
	l.rest.Go(func() {
		defer cancel()
		defer close(new.done)
		defer l.release()
		new.found = look(ctx, s)
	})
}

// keep keeps a lookup until it is taken.
func (l *lookups) keep(use string, new *lookup) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.oldest) == maxAhead {
		l.of[l.oldest[0]].drop()
		delete(l.of, l.oldest[0])
		l.oldest = l.oldest[1:]
	}
	l.of[use] = new
	l.oldest = append(l.oldest, use)
}

// take returns the lookup for a tool's use, which is no longer kept then; nil if there is none.
func (l *lookups) take(use string) *lookup {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, ok := l.of[use]
	if ok {
		delete(l.of, use)
		l.oldest = slices.DeleteFunc(l.oldest, func(other string) bool { return other == use })
	}
	return found
}

// claim takes a place among those that run; false: there is none.
func (l *lookups) claim() bool {
	select {
	case l.running <- struct{}{}:
		return true
	default:
		return false
	}
}

func (l *lookups) release() { <-l.running }

// await returns the lines for a search that has ended. inTime is false if ctx ended before, or too many lookups run.
func (l *lookups) await(ctx context.Context, known *lookup, s Search, look describe) (lines []string, inTime bool) {
	type answer struct {
		lines  []string
		inTime bool
	}
	answered := make(chan answer, 1)
	l.rest.Go(func() {
		lines, inTime := l.answer(ctx, known, s, look)
		answered <- answer{lines, inTime}
	})
	select {
	case a := <-answered:
		return a.lines, a.inTime
	case <-ctx.Done():
		return nil, false
	}
}

// answer returns what was looked up ahead, if it is of the same search and still true, and else looks the search up.
func (l *lookups) answer(ctx context.Context, known *lookup, s Search, look describe) (lines []string, inTime bool) {
	if known != nil && reflect.DeepEqual(known.search, s) {
		select {
		case <-known.done:
		case <-ctx.Done():
			return nil, false
		}
		if known.found.Holds == nil || known.found.Holds(ctx) {
			return known.found.Lines, true
		}
	}
	known.drop()
	if !l.claim() {
		return nil, false
	}
	defer l.release() // before the hook is answered: the next search may follow at once
	return look(ctx, s).Lines, true
}
