package server

import (
	"errors"
	"log/slog"
	"math"
	"syscall"
	"time"
)

// A connection may be silent for ever as long as there is room for others. When there is none, the oldest gives way
// that nobody waits on: no request of it is unanswered, and no client is attached by it. Half a line is no request.

// given is far below zero: a connection that was given up stays so, however often it is held.
const given = math.MinInt32 / 2

// hold keeps the connection from being given up until letGo. It reports false if it has been.
func (c *conn) hold() bool { return c.held.Add(1) > 0 }

func (c *conn) letGo() { c.held.Add(-1) }

// giveUp closes the connection, unless it is held. Its client finds a request that it has just sent unread, and may
// ask again.
func (c *conn) giveUp() bool {
	if !c.held.CompareAndSwap(0, given) {
		return false
	}
	c.cancel(errHangUp)
	_ = c.net.Close()
	return true
}

// closeOldest gives up the oldest connection that can be, and reports whether there was one. It is called with mu held.
func (s *Server) closeOldest() bool {
	for e := s.order.Front(); e != nil; e = e.Next() {
		if e.Value.(*conn).giveUp() {
			s.order.Remove(e)
			s.closed.note(s.log)
			return true
		}
	}
	return false
}

// closeIfFull makes room if err says that the process or the system cannot have more files open.
func (s *Server) closeIfFull(err error) bool {
	if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeOldest()
}

// closings counts the connections that were given up. A crowd of clients must not fill the log.
type closings struct {
	n    int
	next time.Time // is told then
}

// note is called with the server's mu held.
func (c *closings) note(log *slog.Logger) {
	c.n++
	if now := time.Now(); now.After(c.next) {
		log.Warn("idle connections closed: too many are open", "closed", c.n)
		c.n, c.next = 0, now.Add(time.Minute)
	}
}
