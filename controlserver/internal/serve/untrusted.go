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

// untrusted lists what does not run because the project is not trusted.
type untrusted struct {
	trustee  trustState
	dir      string
	project  *lsp.Project
	work     *work.Work
	coverage *coverage.Collector // nil: no tests are measured
	settings func() []string     // keys of the settings that do not count because of it
}

// list returns what is held back, for people; nil: nothing. It waits until the project's languages are known, or ctx ends.
func (u *untrusted) list(ctx context.Context, trusted bool) []string {
	held, languages := u.project.Held(ctx)
	if trusted {
		return held
	}
	if u.coverage != nil && slices.Contains(languages, "go") {
		held = append(held, "the measuring of Go tests")
	}
	if u.work.HasTracker() {
		held = append(held, "bd")
	}
	if keys := u.settings(); len(keys) > 0 {
		held = append(held, "settings of config.json ("+strings.Join(keys, ", ")+")")
	}
	return held
}

// Events returns the starts of sessions.
func (*untrusted) Events() []protocol.Event { return []protocol.Event{protocol.SessionStart} }

// Hook returns what is held back.
func (u *untrusted) Hook(ctx context.Context, _ *hook.Event) hook.Answer {
	return hook.Answer{Context: u.sessionLine(ctx)}
}

// sessionLine returns the line that a session reads where something is held back; else "".
func (u *untrusted) sessionLine(ctx context.Context) string {
	what, wait := "this project is", heldWait
	trusted := u.trustee.Trusted(u.dir)
	if trusted {
		what, wait = "another repository in this project is", 0
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	held := u.list(ctx, trusted)
	if len(held) == 0 {
		return ""
	}
	return fmt.Sprintf("tidepool: %s not trusted, so these are held back: %s. Its user can trust it by `agent trust`, in a terminal.",
		what, strings.Join(held, ", "))
}

// state returns the state of trust for the status.
func (u *untrusted) state(ctx context.Context) *protocol.TrustState {
	trusted, err := u.trustee.store.Trusted(u.dir)
	state := &protocol.TrustState{Trusted: trusted, Held: u.list(ctx, trusted)}
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
