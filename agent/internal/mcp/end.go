package mcp

import "time"

// After the end of its input a client may still read answers: a person pipes
// requests in and reads the output. A client that was killed reads none, and its
// requests must not run on.
const (
	drainLimit = 10 * time.Second // longer than a tool waits for language servers
	goneRetry  = 20 * time.Millisecond
)

func (s *server) awaitAnswers() {
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		s.calls.finish()
	}()
	late := time.NewTimer(drainLimit)
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

// shutdownGrace is how long the end waits for goroutines. One that writes to a client
// that no longer reads would block for ever. Claude Code allows 100 ms.
const shutdownGrace = 50 * time.Millisecond

func (s *server) finish() {
	done := make(chan struct{})
	go func() {
		s.calls.finish()
		s.mu.Lock()
		s.attaching = true // none may start any more
		s.mu.Unlock()
		s.attached.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(shutdownGrace):
	}
}
