package hook

import (
	"encoding/json"
	"path/filepath"

	"tidepool/protocol"
)

// noteChange passes on which files the tool of a hook, or a person between two turns, may have changed. A tool that
// failed may have changed them before it did.
func (h *Handler) noteChange(in *protocol.HookInput) {
	if path := changed(in); h.files != nil && path != "" {
		h.files.FilesChanged(path)
	}
}

// changed is the file, or the directory below which files, may be changed; "" is none.
func changed(in *protocol.HookInput) string {
	switch {
	case in.Event == protocol.FileChanged:
		return absolute(in, in.FilePath)
	case in.ToolName == "", in.ToolName == "Bash": // what a person or a command does, nobody knows
		return in.Cwd
	}
	return edited(in)
}

// edited is the file that the tool of a hook writes to; "" is none.
func edited(in *protocol.HookInput) string {
	switch in.ToolName {
	case "Edit", "Write", "MultiEdit":
		return absolute(in, member(in.ToolInput, "file_path"))
	case "NotebookEdit":
		return absolute(in, member(in.ToolInput, "notebook_path"))
	}
	return ""
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
