package redact

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync/atomic"

	"tidepool/internal/hook"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// Options configures New. Of must be set.
type Options struct {
	// Of returns the scrubber of a session, or an error if it cannot be made; then texts are withheld.
	Of func(session string) (Scrubber, error)
	// Learn adds fingerprints of values that a session's user keeps secret, as a client has sent them; nil: they are left out.
	Learn func(session string, fingerprints json.RawMessage) error
	Mode  Mode
	Log   *slog.Logger // nil: nothing is logged
}

// A Contributor answers hooks of tools. It is safe for concurrent use. Goroutines: one for each response that is being searched, at
// most maxSearches. It ends by itself, because a search is bounded work; Close waits for it.
type Contributor struct {
	of       func(session string) (Scrubber, error)
	adopt    func(session string, fingerprints json.RawMessage) error
	log      *slog.Logger
	mode     atomic.Uint32
	slots    chan struct{} // holds an element for each search
	counters counters
	readers  readers
}

// maxSearches bounds the responses that are searched at once. It is more than the hooks that are answered at once.
const maxSearches = 64

// New returns a contributor.
func New(o Options) *Contributor {
	c := &Contributor{of: o.Of, adopt: o.Learn, log: o.Log, slots: make(chan struct{}, maxSearches)}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.SetMode(o.Mode)
	return c
}

// SetMode sets what is replaced from now on.
func (c *Contributor) SetMode(m Mode) { c.mode.Store(uint32(m)) }

// Mode returns what is replaced.
func (c *Contributor) Mode() Mode { return Mode(c.mode.Load()) }

// Close stops the searching, and waits for searches that are late, at most until ctx ends.
func (c *Contributor) Close(ctx context.Context) {
	for range maxSearches {
		select {
		case c.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
}

// Events returns the events of tools, and those with which a client sends fingerprints.
func (*Contributor) Events() []protocol.Event {
	return []protocol.Event{
		protocol.SessionStart, protocol.UserPromptSubmit, protocol.PreToolUse, protocol.PostToolUse, protocol.PostToolUseFailure,
	}
}

// Hook learns fingerprints, refuses a tool call with a token in it, replaces the secrets in a response, and counts those that a failure shows.
func (c *Contributor) Hook(ctx context.Context, e *hook.Event) hook.Answer {
	c.learn(e.SessionID, e.Fingerprints)
	switch e.Event {
	case protocol.PreToolUse: // whatever the mode is now: the session may have read tokens before
		return c.refuse(e)
	case protocol.PostToolUseFailure:
		c.noteShown(e)
	case protocol.PostToolUse:
		return c.replace(ctx, e)
	}
	return hook.Answer{}
}

// replace returns a tool's response without secrets; nothing if it has none.
func (c *Contributor) replace(ctx context.Context, e *hook.Event) hook.Answer {
	if c.Mode() == Off {
		return hook.Answer{}
	}
	shape, known := shapeOf(e.HookInput)
	if !known {
		if hasText(e.HookInput) {
			c.counters.unknown.Add(1)
			c.log.DebugContext(ctx, "response passes unsearched", "tool", wording.ClipBytes(e.ToolName, 100))
		}
		return hook.Answer{}
	}
	r := c.search(ctx, e, shape)
	if r.output == nil {
		return hook.Answer{}
	}
	c.counters.replaced.Add(1)
	if r.withheld {
		c.counters.withheld.Add(1)
		c.log.WarnContext(ctx, "response withheld", "tool", wording.ClipBytes(e.ToolName, 100), "session", e.SessionID)
	}
	c.readers.add(e.SessionID)
	return hook.Answer{Output: &protocol.PostToolUseOutput{UpdatedToolOutput: r.output}, Context: r.note(shape)}
}

// hasText reports whether a response of an unknown shape may hold a secret. A text that the model has just written itself does not count.
func hasText(in *protocol.HookInput) bool {
	switch in.ToolName {
	case "Write", "NotebookEdit", "MultiEdit":
		return false
	}
	return bytes.IndexByte(in.ToolResponse, '"') >= 0
}

// noteShown counts a failing command that shows a known value. It names the way out once in the log.
func (c *Contributor) noteShown(e *hook.Event) {
	if c.Mode() == Off || e.Error == "" {
		return
	}
	scrubber, err := c.of(e.SessionID)
	if err != nil {
		return // the tools that succeed have logged it
	}
	if _, found := scrubber.Known(e.Error); len(found) == 0 {
		return
	}
	if c.counters.shown.Add(1) == 1 {
		c.log.Warn("a failing command has shown a secret, which no hook can replace", "tool", wording.ClipBytes(e.ToolName, 100),
			"hint", "run `agent init --scrub`: then the output of commands is searched before Claude Code has it")
	}
}
