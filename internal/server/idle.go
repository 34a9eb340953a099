package server

import (
	"context"
	"time"
)

// looks is how often AwaitIdle looks in the time that it waits for.
const looks = 16

// AwaitIdle returns nil when nobody has needed the server for so long, give or take a sixteenth: no client was
// attached, nothing was in flight, nobody connected and no line came. An open connection alone needs nothing. If ctx
// ends before, its cause is returned.
func (s *Server) AwaitIdle(ctx context.Context, limit time.Duration) error {
	tick := time.NewTicker(max(limit/looks, time.Millisecond))
	defer tick.Stop()
	heard := s.heard.Load()
	for quiet := 0; quiet < looks; quiet++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if now := s.heard.Load(); now != heard || s.isNeeded() {
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
		if len(c.calls) > 0 {
			return true
		}
	}
	return false
}
