package mcp

import "time"

// After its input has ended, a client may still read answers: a person pipes a
// conversation in and looks at what comes out. A client that was killed reads
// none, and what it asked for shall not run on.
const (
	silentLimit = 10 * time.Second // longer than a tool waits for language servers
	goneRetry   = 20 * time.Millisecond
)

func (s *server) answerTheRest() {
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		s.calls.finish()
	}()
	late := time.NewTimer(silentLimit)
	defer late.Stop()
	look := time.NewTicker(goneRetry)
	defer look.Stop()
	for {
		select {
		case <-answered:
			return
		case <-late.C:
			return
		case <-s.ctx.Done():
			return
		case <-look.C:
			if s.Gone != nil && s.Gone() {
				return
			}
		}
	}
}

// shutdownGrace is how long the end waits for goroutines; one that writes to a
// client that no longer reads would take for ever. Claude Code gives 100 ms.
const shutdownGrace = 50 * time.Millisecond

func (s *server) finish() {
	done := make(chan struct{})
	go func() {
		s.calls.finish()
		s.mu.Lock()
		s.attaching = true // too late to begin
		s.mu.Unlock()
		s.attached.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(shutdownGrace):
	}
}
