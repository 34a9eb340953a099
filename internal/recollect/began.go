package recollect

import (
	"context"
	"slices"
	"sync"

	"tidepool/internal/hook"
	"tidepool/internal/recall"
	"tidepool/protocol"
)

const (
	maxBegan  = 256  // sessions that the store was told of, those that were heard of last
	maxHidden = 1024 // sessions of which an event was kept out, since the daemon's start
)

// A roll says of which sessions the store knows that they may be read, and of which an event was kept out. It is in memory only. Safe for
// concurrent use.
type roll struct {
	mu     sync.Mutex
	began  []string // the last heard of is the last
	ended  []string // the same; only a start or a prompt begins them again
	hidden map[string]bool
}

// begin notes that a session goes on, and reports whether the store has to be told.
func (r *roll) begin(e *hook.Event) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	starts := e.Event == protocol.SessionStart
	if r.hidden[e.SessionID] || len(r.hidden) >= maxHidden {
		return false
	}
	if slices.Contains(r.ended, e.SessionID) && !starts && e.Event != protocol.UserPromptSubmit {
		return false
	}
	r.ended = without(r.ended, e.SessionID)
	if !starts && slices.Contains(r.began, e.SessionID) {
		return false
	}
	r.began = lastOf(append(without(r.began, e.SessionID), e.SessionID), maxBegan)
	return true
}

func (r *roll) end(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.began = without(r.began, session)
	r.ended = lastOf(append(without(r.ended, session), session), maxBegan)
}

// hide notes that an event of a session was kept out. If there are too many, all sessions count as hidden that come later.
func (r *roll) hide(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.began = without(r.began, session)
	if r.hidden == nil {
		r.hidden = map[string]bool{}
	}
	if len(r.hidden) < maxHidden {
		r.hidden[session] = true
	}
}

func (r *roll) isHidden(session string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hidden[session] || len(r.hidden) >= maxHidden
}

func without(list []string, one string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == one })
}

func lastOf(list []string, most int) []string { return list[max(0, len(list)-most):] }

// begin tells the store of a session that goes on.
func (c *Contributor) begin(opened *Opened, e *hook.Event) {
	switch {
	case opened == nil:
	case c.roll.isHidden(e.SessionID):
		opened.Store.SessionHidden(e.SessionID)
	case c.roll.begin(e):
		opened.Store.SessionBegan(recall.Beginning{
			ID: e.SessionID, Transcript: e.TranscriptPath, Resumed: e.Event == protocol.SessionStart && e.Source == "resume",
		})
	}
}

// hide sees to it that an event that is kept out is not learned from the transcript. The store knows a session only if it was allowed
// before: one that is taken up again may have been, so then the store is opened to look.
func (c *Contributor) hide(ctx context.Context, e *hook.Event) {
	if !isSession(e.SessionID) {
		return
	}
	c.roll.hide(e.SessionID)
	opened, _ := c.options.Opener.Peek()
	if opened == nil && e.NoRecall && e.Event == protocol.SessionStart && e.Source == "resume" {
		var cancel func()
		opened, _, cancel = c.get(ctx, startTime, openingTime)
		defer cancel()
	}
	if opened != nil {
		opened.Store.SessionHidden(e.SessionID)
	}
}
