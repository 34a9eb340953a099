package oldnames

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"tidepool/tools"
)

// A Lifecycle begins and ends sessions of programs that have no hooks.
type Lifecycle interface {
	// Begin returns what a session reads at its start: what is remembered of the project and of a task.
	Begin(ctx context.Context, session, task string) (text string)
	// End removes what a session has: references, scratch, the numbers of its secrets. With distill, what it was about is remembered; the
	// result is how many memories come from the session.
	End(ctx context.Context, session, outcome string, distill bool) (memories int, err error)
}

// Bounds of sessions of programs.
const (
	maxSessions = 1000
	lifetime    = 24 * time.Hour
	startPrefix = "sess_" // of an id that session_start has made
)

// sessions are those that session_start has begun and nobody has ended. The zero value has none.
type sessions struct {
	mu    sync.Mutex
	began map[string]time.Time
}

// begin makes a session, and returns the ones that are over because of it: those that began a day ago, and the oldest if there are too many.
func (s *sessions) begin(now time.Time) (id string, over []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began == nil {
		s.began = map[string]time.Time{}
	}
	oldest := ""
	for id, at := range s.began {
		if now.Sub(at) > lifetime {
			over = append(over, id)
			delete(s.began, id)
		} else if oldest == "" || at.Before(s.began[oldest]) {
			oldest = id
		}
	}
	if len(s.began) >= maxSessions {
		over = append(over, oldest)
		delete(s.began, oldest)
	}
	id = startPrefix + rand.Text()
	s.began[id] = now
	return id, over
}

// end reports whether a session had begun.
func (s *sessions) end(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.began[id]
	delete(s.began, id)
	return known
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
	id, over := call.Caller.Session, []string(nil)
	if id == "" {
		id, over = t.sessions.begin(t.now())
	}
	for _, old := range over {
		if _, err := t.Lifecycle.End(ctx, old, "", false); err != nil {
			return SessionStartOutput{}, fmt.Errorf("ending a session that began long ago: %w", err)
		}
	}
	text := t.Lifecycle.Begin(ctx, id, in.TaskDescription)
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
	id := in.SessionID
	switch {
	case !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(id):
		return SessionEndOutput{}, &sessionError{fmt.Sprintf("%q is no id of a session", id), "ids have letters, digits, _ and -"}
	case regexp.MustCompile(`^(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(id):
		return SessionEndOutput{}, &sessionError{id + " is the id of a session of Claude Code, which ends it itself", "end a session that session_start has begun, or one of the program's own"}
	case !t.sessions.end(id) && len(id) >= len(startPrefix) && id[:len(startPrefix)] == startPrefix:
		return SessionEndOutput{}, &missingError{sessionError{"there is no session " + id, "it was ended, or began more than a day ago, or the daemon has started anew; what it had goes after a day"}}
	}
	n, err := t.Lifecycle.End(ctx, id, cmp.Or(in.Outcome, "not said"), in.Distill == nil || *in.Distill)
	return SessionEndOutput{MemoriesExtracted: n}, err
}

// A sessionError means that a session is not begun or not ended.
type sessionError struct{ what, hint string }

func (e *sessionError) Error() string { return e.what }

// Hint says what to do.
func (e *sessionError) Hint() string { return e.hint }

// A missingError means that there is no such session.
type missingError struct{ sessionError }

// IsNotFound tells this failure from others.
func (*missingError) IsNotFound() bool { return true }
