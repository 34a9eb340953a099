package translate

import (
	"encoding/json"

	"tidepool/protocol"
)

// codex translates for Codex, whose events have the names and members of Claude Code's. Its tools are Bash, apply_patch,
// those of MCP, and some without a counterpart, which keep their names. It refuses an output with a member that it does
// not know, and then the event passes.
type codex struct{}

// Inputs returns an event for each file of a patch.
func (codex) Inputs(event protocol.Event, input json.RawMessage) []Input {
	m := read(input)
	if m == nil {
		return []Input{{Event: event, Raw: input}}
	}
	if event == "" {
		event = protocol.Event(m.text("hook_event_name"))
	}
	switch arguments := read(m["tool_input"]); m.text("tool_name") {
	case "apply_patch":
		return patchInputs(m, event, arguments.joined("command", "\n"))
	case "Bash":
		if command := arguments.joined("command", " "); command != "" {
			arguments.set("command", command)
			m = m.as("Bash", arguments)
		}
		return []Input{shellInput(m, event)}
	}
	return []Input{m.input(event)}
}

// shellInput returns an event of a shell command. Codex reports one that failed like one that succeeded, and its output as
// one text.
func shellInput(m members, event protocol.Event) Input {
	if event != protocol.PostToolUse {
		return m.input(event)
	}
	m.set("tool_response", map[string]any{"stdout": m.text("tool_response"), "stderr": "", "interrupted": false})
	in := m.input(event)
	in.Unsure = true
	return in
}

// patchInputs returns an event for each file of a patch. A patch that names none is an event of its own tool.
func patchInputs(m members, event protocol.Event, patch string) (all []Input) {
	for _, edit := range readPatch(patch) {
		one := m.as(edit.tool, edit.arguments(m.text("cwd")))
		all = append(all, one.input(event))
	}
	if len(all) == 0 {
		return []Input{m.input(event)}
	}
	return all
}

// Output returns what Codex reads.
func (codex) Output(event protocol.Event, answers []json.RawMessage) json.RawMessage {
	a := merge(answers)
	output := a.common()
	specific := map[string]any{}
	switch event {
	case protocol.PreToolUse:
		refusal := a.refusal("Codex")
		if a.halts() { // which it does not read before a tool
			delete(output, "continue")
			delete(output, "stopReason")
			refusal = a.StopReason
		}
		if refusal != "" {
			specific["permissionDecision"], specific["permissionDecisionReason"] = "deny", refusal
		}
	case protocol.PostToolUse:
		a.addBlock(output)
		if text := a.replacement(); text != "" { // the reason stands in the output's place
			output["decision"], output["reason"] = "block", text
		}
	case protocol.UserPromptSubmit, protocol.Stop, protocol.SubagentStop:
		a.addBlock(output)
	}
	switch event {
	case protocol.SessionStart, protocol.UserPromptSubmit, protocol.PreToolUse, protocol.PostToolUse, protocol.SubagentStart:
		if text := a.Specific.AdditionalContext; text != "" {
			specific["additionalContext"] = text
		}
	}
	if len(specific) > 0 {
		specific["hookEventName"] = event
		output["hookSpecificOutput"] = specific
	}
	return encode(output)
}

// refusal returns why a tool call is refused, "" if it is not. A question is a refusal.
func (a answer) refusal(client string) string {
	reason := a.Specific.PermissionReason
	if reason == "" {
		reason = "refused by a policy"
	}
	switch a.Specific.Permission {
	case "deny":
		return reason
	case "ask":
		return unasked(client, reason)
	}
	return ""
}

// addBlock adds a refusal at the top level.
func (a answer) addBlock(output map[string]any) {
	if a.Decision == "block" && a.Reason != "" {
		output["decision"], output["reason"] = "block", a.Reason
	}
}
