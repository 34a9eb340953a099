package transcript

import (
	"errors"
	"path"
	"strings"
)

// claude reads the transcripts of Claude Code.
func claude() Source {
	return Source{Name: "claude", Root: claudeRoot, File: claudeFile, decode: decodeClaude}
}

func claudeRoot(home string, getenv func(string) string) string {
	dir := getenv("CLAUDE_CONFIG_DIR")
	if dir == "" {
		dir = path.Join(home, ".claude")
	}
	return path.Join(dir, "projects")
}

// claudeFile knows <slug>/<session>.jsonl, <slug>/agent-<id>.jsonl of former versions, and below <slug>/<session>/subagents/
// agent-<id>.jsonl and workflows/<id>/agent-<id>.jsonl.
func claudeFile(rel string) (File, bool) {
	parts := strings.Split(rel, "/")
	stem, ok := strings.CutSuffix(parts[len(parts)-1], ".jsonl")
	agent := strings.HasPrefix(stem, "agent-")
	switch {
	case !ok || stem == "":
		return File{}, false
	case len(parts) == 2:
		return File{Session: stem, Sidechain: agent, Group: parts[0]}, true
	case len(parts) == 4 && agent && parts[2] == "subagents",
		len(parts) == 6 && agent && parts[2] == "subagents" && parts[3] == "workflows":
		return File{Session: stem, Parent: parts[1], Sidechain: true, Group: parts[0]}, true
	}
	return File{}, false
}

func decodeClaude(line []byte) (Event, error) { return Event{}, errors.New("not yet") }
