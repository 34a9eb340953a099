package lsp

import (
	"context"
	"maps"
)

// quiet waits until the server has looked at all that it was told and shown, or ctx ends, and returns the errors that
// there are then. It is for servers that publish them by themselves.
func (s *session) quiet(ctx context.Context) (blackboard, error) {
	for {
		errors, changed := s.progress.atRest()
		if errors != nil {
			return errors, nil
		}
		select {
		case <-changed:
		case <-s.gone:
			return nil, s.err
		case <-ctx.Done():
			s.wire.silence.ask() // for its word; if it lives it says more of what the draft takes back
			s.wire.silence.giveUp()
			return nil, context.Cause(ctx)
		}
	}
}

// atRest returns the errors if the server has looked at everything, whatever the texts, else nil and a channel that is
// closed when that may have changed.
func (p *progress) atRest() (blackboard, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.quiet() {
		return nil, p.changed
	}
	return maps.Clone(p.errors), nil
}

// blind says what keeps the server from looking at all of a part, "" if nothing does.
func (p *progress) blind(of part) string {
	p.mu.Lock()
	state, lacks := p.stateLocked(of), p.failureIn(of) != "" || p.trouble != ""
	p.mu.Unlock()
	if lacks || state == Indexing {
		return p.completeness(of).reason
	}
	return ""
}
