package serve

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/audit"
	"tidepool/internal/hook"
	"tidepool/internal/recall"
	"tidepool/protocol"

	"tidepool/controlserver/internal/mcpsource"
	"tidepool/internal/claudememory"
	"tidepool/internal/recall/memory"
	"tidepool/internal/recollect"
	"tidepool/internal/session"
	"tidepool/internal/session/program"
	"tidepool/internal/skill"
	"tidepool/internal/state"
	journaltools "tidepool/tools/journal"
	memorytools "tidepool/tools/memory"
	"tidepool/tools/oldnames"
	peopletools "tidepool/tools/people"
	skilltools "tidepool/tools/skill"
)

// get returns what is remembered, and the project.
func (m *memories) get(ctx context.Context) (*recollect.Opened, memory.Project, error) {
	opened, err := m.opener.Get(ctx)
	if err != nil {
		return nil, memory.Project{}, err
	}
	return opened, opened.Store.Project(), nil
}

// tools returns the toolset of the memories.
func (m *memories) tools(root string, trusted func() bool) *memorytools.Toolset {
	return &memorytools.Toolset{Root: root, Files: claudeFiles{trusted}, Open: func(ctx context.Context) (memorytools.Memories, memory.Project, error) {
		opened, project, err := m.get(ctx)
		if err != nil {
			return nil, project, err
		}
		return opened.Store, project, nil
	}}
}

// source lists the memories of the project.
func (m *memories) source() *mcpsource.Memories {
	return &mcpsource.Memories{Open: func(ctx context.Context) (mcpsource.Finder, memory.Project, error) {
		opened, project, err := m.get(ctx)
		if err != nil {
			return nil, project, err
		}
		return opened.Store, project, nil
	}}
}

// journal returns the toolset of the journal.
func (m *memories) journal() *journaltools.Toolset {
	return &journaltools.Toolset{Open: func(ctx context.Context) (journaltools.Journal, error) {
		opened, _, err := m.get(ctx)
		if err != nil {
			return nil, err
		}
		return opened.Journal, nil
	}}
}

// oldNames returns the tools under the names that older clients know.
func (m *memories) oldNames(owner programOwner, sessions *program.Sessions) *oldnames.Toolset {
	return &oldnames.Toolset{Root: owner.execution.project, Sessions: sessions, Tell: owner.Tell, Open: func(ctx context.Context) (oldnames.Memories, oldnames.Journal, memory.Project, error) {
		opened, project, err := m.get(ctx)
		if err != nil {
			return nil, nil, project, err
		}
		return opened.Store, opened.Journal, project, nil
	}}
}

// claudeFiles are the files in which Claude Code remembers.
type claudeFiles struct {
	trusted func() bool // the project's settings may name a directory of them
}

// Search finds passages, as the project is trusted at present.
func (f claudeFiles) Search(ctx context.Context, q claudememory.Query) (claudememory.Found, error) {
	home, _ := os.UserHomeDir() // without one, there are the files of the project
	files := claudememory.New(claudememory.Options{Home: home, ConfigDir: os.Getenv("CLAUDE_CONFIG_DIR"), Trusted: f.trusted()})
	return files.Search(ctx, q)
}

// skills returns the tools for Claude Code's skills and agents.
func (p *parts) skills(rules skilltools.Policy, people *peopletools.Toolset) *skilltools.Toolset {
	home, _ := os.UserHomeDir() // without one, there are those of the project
	project := p.place.Project
	return &skilltools.Toolset{
		Documents: skill.New(skill.Options{Project: project, Home: home, ConfigDir: os.Getenv("CLAUDE_CONFIG_DIR")}),
		People:    people, Policy: rules,
		Trusted: func() bool { return p.trustee.Trusted(project) },
		Scrub: func(session, text string) (string, error) {
			registry, err := p.secrets.of(session)
			if err != nil {
				return "", fmt.Errorf("searching for secrets, so the text is withheld: %w", err)
			}
			clean, _ := registry.Text(text)
			return clean, nil
		},
		Backup: func(name, text string) (string, error) { return skill.Backup(project, name, text) },
		Audit:  p.execution.auditor,
	}
}

// auditor returns the audit log; nil if nothing is written down.
func (e *execution) auditor() skilltools.Auditor {
	opened, err := e.open()
	if err != nil || opened.parts.Audit == nil {
		return nil
	}
	return opened.parts.Audit
}

// programOwner has what belongs to the sessions of programs without hooks: what answers the hooks of others.
type programOwner struct {
	memories      *memories
	execution     *execution
	conversations *session.Conversations
}

// newPrograms returns the sessions of programs, which are in a file of the state directory.
func newPrograms(place protocol.Place, owner programOwner, log *slog.Logger) *program.Sessions {
	return program.New(program.Options{Owner: owner, File: filepath.Join(state.Of(place.Project), "sessions.json"), Log: log})
}

// Claims reports whether hooks have named a session: those of this daemon, or of one before that have told of a transcript.
func (o programOwner) Claims(ctx context.Context, session string) bool {
	if o.conversations.Knows(session) {
		return true
	}
	opened, _ := o.memories.opener.Peek()
	if opened == nil {
		return false
	}
	transcript, err := opened.Store.Transcript(ctx, session)
	return err == nil && transcript != nil
}

// Tell returns what is remembered of the project, and of a task as if it were the session's first prompt.
func (o programOwner) Tell(ctx context.Context, session, task string) string {
	text := o.memories.hooks.Hook(ctx, o.event(session, protocol.SessionStart, "")).Context
	if told := o.memories.hooks.Hook(ctx, o.event(session, protocol.UserPromptSubmit, task)).Context; told != "" {
		text = strings.TrimSpace(text + "\n\n" + told)
	}
	return text
}

// End removes what a session has. It is written down.
func (o programOwner) End(ctx context.Context, session, outcome string, distill bool) (int, error) {
	found := 0
	if opened, _, err := o.memories.get(ctx); err == nil {
		if distill {
			o.memories.hooks.Hook(ctx, o.event(session, protocol.SessionEnd, ""))
		} else {
			opened.Store.SessionEnded(session) // others may take over what it left unfinished
		}
		all, err := opened.Store.List(ctx, recall.ListQuery{Session: session, Limit: 1000})
		if err != nil {
			return 0, err
		}
		found = len(all)
	}
	o.execution.Hook(ctx, o.event(session, protocol.SessionEnd, ""))
	if log := o.execution.auditor(); log != nil {
		return found, log.Append(audit.Entry{Time: time.Now().UTC(), Session: session, Tool: "session_end", Input: "outcome " + outcome})
	}
	return found, nil
}

// event makes the event that a client with hooks would send.
func (o programOwner) event(session string, event protocol.Event, prompt string) *hook.Event {
	return &hook.Event{HookInput: &protocol.HookInput{SessionID: session, Event: event, Cwd: o.execution.project, Source: map[bool]string{true: "startup"}[event == protocol.SessionStart], Prompt: prompt}}
}
