package server

import (
	"context"
	"time"
)

// idleChecks is how often AwaitIdle checks within its limit.
const idleChecks = 16

// AwaitIdle returns nil once the server has been idle for limit, give or take a sixteenth: no client was attached, no request
// was in flight, nobody connected and no line came. An open connection alone does not count. If ctx ends before, AwaitIdle
// returns its cause.
func (s *Server) AwaitIdle(ctx context.Context, limit time.Duration) error {
	tick := time.NewTicker(max(limit/idleChecks, time.Millisecond))
	defer tick.Stop()
	heard := s.received.Load()
	for quiet := 0; quiet < idleChecks; quiet++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if now := s.received.Load(); now != heard || s.isNeeded() {
			heard, quiet = now, -1
		}
	}
	return nil
}

// isNeeded reports whether a client is attached or waits for an answer.
func (s *Server) isNeeded() bool {
	if s.clients.Load() > 0 {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		if h := c.http.Load(); len(c.calls) > 0 || h != nil && h.isAwaited() {
			return true
		}
	}
	return false
}
