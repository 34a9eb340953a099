package serve

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"

	"tidepool/controlserver/internal/archive"
	"tidepool/internal/config"
	"tidepool/internal/conversation"
	"tidepool/internal/hook"
	"tidepool/protocol"
	conversationtools "tidepool/tools/conversation"
)

// conversations are what people and models said in the project. The archive is filled as long as the daemon runs, and keeps no
// daemon running: one that nobody needs exits between two transactions, and the next one goes on.
type conversations struct {
	opened  *archive.Opened // nil: it cannot be opened
	source  archive.Source  // what the tools ask
	enabled bool
	log     *slog.Logger
}

// openConversations starts to fill the archive of a project. A failure stops no daemon: the tools and agent status report it.
func openConversations(ctx context.Context, place protocol.Place, settings config.Conversations, log *slog.Logger) *conversations {
	c := &conversations{enabled: settings.Enabled, log: log}
	options := archive.Options{Project: place.Project, Settings: settings, Getenv: os.Getenv}
	project, err := filepath.EvalSymlinks(place.Project)
	if err == nil {
		options.Project = project
		if settings.Scope == "all" {
			c.opened, err = archive.OpenAllToFollow(ctx, options)
		} else {
			c.opened, err = archive.OpenToFollow(options)
		}
	}
	if err != nil {
		log.Warn("conversations cannot be searched", "err", err)
		c.source = unopened{err}
		return c
	}
	c.source = c.opened
	return c
}

// close ends the reading of transcripts. Its failure is logged, because the daemon did its other work well.
func (c *conversations) close() {
	if c.opened == nil {
		return
	}
	if err := c.opened.Close(); err != nil {
		c.log.Warn("conversations were not kept", "err", err)
	}
}

// Events returns those whose input names a transcript that has grown, or will.
func (*conversations) Events() []protocol.Event {
	return []protocol.Event{
		protocol.SessionStart, protocol.UserPromptSubmit, protocol.PostToolUse, protocol.Stop, protocol.SubagentStop, protocol.SessionEnd,
	}
}

// Hook hints at the transcripts of an event and says nothing. It never waits for their reading.
func (c *conversations) Hook(_ context.Context, e *hook.Event) hook.Answer {
	if c.opened == nil {
		return hook.Answer{}
	}
	for _, path := range []string{e.TranscriptPath, e.AgentTranscriptPath} {
		if path != "" {
			c.opened.Hint(path)
		}
	}
	return hook.Answer{}
}

// tools returns the toolset that asks the archive.
func (c *conversations) tools() *conversationtools.Toolset {
	home, _ := os.UserHomeDir() // without one, paths are written whole
	return &conversationtools.Toolset{Archive: c.source, Home: home}
}

// state describes the archive for agent status; nil: it is switched off.
func (c *conversations) state(ctx context.Context) *protocol.ConversationsState {
	if !c.enabled {
		return nil
	}
	if c.opened == nil {
		return &protocol.ConversationsState{State: conversation.Partial, Why: c.source.(unopened).err.Error()}
	}
	s, err := c.opened.Status(ctx)
	state := &protocol.ConversationsState{
		State: s.State.State, Share: s.State.Share, Why: s.State.Why, Sessions: s.Sessions, Turns: s.Turns, Gone: s.Gone, Refused: s.Refused,
		Skipped: s.Skipped, Unreadable: s.Unreadable, StoreBytes: s.Bytes, SourceBytes: s.Source, MemoryBytes: int64(s.Memory), Notes: s.Notes,
	}
	if err != nil {
		state.State, state.Why = conversation.Partial, err.Error()
	}
	return state
}

// An unopened source fails with the reason why the archive cannot be opened.
type unopened struct{ err error }

// Search fails.
func (u unopened) Search(context.Context, conversation.Query) (conversation.Found, error) {
	return conversation.Found{}, u.err
}

// List fails.
func (u unopened) List(context.Context, conversation.ListQuery) ([]conversation.Summary, int, conversation.Completeness, error) {
	return nil, 0, conversation.Completeness{}, u.err
}

// Turn fails.
func (u unopened) Turn(context.Context, string, int) (conversation.Turn, error) {
	return conversation.Turn{}, u.err
}

// Conversation fails.
func (u unopened) Conversation(context.Context, string, int, int) (conversation.Summary, []conversation.Turn, error) {
	return conversation.Summary{}, nil, u.err
}
