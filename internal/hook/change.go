package hook

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"tidepool/protocol"
)

// noteChange passes on which files the tool of a hook, or a person between two turns, may have changed. A tool that
// failed may have changed them before it did.
func (h *Handler) noteChange(in *protocol.HookInput) {
	if path := changed(in); h.files != nil && path != "" {
		h.files.FilesChanged(path)
	}
}

// changed is the file that is changed, or a directory for changes that nobody knows of; "" is none.
func changed(in *protocol.HookInput) string {
	switch in.Event {
	case protocol.FileChanged:
		return absolute(in, in.FilePath)
	case protocol.WorktreeRemove:
		return absolute(in, in.WorktreePath)
	case protocol.CwdChanged:
		if in.NewCwd != "" {
			return in.NewCwd
		}
	}
	if path := edited(in); path != "" {
		return path
	}
	if readsOnly(in.ToolName) {
		return ""
	}
	return in.Cwd
}

// edited is the file that the tool of a hook writes to; "" is none.
func edited(in *protocol.HookInput) string {
	key := "file_path"
	switch in.ToolName {
	case "Edit", "Write", "MultiEdit":
	case "NotebookEdit":
		key = "notebook_path"
	default:
		return ""
	}
	path := member(in.ToolInput, key)
	if !filepath.IsAbs(path) { // the response knows better, but may hold the whole file
		if found := member(in.ToolResponse, "filePath"); found != "" {
			path = found
		}
	}
	return absolute(in, path)
}

// readsOnly says of a tool that it changes no files. Of others, such as those of MCP servers, nobody knows.
func readsOnly(tool string) bool {
	switch tool {
	case "Read", "NotebookRead", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "ToolSearch", "AskUserQuestion", "TodoWrite":
		return true
	}
	return strings.HasPrefix(tool, "mcp__tidepool__")
}

func absolute(in *protocol.HookInput, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(in.Cwd, path)
}

// member is a text in an object, "" if there is none.
func member(object json.RawMessage, key string) string {
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal(object, &members) != nil || json.Unmarshal(members[key], &text) != nil {
		return ""
	}
	return text
}
