package serve

import (
	"context"

	"tidepool/internal/hook"
	"tidepool/internal/work"
	"tidepool/protocol"
)

// A tracker keeps the issues in step when turns end, if the settings want it so.
type tracker struct {
	closing *work.Closing
	enabled bool
}

// Events are the ends of turns.
func (tracker) Events() []protocol.Event { return []protocol.Event{protocol.Stop} }

// Hook begins a sync when a turn has ended; that is not so when a hook keeps it going.
func (t tracker) Hook(_ context.Context, e *hook.Event) hook.Answer {
	if t.enabled && !e.StopHookActive {
		t.closing.Turn(e.Cwd)
	}
	return hook.Answer{}
}
