package recollect

import (
	"context"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// A CheckIn asks a model after ten tool calls to look at its open hypothesis. Nine of ten calls only count, so it runs inline. It
// opens nothing: without an open store there is no entry that this daemon knows.
type CheckIn struct{ *Contributor }

// Events returns the one before a tool.
func (CheckIn) Events() []protocol.Event { return []protocol.Event{protocol.PreToolUse} }

// Hook counts a call, and returns the check-in if it is due.
func (c CheckIn) Hook(ctx context.Context, e *hook.Event) hook.Answer {
	if !c.concerns(e) {
		return hook.Answer{}
	}
	opened, _ := c.options.Opener.Peek()
	if opened == nil {
		return hook.Answer{}
	}
	ctx, cancel := context.WithTimeout(ctx, c.options.Budget)
	defer cancel()
	return hook.Answer{Context: opened.Journal.Count(ctx, ownerOf(e))}
}
