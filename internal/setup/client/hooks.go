package client

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"tidepool/internal/setup/jsonedit"
	"tidepool/protocol"
)

// hooks are the entries for hook events. Each is a shell line, "agent hook pre-tool-use --runtime codex"; the word agent may
// be a path, and quoted.
type hooks struct {
	runtime string
	events  []hookEvent
	entry   func(command string, e hookEvent) any // what is appended to an event's list
	nested  bool                                  // an element of that list is a group with a list "hooks" of its own
}

// A hookEvent is an event for which there is a hook.
type hookEvent struct {
	name    string         // as the client calls it
	event   protocol.Event // Claude Code's, which the line names
	matcher string         // of tools; "": all
}

func (e hookEvent) timeout() time.Duration { return protocol.TimeOf(e.event).Timeout }

// A group is an element of an event's list for Codex and Gemini CLI.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

type handler struct {
	Name    string `json:"name,omitempty"` // Gemini CLI shows it
	Type    string `json:"type,omitempty"`
	Command string `json:"command"`
	Timeout int64  `json:"timeout"`
}

func codexHooks() hooks {
	return hooks{runtime: "codex", nested: true, events: []hookEvent{
		{"SessionStart", protocol.SessionStart, ""},
		{"UserPromptSubmit", protocol.UserPromptSubmit, ""},
		{"PreToolUse", protocol.PreToolUse, ""},
		{"PostToolUse", protocol.PostToolUse, "^(Bash|apply_patch|mcp__.*)$"},
		{"Stop", protocol.Stop, ""},
		{"SessionEnd", protocol.SessionEnd, ""},
	}, entry: func(command string, e hookEvent) any {
		return group{e.matcher, []handler{{Type: "command", Command: command, Timeout: int64(e.timeout() / time.Second)}}}
	}}
}

// geminiHooks has none for PreCompress, which Gemini CLI sends at each request to the model.
func geminiHooks() hooks {
	return hooks{runtime: "gemini", nested: true, events: []hookEvent{
		{"SessionStart", protocol.SessionStart, ""},
		{"BeforeAgent", protocol.UserPromptSubmit, ""},
		{"BeforeTool", protocol.PreToolUse, ""},
		{"AfterTool", protocol.PostToolUse, "^(run_shell_command|write_file|replace|read_file|mcp_.*)$"},
		{"AfterAgent", protocol.Stop, ""},
		{"SessionEnd", protocol.SessionEnd, ""},
	}, entry: func(command string, e hookEvent) any {
		return group{e.matcher, []handler{{serverName, "command", command, e.timeout().Milliseconds()}}}
	}}
}

func cursorHooks() hooks {
	return hooks{runtime: "cursor", events: []hookEvent{
		{"sessionStart", protocol.SessionStart, ""},
		{"beforeSubmitPrompt", protocol.UserPromptSubmit, ""},
		{"preToolUse", protocol.PreToolUse, ""},
		{"postToolUse", protocol.PostToolUse, ""},
		{"postToolUseFailure", protocol.PostToolUseFailure, ""},
		{"stop", protocol.Stop, ""},
		{"sessionEnd", protocol.SessionEnd, ""},
	}, entry: func(command string, e hookEvent) any {
		return handler{Command: command, Timeout: int64(e.timeout() / time.Second)}
	}}
}

// line returns the shell line of an event.
func (h hooks) line(program string, e hookEvent) string {
	if strings.Trim(program, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") != "" {
		program = "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	}
	return program + " hook " + e.event.Kebab() + " --runtime " + h.runtime
}

// hookLine matches a line of ours, whatever its event.
var hookLine = regexp.MustCompile(`^('(?:[^']|'\\'')*'|[^\s'"$` + "`" + `;&|<>()]+) hook ([a-z-]+) --runtime ([a-z]+)$`)

// programOf returns the program of a line of ours, "" for other lines.
func (h hooks) programOf(line string) string {
	parts := hookLine.FindStringSubmatch(line)
	if parts == nil || parts[3] != h.runtime {
		return ""
	}
	path := parts[1]
	if quoted, is := strings.CutPrefix(path, "'"); is {
		path = strings.ReplaceAll(strings.TrimSuffix(quoted, "'"), `'\''`, "'")
	}
	if filepath.Base(path) != program {
		return ""
	}
	return path
}

// A place is where a hook of ours stands.
type place struct {
	event   string
	program string
	line    string
	alone   bool   // the group around it has no other hook
	group   string // the pointer to the element of the event's list
	hook    string // the pointer to the hook
}

// find returns the hooks that are ours, in the order of the text.
func (h hooks) find(text []byte) (all []place, err error) {
	for _, e := range h.events {
		list, err := jsonedit.Find(text, "/hooks/"+e.name)
		if err != nil {
			return nil, explain(err)
		}
		var elements []struct {
			Command string
			Hooks   []struct{ Command string }
		}
		if list != nil && json.Unmarshal(list, &elements) != nil {
			return nil, &Error{jsonedit.Line(text, "/hooks/"+e.name), "this is no list of hooks", "put the file right, then try again; nothing was changed"}
		}
		for i, element := range elements {
			group := fmt.Sprintf("/hooks/%s/%d", e.name, i)
			if !h.nested {
				if program := h.programOf(element.Command); program != "" {
					all = append(all, place{e.name, program, element.Command, true, group, group})
				}
				continue
			}
			for j, one := range element.Hooks {
				if program := h.programOf(one.Command); program != "" {
					all = append(all, place{e.name, program, one.Command, len(element.Hooks) == 1, group, fmt.Sprintf("%s/hooks/%d", group, j)})
				}
			}
		}
	}
	return all, nil
}

// Find returns the hooks that are ours.
func (h hooks) Find(text []byte) ([]Entry, error) {
	found, err := h.find(text)
	var all []Entry
	for _, p := range found {
		all = append(all, Entry{What: "hooks", Command: p.program})
	}
	return all, err
}

// Put adds the hooks that are missing, and changes lines that name another program or event.
func (h hooks) Put(text []byte, program string) ([]byte, error) {
	found, err := h.find(text)
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	for _, p := range found {
		have[p.event] = true
	}
	for _, e := range h.events {
		line := h.line(program, e)
		for _, p := range found {
			if p.event == e.name && p.line != line {
				if text, err = jsonedit.Insert(text, p.hook+"/command", line); err != nil {
					return nil, explain(err)
				}
			}
		}
		if !have[e.name] {
			if text, err = jsonedit.Insert(text, "/hooks/"+e.name+"/-", h.entry(line, e)); err != nil {
				return nil, explain(err)
			}
		}
	}
	return text, nil
}

// Remove takes the hooks out.
func (h hooks) Remove(text []byte) ([]byte, error) {
	found, err := h.find(text)
	if err != nil {
		return nil, err
	}
	for i := len(found) - 1; i >= 0; i-- { // backwards, so that the places of those still to come stay right
		at := found[i].hook
		if found[i].alone {
			at = found[i].group
		}
		if text, err = jsonedit.Remove(text, at); err != nil {
			return nil, explain(err)
		}
	}
	return text, nil
}
