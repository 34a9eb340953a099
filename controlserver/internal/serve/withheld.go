package serve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/golang/coverage"
	"tidepool/internal/hook"
	"tidepool/internal/work"
	"tidepool/lsp"
	"tidepool/protocol"
)

// heldWait is how long a session's start waits until the project's languages are known.
const heldWait = 500 * time.Millisecond

// withheld lists what does not run because the project is not trusted.
type withheld struct {
	trustee  trustState
	dir      string
	project  *lsp.Project
	work     *work.Work
	coverage *coverage.Collector // nil: no tests are measured
	settings func() []string     // keys of the settings that do not count because of it
}

// list returns what is held back, for people; nil: nothing. It waits until the project's languages are known, or ctx ends.
func (w *withheld) list(ctx context.Context, trusted bool) []string {
	held, languages := w.project.Held(ctx)
	if trusted {
		return held
	}
	if w.coverage != nil && slices.Contains(languages, "go") {
		held = append(held, "the measuring of Go tests")
	}
	if w.work.HasTracker() {
		held = append(held, "bd")
	}
	if keys := w.settings(); len(keys) > 0 {
		held = append(held, "settings of config.json ("+strings.Join(keys, ", ")+")")
	}
	return held
}

// Events returns the starts of sessions.
func (*withheld) Events() []protocol.Event { return []protocol.Event{protocol.SessionStart} }

// Hook returns what is held back.
func (w *withheld) Hook(ctx context.Context, _ *hook.Event) hook.Answer {
	return hook.Answer{Context: w.greeting(ctx)}
}

// greeting returns the line that a session reads where something is held back; else "".
func (w *withheld) greeting(ctx context.Context) string {
	what, wait := "this project is", heldWait
	trusted := w.trustee.Trusted(w.dir)
	if trusted {
		what, wait = "another repository in this project is", 0
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	held := w.list(ctx, trusted)
	if len(held) == 0 {
		return ""
	}
	return fmt.Sprintf("tidepool: %s not trusted, so these are held back: %s. Its user can trust it by `agent trust`, in a terminal.",
		what, strings.Join(held, ", "))
}

// state returns the state of trust for the status.
func (w *withheld) state(ctx context.Context) *protocol.TrustState {
	trusted, err := w.trustee.store.Trusted(w.dir)
	state := &protocol.TrustState{Trusted: trusted, Held: w.list(ctx, trusted)}
	if err != nil {
		state.Reason = strings.Join(Lines(err), "; ")
	}
	return state
}

// untrustedKeys returns the settings that would count if the project were trusted.
func untrustedKeys(settings *config.Config) []string {
	var keys []string
	for _, refused := range settings.Refused {
		if refused.Advice != "" {
			keys = append(keys, refused.Key)
		}
	}
	return keys
}
