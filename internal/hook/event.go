package hook

import (
	"encoding/json"
	"path/filepath"

	"tidepool/internal/session"
	"tidepool/protocol"
)

// An Event is a hook's input, and whose hook it is. All contributors read the same one, and none changes it.
type Event struct {
	*protocol.HookInput
	From     session.Conversation
	First    bool // no event of its session has come before
	NoRecall bool // its user wants nothing of the session remembered, see [protocol.HookEvent]

	Fingerprints json.RawMessage // of secret values, see [protocol.HookEvent]; nil: none
}

// Edited returns the file that the event's tool writes to, as an absolute path; "" is none.
func (e *Event) Edited() string {
	key := "file_path"
	switch e.ToolName {
	case "Edit", "Write", "MultiEdit":
	case "NotebookEdit":
		key = "notebook_path"
	default:
		return ""
	}
	path := member(e.ToolInput, key)
	if !filepath.IsAbs(path) { // the response knows better, but may hold the whole file
		if found := member(e.ToolResponse, "filePath"); found != "" {
			path = found
		}
	}
	return e.Absolute(path)
}

// Absolute returns a path of the event, which may be relative to the conversation's directory; "" stays as it is.
func (e *Event) Absolute(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(e.Cwd, path)
}

// member returns a text in an object, "" if there is none.
func member(object json.RawMessage, key string) string {
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal(object, &members) != nil || json.Unmarshal(members[key], &text) != nil {
		return ""
	}
	return text
}
