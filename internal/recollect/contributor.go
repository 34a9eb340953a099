package recollect

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/journal"
	"tidepool/internal/recall/extract"
	"tidepool/internal/recall/memory"
	"tidepool/protocol"
)

// How long hooks wait for what is remembered, if the budget is not longer.
const (
	openingTime = 200 * time.Millisecond // a prompt or the start of a session while the store is being opened: the daemon may have just started
	startTime   = 100 * time.Millisecond // the start of a session
	flushTime   = 300 * time.Millisecond // the end of a turn or a session
)

// maxPending bounds what is learned while the store is being opened, in memories.
const maxPending = 64

// Options configures New. Opener must be set.
type Options struct {
	Opener *Opener
	Root   string           // directory whose files memories name by their path from there
	Budget time.Duration    // how long a hook waits for memories; 0: 20 ms
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // nil: nothing is logged
}

// A Contributor answers hooks with what is remembered, and learns from them. It may wait, for as long as the constants above say, so
// it runs apart.
type Contributor struct {
	options       Options
	conversations *extract.Conversations
	loaded        loaded
	turns         turns
	roll          roll

	told, silent atomic.Int64 // see Counts

	mu      sync.Mutex
	pending []memory.Draft // learned before the store was open
}

// New returns a contributor.
func New(o Options) *Contributor {
	if o.Budget == 0 {
		o.Budget = 20 * time.Millisecond
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Contributor{options: o, conversations: &extract.Conversations{Root: o.Root}}
}

// Counts say how often prompts were told something since the daemon's start.
type Counts struct {
	Told   int64 // memories
	Silent int64 // prompts that were told nothing
}

// Counts returns the present ones.
func (c *Contributor) Counts() Counts { return Counts{c.told.Load(), c.silent.Load()} }

// Events returns those that it answers or learns from.
func (*Contributor) Events() []protocol.Event {
	return []protocol.Event{
		protocol.SessionStart, protocol.InstructionsLoaded, protocol.UserPromptSubmit, protocol.PostToolUse, protocol.PostToolUseFailure,
		protocol.Stop, protocol.PreCompact, protocol.SessionEnd,
	}
}

// Hook answers one event. An event without a session's id belongs to nobody.
func (c *Contributor) Hook(ctx context.Context, e *hook.Event) hook.Answer {
	if !c.concerns(e) {
		c.hide(ctx, e)
		return hook.Answer{}
	}
	switch e.Event {
	case protocol.SessionStart:
		return hook.Answer{Context: c.start(ctx, e)}
	case protocol.InstructionsLoaded:
		c.loaded.load(e.SessionID, e.Absolute(e.FilePath))
	case protocol.UserPromptSubmit:
		return hook.Answer{Context: c.prompt(ctx, e)}
	case protocol.PostToolUse, protocol.PostToolUseFailure:
		return hook.Answer{Context: c.tool(ctx, e)}
	case protocol.Stop, protocol.PreCompact:
		c.offer(e)
		c.flush(ctx, e)
	case protocol.SessionEnd:
		c.end(ctx, e)
	}
	return hook.Answer{}
}

// concerns reports whether an event may be remembered, or told anything.
func (c *Contributor) concerns(e *hook.Event) bool {
	return c.options.Opener.Enabled() && !e.NoRecall && isSession(e.SessionID)
}

// isSession reports whether a text is the id of a session as clients make them. Others are no key of anything that is kept.
func isSession(id string) bool {
	const most = 128
	return id != "" && len(id) <= most && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

// get returns what is remembered, within a limit, or a longer one if it is not open yet. The context that it returns ends then, too.
func (c *Contributor) get(ctx context.Context, limit, opening time.Duration) (opened *Opened, within context.Context, cancel func()) {
	if opened, _ := c.options.Opener.Peek(); opened == nil {
		limit = opening
	}
	ctx, cancel = context.WithTimeout(ctx, max(limit, c.options.Budget))
	opened, err := c.options.Opener.Get(ctx)
	if err != nil {
		c.options.Log.DebugContext(ctx, "a hook does without what is remembered", "err", err)
	}
	return opened, ctx, cancel
}

// learn gives drafts to the store, or keeps them until it is open.
func (c *Contributor) learn(opened *Opened, drafts []memory.Draft) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending = append(c.pending, drafts...)
	if opened != nil {
		opened.Store.Learn(c.pending...)
		c.pending = nil
		return
	}
	if over := len(c.pending) - maxPending; over > 0 {
		c.pending = append([]memory.Draft{}, c.pending[over:]...)
	}
}

// ownerOf returns whose entry of the journal an event is about.
func ownerOf(e *hook.Event) journal.Owner {
	return journal.Owner{Session: e.SessionID, Agent: e.AgentID}
}
