package hook

import (
	"encoding/json"
	"path/filepath"

	"tidepool/protocol"
)

// noteChange passes on which files the tool of a hook may have changed. A tool that failed may have changed them
// before it did.
func (h *Handler) noteChange(in *protocol.HookInput) {
	if h.files == nil {
		return
	}
	path := changed(in)
	if path == "" {
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(in.Cwd, path)
	}
	h.files.FilesChanged(path)
}

// changed is the file, or the directory below which files, may be changed; "" is none.
func changed(in *protocol.HookInput) string {
	if in.Event == protocol.FileChanged {
		return in.FilePath
	}
	switch in.ToolName {
	case "Edit", "Write", "MultiEdit":
		return member(in.ToolInput, "file_path")
	case "NotebookEdit":
		return member(in.ToolInput, "notebook_path")
	case "Bash":
		return in.Cwd // what a command does, nobody knows
	}
	return ""
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
