package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tidepool/lsp"
)

// Wait is what every tool that asks language servers takes beside its own.
type Wait struct {
	WaitSeconds *float64 `json:"wait_seconds,omitempty" jsonschema:"minimum=0,maximum=300" jsonschema_description:"How long to wait for language servers that still load the project, before answering with what is known; 0: not at all. Without it, some seconds."`
}

// budget returns what the View is told: nil is the project's, and 0 is not at all.
func (w Wait) budget() time.Duration {
	switch {
	case w.WaitSeconds == nil:
		return 0
	case *w.WaitSeconds == 0:
		return -1
	}
	return time.Duration(*w.WaitSeconds * float64(time.Second))
}

// Look returns a View of the code around the caller, for whom waits are progress.
func Look(ctx context.Context, call Call, project *lsp.Project, wait Wait) (*lsp.View, error) {
	return look(ctx, call, project, lsp.ViewOptions{Budget: wait.budget()})
}

// LookStrictly is Look for a tool that makes many requests: servers that know the project have no longer for all of them, either, than a
// call waits for those that do not.
func LookStrictly(ctx context.Context, call Call, project *lsp.Project, wait Wait) (*lsp.View, error) {
	return look(ctx, call, project, lsp.ViewOptions{Budget: wait.budget(), Strict: true})
}

func look(ctx context.Context, call Call, project *lsp.Project, options lsp.ViewOptions) (*lsp.View, error) {
	told := 0.0
	options.Dir, options.Progress = call.Caller.Dir, func(c lsp.Completeness) {
		told++
		// Below 1, so that a tool may count on from there.
		call.Report(Progress{Done: told / (told + 1), Message: waiting(c)})
	}
	return project.View(ctx, options)
}

// waiting says in one line what is waited for.
func waiting(c lsp.Completeness) string {
	at := slices.IndexFunc(c.Servers, func(s lsp.ServerCompleteness) bool { return s.State == lsp.Indexing && s.Total > 0 })
	text := strings.TrimPrefix(string(c.State)+": "+c.Reason, ": ")
	if at < 0 {
		return text
	}
	return fmt.Sprintf("%s (%d of %d)", text, c.Servers[at].Done, c.Servers[at].Total)
}
