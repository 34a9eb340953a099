package redact

import (
	"encoding/json"
	"strings"

	"tidepool/protocol"
)

// A response is a tool's response that can be replaced.
type response struct {
	file  bool // it has the text of a file, which the model may quote to edit the file
	lines bool // that text is the member content
	first int  // number of its first line
}

// shapeOf returns how a tool's response is to be replaced, and whether its tool and its shape are known. Claude Code ignores a
// replacement whose shape it does not know, and shows the original; so does a response that is not replaced, but nobody claims
// otherwise. Recorded with Claude Code 2.1.328: testdata/exchanges.
func shapeOf(in *protocol.HookInput) (r response, known bool) {
	if strings.HasPrefix(in.ToolName, "mcp__") { // Claude Code takes any JSON for those
		return response{}, len(in.ToolResponse) > 0 && json.Valid(in.ToolResponse)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(in.ToolResponse, &members) != nil {
		return response{}, false
	}
	switch in.ToolName {
	case "Bash":
		return response{}, isText(members["stdout"]) && isText(members["stderr"])
	case "Grep":
		return response{}, isText(members["mode"]) && isList(members["filenames"])
	case "Glob":
		return response{}, isList(members["filenames"])
	case "Edit":
		return response{file: true}, isText(members["filePath"]) && isList(members["structuredPatch"])
	case "Read":
		return readShape(members)
	}
	return response{}, false
}

// readShape returns the shape of Read's response: a text or a notebook. Images and documents hold no text.
func readShape(members map[string]json.RawMessage) (response, bool) {
	var kind string
	var file struct {
		Content   *string           `json:"content"`
		StartLine int               `json:"startLine"`
		Cells     []json.RawMessage `json:"cells"`
	}
	if json.Unmarshal(members["type"], &kind) != nil || json.Unmarshal(members["file"], &file) != nil {
		return response{}, false
	}
	switch kind {
	case "text":
		return response{file: true, lines: true, first: max(file.StartLine, 1)}, file.Content != nil
	case "notebook":
		return response{file: true}, file.Cells != nil
	}
	return response{}, false
}

func isText(value json.RawMessage) bool { return len(value) > 0 && value[0] == '"' }
func isList(value json.RawMessage) bool { return len(value) > 0 && value[0] == '[' }
