// Package diagnostics tells the model which errors its edits have brought.
//
// After an edit the model reads which errors are there that were not before, in the edited file or elsewhere, each once:
// errors that the language servers had known before the edit are not told, nor are they again while they last. An edit
// waits for them within a budget; what is not known by then is told after the next tool, if it is still wrong. A change
// that came some other way since the servers had last looked counts with the edit.
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

// Settings say how errors are told after an edit. The zero value tells none.
type Settings struct {
	Enabled  bool
	Budget   time.Duration // how long an edit's hook waits for them
	MaxLines int           // errors that are listed; the rest is counted
}

// A Contributor tells each conversation of the errors that its edits have brought. Safe for concurrent use.
type Contributor struct {
	settings  atomic.Pointer[Settings]
	diagnoser Diagnoser
	root      string
	log       *slog.Logger
	untold    untold
}

// New returns a contributor that writes paths below root, the project's directory, as they are seen from there.
func New(d Diagnoser, root string, s Settings, log *slog.Logger) *Contributor {
	c := &Contributor{diagnoser: d, root: root, log: log, untold: untold{open: make(map[session.ID]*edits)}}
	c.Set(s)
	return c
}

// Set replaces how errors are told, for the events to come.
func (c *Contributor) Set(s Settings) { c.settings.Store(&s) }

// Events are those after which there may be errors to tell, and those after which nobody is left to tell them.
func (*Contributor) Events() []protocol.Event {
	return []protocol.Event{protocol.PostToolUse, protocol.SessionEnd, protocol.Stop, protocol.SubagentStop}
}

// Hook tells the errors. It waits for them after an edit only.
func (c *Contributor) Hook(ctx context.Context, e *hook.Event) hook.Answer {
	switch e.Event {
	case protocol.PostToolUse:
		return hook.Answer{Context: c.postToolUse(ctx, e)}
	case protocol.SessionEnd:
		c.untold.forget(e.From.ID)
	case protocol.Stop, protocol.SubagentStop:
		if e.AgentID != "" {
			c.untold.forget(e.From.ID) // a subagent that stops is gone
		}
	}
	return hook.Answer{}
}

// postToolUse writes the errors that an edit has brought, in the file or elsewhere, and after any other tool those that
// came too late for an edit before; "" if there are none.
func (c *Contributor) postToolUse(ctx context.Context, e *hook.Event) string {
	settings := c.settings.Load()
	if !settings.Enabled {
		return ""
	}
	file := e.Edited()
	edits, files := c.untold.begin(e.From.ID, file)
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
	list, more := c.untold.end(e.From.ID, edits, diagnosis)
	c.log.DebugContext(ctx, "errors looked for", "session", e.SessionID, "over", diagnosis.Over, "new", len(list)+more)
	return tell(list, more, settings.MaxLines, c.root, files)
}
