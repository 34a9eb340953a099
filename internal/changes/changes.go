// Package changes reports which files the tools of a client, or a person between two turns, may have changed.
package changes

import (
	"context"
	"strings"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// Files is told which files may have changed, by absolute path. The path of a directory stands for what is below it.
// FilesChanged must not wait for anything.
type Files interface {
	FilesChanged(paths ...string)
}

// A Contributor passes changes on to Files. It says nothing to an event.
type Contributor struct{ Files Files }

// Events returns those around which files change.
func (Contributor) Events() []protocol.Event {
	return []protocol.Event{
		protocol.SessionStart, protocol.UserPromptSubmit, protocol.PostToolUse, protocol.PostToolUseFailure, protocol.FileChanged,
		protocol.CwdChanged, protocol.WorktreeCreate, protocol.WorktreeRemove,
	}
}

// Hook tells of the file that an event changed, or of the directory where it may have changed some. A tool that failed may
// have changed them before it did.
func (c Contributor) Hook(_ context.Context, e *hook.Event) hook.Answer {
	if path := changed(e); path != "" {
		c.Files.FilesChanged(path)
	}
	return hook.Answer{}
}

// changed returns the file that is changed, or a directory for changes that nobody knows of; "" is none.
func changed(e *hook.Event) string {
	switch e.Event {
	case protocol.FileChanged:
		return e.Absolute(e.FilePath)
	case protocol.WorktreeRemove:
		return e.Absolute(e.WorktreePath)
	case protocol.CwdChanged:
		if e.NewCwd != "" {
			return e.NewCwd
		}
	}
	if path := e.Edited(); path != "" {
		return path
	}
	if readsOnly(e.ToolName) {
		return ""
	}
	return e.Cwd
}

// readsOnly says of a tool that it changes no files. Of others, such as those of MCP servers, nobody knows.
func readsOnly(tool string) bool {
	switch tool {
	case "Read", "NotebookRead", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "ToolSearch", "AskUserQuestion", "TodoWrite":
		return true
	}
	return strings.HasPrefix(tool, "mcp__tidepool__")
}
