// Package activity keeps the daemon's latest hook events and tool calls for
// clients that watch.
package activity

import (
	"sync"

	"tidepool/protocol"
)

// kept is how much is remembered.
const kept = 256

// A Log is what has been done lately. The zero value is empty. Safe for concurrent use. It starts no goroutine.
type Log struct {
	mu      sync.Mutex
	ring    [kept]protocol.Activity
	count   int           // of all since the start
	changed chan struct{} // closed at the next change; nil: nobody waits for it
}

// Note remembers one more.
func (l *Log) Note(a protocol.Activity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ring[l.count%kept] = a
	l.count++
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// Since returns the activities after the first n that are still remembered, oldest first, the count of all activities so far,
// and a channel that is closed when another one is added.
func (l *Log) Since(n int) (list []protocol.Activity, count int, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := max(n, l.count-kept); i < l.count; i++ {
		list = append(list, l.ring[i%kept])
	}
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return list, l.count, l.changed
}
