// Package diagnostics reports to the model which errors its edits have caused.
//
// After an edit the model reads the errors that were not there before it, in the edited file or elsewhere, each once. An
// error that the language servers knew before the edit is not reported. The hook of an edit waits for the check within a
// budget; an error that is not known by then is reported after the next tool, if it is still there. A change that was made
// in another way since the last check counts with the edit.
//
// What was there before an edit is what was known at its PreToolUse: by the time of its PostToolUse a server that follows the
// disk may have checked the edit. A client that sends no PreToolUse may miss errors for that reason.
//
// The package starts no goroutines.
package diagnostics

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/session"
	"tidepool/protocol"
)

// Settings say how errors are reported after an edit. The zero value reports none.
type Settings struct {
	Enabled  bool
	Budget   time.Duration // how long an edit's hook waits for them
	MaxLines int           // errors that are listed; the rest is counted
}

// A Contributor reports to each conversation the errors that its edits have caused. Safe for concurrent use.
type Contributor struct {
	settings  atomic.Pointer[Settings]
	diagnoser Diagnoser
	root      string
	log       *slog.Logger
	pending   pending
}

// New returns a contributor that writes paths below root, the project's directory, as they are seen from there.
func New(d Diagnoser, root string, s Settings, log *slog.Logger) *Contributor {
	c := &Contributor{diagnoser: d, root: root, log: log, pending: pending{open: make(map[session.ID]*edits)}}
	c.Set(s)
	return c
}

// Set replaces the settings for the events to come.
func (c *Contributor) Set(s Settings) { c.settings.Store(&s) }

// Events returns those before an edit, those after which there may be errors to report, and those that end a conversation.
func (*Contributor) Events() []protocol.Event {
	return []protocol.Event{protocol.PreToolUse, protocol.PostToolUse, protocol.SessionEnd, protocol.Stop, protocol.SubagentStop}
}

// Hook reports new errors. It waits for a check only after an edit.
func (c *Contributor) Hook(ctx context.Context, e *hook.Event) hook.Answer {
	switch e.Event {
	case protocol.PreToolUse:
		c.preToolUse(e)
	case protocol.PostToolUse:
		return hook.Answer{Context: c.postToolUse(ctx, e)}
	case protocol.SessionEnd:
		c.pending.forget(e.From.ID)
	case protocol.Stop, protocol.SubagentStop:
		if e.AgentID != "" {
			c.pending.forget(e.From.ID) // a subagent that stops is gone
		} else {
			c.pending.expectNone(e.From.ID)
		}
	}
	return hook.Answer{}
}

// preToolUse notes what is wrong before an edit.
func (c *Contributor) preToolUse(e *hook.Event) {
	if file := e.Edited(); file != "" && c.settings.Load().Enabled {
		c.pending.expect(e.From.ID, e.ToolUseID, c.diagnoser.Known(file))
	}
}

// postToolUse renders the new errors after an edit, and after any other tool those that came too late for an earlier edit;
// "" if there are none.
func (c *Contributor) postToolUse(ctx context.Context, e *hook.Event) string {
	settings := c.settings.Load()
	if !settings.Enabled {
		return ""
	}
	file := e.Edited()
	edits, files := c.pending.begin(e.From.ID, e.ToolUseID, file)
	if edits == nil {
		return ""
	}
	budget := time.Duration(0)
	if file != "" {
		budget = settings.Budget
	}
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	diagnosis := c.diagnoser.Diagnose(ctx, files...)
	list, more := c.pending.end(e.From.ID, edits, diagnosis)
	c.log.DebugContext(ctx, "errors looked for", "session", e.SessionID, "over", diagnosis.Over, "new", len(list)+more)
	return render(list, more, settings.MaxLines, c.root, files)
}
