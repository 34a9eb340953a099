package recollect

import (
	"context"

	"tidepool/internal/hook"
	"tidepool/internal/recall/extract"
	"tidepool/internal/recall/memory"
)

// start returns what a session is told at its start. One that is resumed has read it before; after a compaction it reads it again.
func (c *Contributor) start(ctx context.Context, e *hook.Event) string {
	opened, ctx, cancel := c.get(ctx, startTime, openingTime)
	defer cancel()
	if opened == nil {
		return ""
	}
	c.begin(opened, e)
	if e.Source == "resume" || e.Source == "fork" || e.AgentID != "" {
		return ""
	}
	unfinished := opened.Journal.Greeting(ctx, ownerOf(e))
	greeting, err := opened.Store.Greeting(ctx, e.SessionID)
	if err != nil {
		c.options.Log.DebugContext(ctx, "a session begins without memories", "err", err)
	}
	text, told := startText(unfinished, greeting.Last, greeting.Preferences, c.options.Now())
	for _, m := range told { // a prompt does not repeat them
		c.loaded.add(e.SessionID, m.Gist, m.Content)
	}
	return text
}

// conversation returns the conversation of an event. One that this daemon has not followed from its beginning continues what an
// earlier daemon has kept of it.
func (c *Contributor) conversation(ctx context.Context, opened *Opened, e *hook.Event) *extract.Conversation {
	conversation, known := c.conversations.Of(extract.Key{Session: e.SessionID, Agent: e.AgentID})
	if known || opened == nil || e.AgentID != "" {
		return conversation
	}
	summary, err := opened.Store.Summary(ctx, e.SessionID)
	if err != nil {
		c.options.Log.DebugContext(ctx, "a session goes on without its summary", "err", err)
	} else if summary != nil {
		conversation.Resume(summary.Content)
	}
	return conversation
}

// flush keeps what the session was about so far, and waits a moment until everything is on the disk.
func (c *Contributor) flush(ctx context.Context, e *hook.Event) {
	ctx, cancel := context.WithTimeout(ctx, max(flushTime, c.options.Budget))
	defer cancel()
	if err := c.Flush(ctx, e.SessionID); err != nil {
		c.options.Log.DebugContext(ctx, "a hook does not wait for the disk", "err", err)
	}
}

// end is flush at the end of a session, of which nothing is followed any longer.
func (c *Contributor) end(ctx context.Context, e *hook.Event) {
	if opened, _ := c.options.Opener.Peek(); opened != nil {
		opened.Store.SessionEnded(e.SessionID)
	}
	c.flush(ctx, e)
	if opened, _ := c.options.Opener.Peek(); opened != nil && opened.CatchUp != nil {
		opened.CatchUp.Ended(e.SessionID)
	}
	c.roll.end(e.SessionID)
	c.conversations.End(e.SessionID)
	c.loaded.end(e.SessionID)
}

// Flush keeps what a session was about so far, and returns when everything that was learned is on the disk. A session that is not
// known has nothing to add. If nothing was learned, nothing is opened.
func (c *Contributor) Flush(ctx context.Context, session string) error {
	conversation, known := c.conversations.Of(extract.Key{Session: session})
	var drafts []memory.Draft
	if known {
		drafts = conversation.Summary()
	} else {
		c.conversations.End(session) // it was made by the question
	}
	opened, _ := c.options.Opener.Peek()
	if opened == nil && len(drafts) == 0 && !c.hasPending() {
		return nil
	}
	opened, err := c.options.Opener.Get(ctx)
	c.learn(opened, drafts)
	if err != nil {
		return err
	}
	if err := opened.Journal.Flush(ctx); err != nil {
		return err
	}
	return opened.Store.Flush(ctx)
}

func (c *Contributor) hasPending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending) > 0
}
