package oldnames

import (
	"context"
	"fmt"
	"path/filepath"

	"tidepool/tools"
)

// Sessions are those of programs without hooks.
type Sessions interface {
	// Begin begins a session and returns its id, which is new unless the program names one.
	Begin(ctx context.Context, id string) string
	// End ends a session. With distill, what it was about is remembered; the result is how many memories come from the session.
	End(ctx context.Context, id, outcome string, distill bool) (memories int, err error)
}

// SessionStartInput is what session_start takes.
type SessionStartInput struct {
	ProjectPath     string `json:"project_path,omitempty" jsonschema:"maxLength=4096" jsonschema_description:"The project's directory, or one below; another project has a daemon of its own."`
	TaskDescription string `json:"task_description,omitempty" jsonschema:"maxLength=10000" jsonschema_description:"What the session is for: memories that matter to it are returned."`
}

// SessionStartOutput is what session_start returns.
type SessionStartOutput struct {
	SessionID       string `json:"session_id"`
	InjectedContext string `json:"injected_context"`
	TokensUsed      int    `json:"tokens_used"`
}

// SessionStart begins a session of a program. A caller that names a session keeps it.
func (t *Toolset) SessionStart(ctx context.Context, call tools.Call, in SessionStartInput) (SessionStartOutput, error) {
	if !t.within(in.ProjectPath) {
		return SessionStartOutput{}, &sessionError{fmt.Sprintf("%q is not in the project of this daemon, %s", in.ProjectPath, t.Root), "ask the daemon of that project: its socket is .tidepool/control.sock there"}
	}
	id := t.Sessions.Begin(ctx, call.Caller.Session)
	text := t.Tell(ctx, id, in.TaskDescription)
	return SessionStartOutput{id, text, (len(text) + 3) / 4}, nil
}

// within reports whether a path is the project or below it; "" is the project.
func (t *Toolset) within(path string) bool {
	if path == "" {
		return true
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	root, err := filepath.EvalSymlinks(t.Root)
	if err != nil {
		return false
	}
	below, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(below)
}

// SessionEndInput is what session_end takes.
type SessionEndInput struct {
	SessionID string `json:"session_id" jsonschema:"minLength=1,maxLength=128" jsonschema_description:"The id that session_start returned, or the program's own."`
	Outcome   string `json:"outcome,omitempty" jsonschema:"enum=success,enum=failure,enum=partial" jsonschema_description:"How it ended, for the audit log."`
	Distill   *bool  `json:"distill,omitempty" jsonschema_description:"Whether what the session was about is remembered; left out: it is."`
}

// SessionEndOutput is what session_end returns.
type SessionEndOutput struct {
	MemoriesExtracted int `json:"memories_extracted"`
	TokensUsed        int `json:"tokens_used"`
}

// SessionEnd ends a session of a program. Those of Claude Code end by its hooks: an id never ends what belongs to one of them.
func (t *Toolset) SessionEnd(ctx context.Context, _ tools.Call, in SessionEndInput) (SessionEndOutput, error) {
	n, err := t.Sessions.End(ctx, in.SessionID, in.Outcome, in.Distill == nil || *in.Distill)
	return SessionEndOutput{MemoriesExtracted: n}, err
}

// A sessionError means that a session is not begun.
type sessionError struct{ what, hint string }

func (e *sessionError) Error() string { return e.what }

// Hint says what to do.
func (e *sessionError) Hint() string { return e.hint }
