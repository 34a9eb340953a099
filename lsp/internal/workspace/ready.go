package workspace

import (
	"context"
	"errors"

	"tidepool/lsp/internal/session"
)

// Current returns the session, told of everything that has changed on the disk.
func (s *Server) Current(ctx context.Context) (*session.Session, error) {
	live, err := s.Live(ctx)
	if err != nil {
		return nil, err
	}
	return live, s.inform(ctx, live)
}

// inform tells a session of everything that has changed on the disk.
func (s *Server) inform(ctx context.Context, live *session.Session) error {
	err := s.Flush(live)
	if err == nil {
		err = live.RestoreDisk(ctx)
	}
	return live.Because(ctx, err)
}

// CatchUp informs a session and waits until it has looked at everything, again and again until the disk has not changed
// meanwhile, or ctx ends: what a server has looked at while files came and went may be a state that never was.
func (s *Server) CatchUp(ctx context.Context, live *session.Session, of session.Part, report func()) error {
	for ctx.Err() == nil {
		if err := s.inform(ctx, live); err != nil {
			return err
		}
		if err := live.AwaitIdle(ctx, of, report); err != nil {
			return err
		}
		for _, t := range s.Trees() {
			t.Sync()
		}
		if s.Knows(live) {
			return nil
		}
		if err := s.leftFor(live); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// leftFor is why the server has let go of a session, nil if it has not.
func (s *Server) leftFor(live *session.Session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == live {
		return nil
	}
	return live.Retired()
}

// Now is current without waiting for a start.
func (s *Server) Now() (*session.Session, error) {
	s.mu.Lock()
	live := s.session
	s.mu.Unlock()
	if live == nil {
		return nil, &StartingError{Command: s.Name(), Reason: s.waitsFor()}
	}
	return live, s.Flush(live)
}

// Await waits until the session knows the whole tree, or ctx ends. If the session turns out to have died before we
// came it does so with the next one. report, if not nil, is called whenever there may be news.
func (s *Server) Await(ctx context.Context, t *Tree, report func()) error {
	_, err := s.Ready(ctx, t.Part(), report)
	return err
}

// Ready is await for a part of what the server serves, and returns the session.
func (s *Server) Ready(ctx context.Context, of session.Part, report func()) (*session.Session, error) {
	s.mu.Lock()
	found := s.session != nil
	s.mu.Unlock()
	live, err := s.settle(ctx, of, report)
	var exit *session.ExitError
	if found && (errors.As(err, &exit) && !exit.GaveUp || errors.Is(err, errResting)) {
		return s.settle(ctx, of, report)
	}
	return live, err
}

func (s *Server) settle(ctx context.Context, of session.Part, report func()) (*session.Session, error) {
	if report == nil {
		report = func() {}
	}
	report()
	live, err := s.Live(ctx)
	if err != nil {
		return nil, err
	}
	return live, s.CatchUp(ctx, live, of, report)
}

// UpToDate returns the session if it knows a part, has heard of everything and looks at the disk, so that there is nothing to
// wait for or to tell; nil if not.
func (s *Server) UpToDate(of session.Part) *session.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil || len(s.pending) > 0 || s.moved || s.session.Progress.Overlaid() {
		return nil
	}
	if busy, _ := s.session.Progress.Indexing(of); busy {
		return nil
	}
	return s.session
}
