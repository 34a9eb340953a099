package session

import (
	"context"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/process"
)

// Wait returns when the process has ended and nothing is left of it, and sees to it that it does when the connection has
// broken.
func (s *Session) Wait(steps StopTimeouts) {
	select {
	case <-s.process.Exited():
	case <-s.conn.Done():
		// It has closed its output or sent what cannot be read: no use to anybody any more.
		steps.Exit = 0
		s.process.End(context.Background(), steps.StopTimeouts, func() {})
	}
	<-s.conn.Done()
	s.end()
	s.temporary.remove()
	s.Ledger.Strike(s.process.PID())
}

// Retire records why nobody asks the session any more. The callers agree among themselves who may.
func (s *Session) Retire(reason error) { s.err = reason }

// Retired is why nobody asks the session any more, nil if somebody does.
func (s *Session) Retired() error { return s.err }

// Finish says to those who wait that the session has ended. Only after Wait and Retire.
func (s *Session) Finish() { close(s.gone) }

// Ended is why the session ended. Only after Wait.
func (s *Session) Ended() error { return s.explain(s.conn.Err()) }

// Done is closed when the session has ended.
func (s *Session) Done() <-chan struct{} { return s.gone }

// explain returns why the session ended. Only after the process has.
func (s *Session) explain(err error) error {
	cause := s.process.Cause()
	if err != nil {
		cause += " (" + err.Error() + ")"
	}
	return s.Exit(cause)
}

// Exit returns the error of a session that has ended, or is ended, for a cause.
func (s *Session) Exit(cause string) *ExitError {
	return &ExitError{Command: s.Program(), Cause: cause, Stderr: s.process.Stderr()}
}

// Lived is for how long the session has been of use.
func (s *Session) Lived() time.Duration { return time.Since(s.born) }

// Kill ends the process at once.
func (s *Session) Kill() { s.process.Kill() }

// StopTimeouts say how long a server may take at each step of its end before the next is taken.
type StopTimeouts struct {
	Shutdown time.Duration // to answer the shutdown request
	process.StopTimeouts
}

// DefaultStopTimeouts returns those that servers are ended with.
func DefaultStopTimeouts() StopTimeouts {
	return StopTimeouts{2 * time.Second, process.StopTimeouts{Exit: time.Second, Stdin: time.Second, Term: 2 * time.Second}}
}

// Stop ends the session in steps.
func (s *Session) Stop(ctx context.Context, steps StopTimeouts) {
	s.process.End(ctx, steps.StopTimeouts, func() {
		asked, cancel := context.WithTimeout(ctx, steps.Shutdown)
		defer cancel()
		if protocol.Call(asked, s.conn, protocol.MethodShutdown, nil, nil) == nil {
			s.conn.Notify(ctx, protocol.MethodExit, nil)
		}
	})
}
