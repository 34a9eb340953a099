package session

import (
	"context"
	"maps"
)

// AwaitIdle waits until the server has loaded a part and looked at everything that it was told of, or ctx ends. It calls
// report whenever there may be news.
func (s *Session) AwaitIdle(ctx context.Context, of Part, report func()) error {
	defer s.Documents.claim()()
	for {
		busy, changed := s.Progress.Indexing(of)
		if !busy {
			return nil
		}
		report()
		if err := s.restoreOverlaid(ctx); err != nil {
			return s.Because(ctx, err)
		}
		select {
		case <-changed:
		case <-s.gone:
			return s.err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// restoreOverlaid gives the server the files as on the disk if a client has just made it look at others.
func (s *Session) restoreOverlaid(ctx context.Context) error {
	if !s.Progress.Overlaid() {
		return nil
	}
	return s.RestoreDisk(ctx)
}

// AwaitLoaded waits until the server knows the project, or ctx ends: what it answers then is what it knows.
func (s *Session) AwaitLoaded(ctx context.Context) {
	for {
		loaded, changed := s.Progress.isLoaded()
		if loaded {
			return
		}
		select {
		case <-changed:
		case <-s.ctx.Done():
			return
		case <-ctx.Done():
			return
		}
	}
}

// isLoaded reports whether the server knows the project, and returns a channel that is closed when that may have changed.
func (p *Progress) isLoaded() (bool, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.language.Probe != nil:
		return p.answered == p.asked, p.changed
	case p.language.LoadTitle == "":
		return true, p.changed
	}
	return p.loads > 0 && len(p.awaited) == 0, p.changed
}

// AwaitQuiet waits until the server has looked at all that it was told and shown, or ctx ends, and returns the errors that
// there are then. It is for servers that publish them by themselves.
func (s *Session) AwaitQuiet(ctx context.Context) (Diagnostics, error) {
	for {
		errors, changed := s.Progress.atRest()
		if errors != nil {
			return errors, nil
		}
		select {
		case <-changed:
		case <-s.gone:
			return nil, s.err
		case <-ctx.Done():
			s.wire.watchdog.sent() // for its word; if it lives it says more of what the draft takes back
			s.wire.watchdog.giveUp()
			return nil, context.Cause(ctx)
		}
	}
}

// atRest returns the errors if the server has looked at everything, whatever the texts, else nil and a channel that is
// closed when that may have changed.
func (p *Progress) atRest() (Diagnostics, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.quiet() {
		return nil, p.changed
	}
	return maps.Clone(p.diagnostics), nil
}

// AwaitTasks returns when enough says so of the tasks that run, by token, and of how many have ended, by title; or with
// the reason why ctx has ended. enough must not keep the maps.
func (p *Progress) AwaitTasks(ctx context.Context, enough func(running map[string]Task, ended map[string]int) bool) error {
	for {
		p.mu.Lock()
		running, ended, changed := maps.Clone(p.running), maps.Clone(p.ended), p.changed
		p.mu.Unlock()
		if enough(running, ended) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
