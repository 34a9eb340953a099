package recollect

import (
	"context"

	"tidepool/internal/hook"
	"tidepool/internal/recall"
	"tidepool/internal/recall/extract"
	"tidepool/internal/recall/memory"
)

// maxPreferences is how many preferences a session is told at its start.
const maxPreferences = 5

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
	text, told := startText(unfinished, c.lastSession(ctx, opened, e), c.preferences(ctx, opened), c.options.Now())
	for _, m := range told { // a prompt does not repeat them
		c.loaded.add(e.SessionID, m.Gist, m.Content)
	}
	return text
}

// lastSession returns the memory of the project's latest session but this one; nil: there is none.
func (c *Contributor) lastSession(ctx context.Context, opened *Opened, e *hook.Event) *memory.Memory {
	latest := c.list(ctx, opened, recall.ListQuery{Kinds: []memory.Kind{memory.Session}, Project: opened.Store.Project().Key, Limit: 2})
	for _, m := range latest {
		if m.Session != e.SessionID {
			return &m
		}
	}
	return nil
}

// preferences returns what the user said last of how things are done, in this project or for all.
func (c *Contributor) preferences(ctx context.Context, opened *Opened) []memory.Memory {
	return c.list(ctx, opened, recall.ListQuery{Kinds: []memory.Kind{memory.Preference}, Told: true, Limit: maxPreferences})
}

// list returns memories, none if they cannot be read.
func (c *Contributor) list(ctx context.Context, opened *Opened, q recall.ListQuery) []memory.Memory {
	all, err := opened.Store.List(ctx, q)
	if err != nil {
		c.options.Log.DebugContext(ctx, "a hook does without memories", "err", err)
		return nil
	}
	return all
}

// conversation returns the conversation of an event. One that this daemon has not followed from its beginning continues what an
// earlier daemon has kept of it.
func (c *Contributor) conversation(ctx context.Context, opened *Opened, e *hook.Event) *extract.Conversation {
	conversation, known := c.conversations.Of(extract.Key{Session: e.SessionID, Agent: e.AgentID})
	if known || opened == nil || e.AgentID != "" {
		return conversation
	}
	for _, m := range c.list(ctx, opened, recall.ListQuery{Kinds: []memory.Kind{memory.Session}, Session: e.SessionID, Limit: 1}) {
		conversation.Resume(m.Content)
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
