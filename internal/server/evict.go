package server

import (
	"errors"
	"log/slog"
	"math"
	"syscall"
	"time"
)

// A connection may be silent for ever while the server accepts others. At the limit the server evicts the oldest connection
// that nobody waits on: it has no unanswered request and no attached client. Half a line is no request.

// pinsEvicted is far below zero, so an evicted connection stays evicted however often it is pinned.
const pinsEvicted = math.MinInt32 / 2

// pin keeps the connection from eviction until unpin. It reports false if the connection is evicted already.
func (c *conn) pin() bool { return c.pins.Add(1) > 0 }

// unpin ends one pin.
func (c *conn) unpin() { c.pins.Add(-1) }

// evict closes the connection unless it is pinned, and reports whether it did. A request that its client has just sent stays
// unread, so the client may send it again.
func (c *conn) evict() bool {
	if !c.pins.CompareAndSwap(0, pinsEvicted) {
		return false
	}
	c.cancel(errHangUp)
	if h := c.http.Load(); h != nil {
		h.evict()
	} else {
		_ = c.net.Close()
	}
	return true
}

// evictOldest evicts the oldest connection that is not pinned, and reports whether there was one. Callers hold mu.
func (s *Server) evictOldest() bool {
	for e := s.order.Front(); e != nil; e = e.Next() {
		if e.Value.(*conn).evict() {
			s.order.Remove(e)
			s.evicted.note(s.log)
			return true
		}
	}
	return false
}

// evictIfFull evicts a connection if err says that the process or the system has too many files open.
func (s *Server) evictIfFull(err error) bool {
	if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.evictOldest()
}

// evictions counts evicted connections, and logs them at most once a minute: many clients must not fill the log.
type evictions struct {
	n    int
	next time.Time // when the next line may be logged
}

// note counts one. Callers hold the server's mu.
func (c *evictions) note(log *slog.Logger) {
	c.n++
	if now := time.Now(); now.After(c.next) {
		log.Warn("idle connections closed: too many are open", "closed", c.n)
		c.n, c.next = 0, now.Add(time.Minute)
	}
}
