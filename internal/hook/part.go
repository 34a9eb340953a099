package hook

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// maxApart bounds the events that one part handles at once if it runs Apart. It is more than the hooks that are answered at once,
// so only a part that does not return at its deadline reaches it; then it is no longer asked.
const maxApart = 64

// A part is a Part with the state that asking it needs.
type part struct {
	Part
	slots chan struct{} // holds an element for each event that it handles, if it runs Apart
	log   *slog.Logger
}

func newPart(p Part, log *slog.Logger) *part {
	return &part{Part: p, slots: make(chan struct{}, maxApart), log: log}
}

// ask returns the part's answer to an event. It logs a failure of the part's own and returns nothing then.
func (p *part) ask(ctx context.Context, e *Event) (a Answer, failed string) {
	switch p.Conduct {
	case Deciding:
		return p.Hook(ctx, e), ""
	case Inline:
		return p.guarded(ctx, e)
	}
	return p.apart(ctx, e)
}

// apart asks on a new goroutine. It does not wait for one that is late.
func (p *part) apart(ctx context.Context, e *Event) (a Answer, failed string) {
	select {
	case p.slots <- struct{}{}:
	default:
		return p.without(ctx, e, fmt.Sprintf("%d earlier events have not been answered", maxApart))
	}
	own, late, cancel := shares(ctx)
	defer cancel()
	type result struct {
		Answer
		failed string
	}
	answered := make(chan result, 1)
	go func() {
		defer func() { <-p.slots }()
		a, failed := p.guarded(own, e)
		answered <- result{a, failed}
	}()
	select {
	case r := <-answered:
		return r.Answer, r.failed
	case <-late.Done():
		if ctx.Err() != nil { // nobody waits for the answer any more
			return Answer{}, ""
		}
		return p.without(ctx, e, "it was late")
	}
}

// shares divides a hook's remaining time: own is the part's deadline, late is when the router continues without it. The rest is
// for the parts after it and for the answer.
func shares(ctx context.Context) (own, late context.Context, cancel func()) {
	deadline, limited := ctx.Deadline()
	if !limited {
		own, cancel = context.WithCancel(ctx)
		return own, ctx, cancel
	}
	left := time.Until(deadline)
	own, cancelOwn := context.WithTimeout(ctx, left*18/20)
	late, cancelLate := context.WithTimeout(ctx, left*19/20)
	return own, late, func() { cancelLate(); cancelOwn() }
}

// guarded asks, and turns a panic into no answer.
func (p *part) guarded(ctx context.Context, e *Event) (a Answer, failed string) {
	defer func() {
		if v := recover(); v != nil {
			p.log.ErrorContext(ctx, "panic", "in", "the hook's part "+p.Name, "value", fmt.Sprint(v), "stack", string(debug.Stack()))
			a, failed = Answer{}, "it panicked, and the log says where"
		}
	}()
	return p.Hook(ctx, e), ""
}

// without records an event that is answered without the part.
func (p *part) without(ctx context.Context, e *Event, why string) (Answer, string) {
	p.log.WarnContext(ctx, "hook answered without a part", "part", p.Name, "event", e.Event, "session", e.SessionID, "why", why)
	return Answer{}, why
}

// close stops asking the part, and waits for its goroutines, at most until ctx ends.
func (p *part) close(ctx context.Context) {
	for range maxApart {
		select {
		case p.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
}
