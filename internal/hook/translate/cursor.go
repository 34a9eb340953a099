package translate

import (
	"encoding/json"

	"tidepool/protocol"
)

// cursor translates for Cursor. Its hook before a tool can refuse but not ask, and none that runs at a prompt adds context. MCP tools keep
// their name MCP:TOOL, since no event names the server.
type cursor struct{}

// Inputs returns the event with Claude Code's tool and members.
func (cursor) Inputs(event protocol.Event, input json.RawMessage) []Input {
	m := read(input)
	if m == nil {
		return []Input{{Event: event, Raw: input}}
	}
	if event == "" {
		event = cursorEvent(m.text("hook_event_name"))
	}
	m.rename("session_id", "conversation_id")
	m.rename("prompt_id", "generation_id")
	m.rename("error", "error_message")
	m.rename("tool_response", "tool_output")
	delete(m, "user_email")
	if m.text("cwd") == "" {
		var roots []string
		if json.Unmarshal(m["workspace_roots"], &roots) == nil && len(roots) > 0 {
			m.set("cwd", roots[0])
		}
	}
	switch event {
	case protocol.PreToolUse, protocol.PostToolUse, protocol.PostToolUseFailure:
		m = cursorTool(m)
	case protocol.Stop:
		var loops int
		_ = json.Unmarshal(m["loop_count"], &loops)
		m.set("stop_hook_active", loops > 0)
	}
	in := m.input(event)
	in.Unsure = event == protocol.PostToolUse && m.text("tool_name") == "Bash"
	return []Input{in}
}

// cursorEvent returns Claude Code's name of an event; others are spelt as it does.
func cursorEvent(name string) protocol.Event {
	if name == "beforeSubmitPrompt" {
		return protocol.UserPromptSubmit
	}
	return protocol.ParseEvent(name)
}

// cursorTool returns the event with Claude Code's name of the tool and of its arguments.
func cursorTool(m members) members {
	arguments := read(m["tool_input"])
	if arguments == nil {
		arguments = members{}
	}
	tool := m.text("tool_name")
	switch tool {
	case "Shell":
		tool = "Bash"
	case "StrReplace", "Delete":
		tool = "Edit"
	}
	switch tool {
	case "Read", "Write", "Edit":
		arguments.rename("file_path", "path", "target_file")
		arguments.rename("content", "contents")
		arguments.absolute("file_path", m.text("cwd"))
	case "Bash":
		if text := m.text("tool_response"); text != "" {
			m.set("tool_response", map[string]any{"stdout": text, "stderr": "", "interrupted": false})
		}
	}
	return m.as(tool, arguments)
}

// Output returns what Cursor reads.
func (cursor) Output(event protocol.Event, answers []json.RawMessage) json.RawMessage {
	a := merge(answers)
	output := map[string]any{}
	switch event {
	case protocol.PreToolUse:
		refusal := a.refusal("Cursor")
		if a.halts() {
			refusal = a.StopReason
		}
		if refusal != "" {
			output["permission"], output["user_message"], output["agent_message"] = "deny", refusal, refusal
		}
	case protocol.UserPromptSubmit:
		if a.halts() {
			a.Decision, a.Reason = "block", a.StopReason
		}
		if a.Decision == "block" {
			output["continue"], output["user_message"] = false, a.Reason
		}
	case protocol.SessionStart, protocol.PostToolUse:
		if text := a.Specific.AdditionalContext; text != "" {
			output["additional_context"] = text
		}
	case protocol.Stop, protocol.SubagentStop:
		if a.Decision == "block" && a.Reason != "" {
			output["followup_message"] = a.Reason
		}
	}
	return encode(output)
}
