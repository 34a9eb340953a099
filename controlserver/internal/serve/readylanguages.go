package serve

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/hook"
	"tidepool/lsp"
	"tidepool/protocol"
)

// readyLanguages is the contributor that tells a session at its start which tools can answer at once.
type readyLanguages struct {
	project   *lsp.Project
	languages []lsp.Language
	tools     []string // the names of those that answer about the code
}

// Events returns the starts of sessions.
func (readyLanguages) Events() []protocol.Event { return []protocol.Event{protocol.SessionStart} }

// Hook returns which language servers know the whole project, and the tools that therefore answer at once; nothing if none
// does.
func (r readyLanguages) Hook(context.Context, *hook.Event) hook.Answer {
	var complete []string
	for _, s := range r.project.Completeness().Servers {
		if s.State == lsp.Complete {
			complete = append(complete, r.programOf(s.Language))
		}
	}
	if len(complete) == 0 {
		return hook.Answer{}
	}
	return hook.Answer{Context: fmt.Sprintf("tidepool: %s has loaded this project (complete): %s answer at once.",
		strings.Join(complete, ", "), strings.Join(r.tools, ", "))}
}

func (r readyLanguages) programOf(language string) string {
	i := slices.IndexFunc(r.languages, func(l lsp.Language) bool { return l.ID == language })
	return filepath.Base(r.languages[i].Command[0])
}
