package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"tidepool/internal/audit"
	"tidepool/internal/config"
	"tidepool/internal/hook"
	"tidepool/internal/ref"
	"tidepool/internal/sandbox"
	"tidepool/internal/state"
	"tidepool/protocol"
	"tidepool/tools/broker"
	executiontools "tidepool/tools/execution"
	peopletools "tidepool/tools/people"
)

// execution is what a model may run, read and write unasked. It is opened at the first use; a failure is tried again at the next one.
type execution struct {
	project  string // the project's directory, without links
	settings *config.Config
	env      []string // of commands
	secrets  *secrets
	log      *slog.Logger
	offered  func(*state.Dir) *broker.Broker // makes what commands call, with its sockets in a directory

	mu     sync.Mutex
	closed bool
	opened *openedExecution // nil: nobody has used it
}

// An openedExecution is what the tools work with.
type openedExecution struct {
	parts *executiontools.Parts
	dir   *state.Dir
	box   *sandbox.Sandbox
	refs  *ref.Store
	calls *broker.Broker
}

// newExecution returns what runs commands in a project. environment is that of the shell which started the daemon. It opens nothing.
func newExecution(place protocol.Place, settings *config.Config, environment []string, secrets *secrets, log *slog.Logger) *execution {
	project, err := filepath.EvalSymlinks(place.Project)
	if err != nil {
		project = place.Project // the sandbox says why, at the first use
	}
	return &execution{project: project, settings: settings, env: commandEnvironment(environment), secrets: secrets, log: log}
}

// An execOffError means that the user has switched the safe tools off.
type execOffError struct{}

func (*execOffError) Error() string { return "the safe tools are off: exec.enabled is false" }

// Hint says how to switch them on.
func (*execOffError) Hint() string {
	return "use Bash, Read and Write, or set exec.enabled to true in .tidepool/config.json"
}

// open returns what the tools work with.
func (e *execution) open() (*openedExecution, error) {
	if !e.settings.Exec.Enabled {
		return nil, &execOffError{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errors.New("the daemon is stopping")
	}
	if e.opened != nil {
		return e.opened, nil
	}
	dir, err := state.Make(state.Of(e.project))
	if err != nil {
		return nil, err
	}
	opened, err := e.openIn(dir)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	e.opened = opened
	return opened, nil
}

// openIn opens everything in a state directory.
func (e *execution) openIn(dir *state.Dir) (*openedExecution, error) {
	box, err := e.sandbox()
	if err != nil {
		return nil, fmt.Errorf("making the sandbox: %w", err)
	}
	refs, err := ref.Open(dir.Sub("refs"), ref.Options{MaxBytes: int64(e.settings.Refs.MaxMB) << 20, TTL: e.settings.Refs.TTL})
	if err != nil {
		return nil, err
	}
	sessions, err := e.secrets.open()
	if err != nil {
		return nil, fmt.Errorf("making the scrubber: %w", err)
	}
	s := e.settings.Exec
	parts := &executiontools.Parts{
		Commands: box, Refs: refs, Env: e.env, Protect: s.Protect,
		Secrets: func(session string) executiontools.Secrets { return sessions.Of(session) },
		Limits: executiontools.Limits{
			Accept: sandbox.Level(s.Accept), Network: s.Network, Timeout: s.Timeout, MemoryMB: s.MemoryMB, Processes: s.Processes,
			OutputBytes: int64(s.OutputMB) << 20,
		},
	}
	if e.settings.Audit.Enabled {
		parts.Audit = audit.New(dir, audit.Options{})
	}
	calls := e.offered(dir.Sub("exec").Sub("sockets"))
	parts.Broker = calls
	return &openedExecution{parts, dir, box, refs, calls}, nil
}

// sandbox makes the sandbox of the project.
func (e *execution) sandbox() (*sandbox.Sandbox, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := e.settings.Exec
	return sandbox.New(sandbox.Options{
		Program: sandbox.ProgramOf(program), Project: e.project, Protected: s.Protect, Hide: s.Hide, Read: s.Read, Write: s.Write,
		Home: s.Home, Scratch: filepath.Join(state.Of(e.project), "exec"), Log: e.log,
	})
}

// references returns what is kept for a session, the latest first. It opens nothing if nothing can be kept.
func (e *execution) references(session string) ([]ref.Entry, error) {
	if !e.left() {
		return nil, nil
	}
	opened, err := e.open()
	if err != nil {
		return nil, err
	}
	return opened.refs.List(session), nil
}

// state returns how far commands are confined; nil if that has not been found out, because no command has run.
func (e *execution) state() *protocol.SandboxState {
	e.mu.Lock()
	opened := e.opened
	e.mu.Unlock()
	if opened == nil {
		return nil
	}
	s := opened.box.Known()
	if s.Level == "" {
		return nil
	}
	return &protocol.SandboxState{Level: string(s.Level), Missing: s.Missing, Step: s.Step, Why: s.Why}
}

// tools returns the toolset.
func (e *execution) tools(rules executiontools.Policy, people *peopletools.Toolset) *executiontools.Toolset {
	return &executiontools.Toolset{Root: e.project, Policy: rules, People: people, Open: func(context.Context) (*executiontools.Parts, error) {
		opened, err := e.open()
		if err != nil {
			return nil, err
		}
		return opened.parts, nil
	}}
}

// close ends the use of the files. Calls have ended, and with them the commands; what a command has called may end a little later.
func (e *execution) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.opened == nil {
		return nil
	}
	e.opened.calls.Close()
	return e.opened.dir.Close()
}

// Events returns the end of a session.
func (*execution) Events() []protocol.Event { return []protocol.Event{protocol.SessionEnd} }

// Hook removes what a session leaves: whole outputs, its /tmp, and the numbers of its secrets.
func (e *execution) Hook(ctx context.Context, event *hook.Event) hook.Answer {
	if !e.left() {
		return hook.Answer{}
	}
	opened, err := e.open()
	if err == nil {
		err = errors.Join(opened.refs.End(event.SessionID), opened.box.EndSession(event.SessionID))
		e.secrets.end(event.SessionID)
	}
	if err != nil {
		e.log.WarnContext(ctx, "what a session leaves is not removed", "session", event.SessionID, "err", err)
	}
	return hook.Answer{}
}

// left reports whether there may be something to remove, of this daemon or of one before.
func (e *execution) left() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.opened != nil || !e.settings.Exec.Enabled {
		return e.opened != nil
	}
	dir, err := state.Open(state.Of(e.project))
	if err != nil {
		return false
	}
	defer dir.Close()
	for _, name := range []string{"refs", "exec"} {
		if entries, err := dir.Sub(name).List(); err == nil && len(entries) > 0 {
			return true
		}
	}
	return false
}
