package translate

import (
	"encoding/json"
	"regexp"
	"strings"

	"tidepool/protocol"
)

// gemini translates for Gemini CLI. It sends no id of a tool call, and reports a tool that failed like one that succeeded.
type gemini struct{}

// Inputs returns the event with Claude Code's tool and members.
func (gemini) Inputs(event protocol.Event, input json.RawMessage) []Input {
	m := read(input)
	if m == nil {
		return []Input{{Event: event, Raw: input}}
	}
	if event == "" {
		event = geminiEvent(m.text("hook_event_name"))
	}
	delete(m, "timestamp")
	m.rename("last_assistant_message", "prompt_response")
	if event == protocol.PreToolUse || event == protocol.PostToolUse {
		if all := geminiReads(m, event); all != nil {
			return all
		}
		m = geminiTool(m)
	}
	if event == protocol.PostToolUse {
		return []Input{geminiResult(m)}
	}
	return []Input{m.input(event)}
}

// geminiEvent returns Claude Code's name of an event; others keep theirs.
func geminiEvent(name string) protocol.Event {
	switch name {
	case "BeforeTool":
		return protocol.PreToolUse
	case "AfterTool":
		return protocol.PostToolUse
	case "BeforeAgent":
		return protocol.UserPromptSubmit
	case "AfterAgent":
		return protocol.Stop
	case "PreCompress":
		return protocol.PreCompact
	}
	return protocol.Event(name)
}

// geminiTool returns the event with Claude Code's name of the tool and of its arguments.
func geminiTool(m members) members {
	arguments := read(m["tool_input"])
	if arguments == nil {
		arguments = members{}
	}
	if server := read(m["mcp_context"]); server.text("server_name") != "" {
		return m.as("mcp__"+server.text("server_name")+"__"+server.text("tool_name"), arguments)
	}
	tool := m.text("tool_name")
	switch tool {
	case "run_shell_command":
		tool = "Bash"
	case "write_file":
		tool = "Write"
	case "replace":
		tool = "Edit"
	case "read_file":
		tool = "Read"
		arguments.rename("file_path", "absolute_path")
	case "grep_search", "search_file_content":
		tool = "Grep"
		arguments.rename("path", "dir_path")
	case "glob":
		tool = "Glob"
		arguments.rename("path", "dir_path")
	case "list_directory":
		tool = "LS"
		arguments.rename("path", "dir_path")
	case "web_fetch":
		tool = "WebFetch"
	case "google_web_search":
		tool = "WebSearch"
	}
	if tool != "Bash" {
		arguments.absolute("file_path", m.text("cwd"))
	}
	return m.as(tool, arguments)
}

// geminiReads returns an event for each path or pattern that read_many_files is to read, and one for all that it has read; nil for
// other tools.
func geminiReads(m members, event protocol.Event) (all []Input) {
	if m.text("tool_name") != "read_many_files" {
		return nil
	}
	arguments := read(m["tool_input"])
	for _, path := range append(list(arguments["include"]), list(arguments["paths"])...) {
		file := members{}
		file.set("file_path", path)
		file.absolute("file_path", m.text("cwd"))
		one := m.as("Read", file)
		if event == protocol.PostToolUse {
			return []Input{geminiResult(one)}
		}
		all = append(all, one.input(event))
	}
	return all
}

// exitCode matches the line by which Gemini CLI's shell reports that a command failed.
var exitCode = regexp.MustCompile(`(?m)^Exit Code: (-?[0-9]+)$`)

// geminiResult returns the event after a tool: a failure if the tool reports an error, or its shell an exit code.
func geminiResult(m members) Input {
	response := read(m["tool_response"])
	text := joined(response["llmContent"], "\n")
	if text == "" {
		text = string(response["llmContent"])
	}
	tool := m.text("tool_name")
	isShell := tool == "Bash"
	code := exitCode.FindStringSubmatch(text)
	switch {
	case response["error"] != nil && string(response["error"]) != "null":
		return m.failed(text)
	case isShell && code != nil && code[1] != "0":
		return m.failed("Exit code " + code[1] + "\n" + text)
	case isShell:
		m.set("tool_response", map[string]any{"stdout": text, "stderr": "", "interrupted": false})
	case tool == "Read":
		file := map[string]any{"filePath": read(m["tool_input"]).text("file_path"), "content": text, "startLine": 1}
		m.set("tool_response", map[string]any{"type": "text", "file": file})
	default:
		m.set("tool_response", text)
	}
	return m.input(protocol.PostToolUse)
}

// failed returns the event of a tool that failed.
func (m members) failed(problem string) Input {
	delete(m, "tool_response")
	m.set("error", problem)
	return m.input(protocol.PostToolUseFailure)
}

// Output returns what Gemini CLI reads.
func (gemini) Output(event protocol.Event, answers []json.RawMessage) json.RawMessage {
	a := merge(answers)
	output := a.common()
	context := a.Specific.AdditionalContext
	switch event {
	case protocol.PreToolUse:
		switch a.Specific.Permission {
		case "deny":
			output["decision"], output["reason"] = "deny", a.refusal("Gemini CLI")
		case "ask": // it shows the message of the system with the question
			output["decision"], output["reason"] = "ask", a.Specific.PermissionReason
			output["systemMessage"] = strings.TrimSpace(a.SystemMessage + "\n" + a.Specific.PermissionReason)
		}
		context = "" // it reads none there
	case protocol.PostToolUse, protocol.PostToolUseFailure:
		if text := a.replacement(); text != "" { // the reason stands in the output's place
			output["decision"], output["reason"] = "deny", text
		} else if a.Decision == "block" { // which would hide the output: it is a remark there
			context = strings.TrimSpace(a.Reason + "\n" + context)
		}
	case protocol.UserPromptSubmit, protocol.Stop:
		if a.Decision == "block" && a.Reason != "" {
			output["decision"], output["reason"] = "deny", a.Reason
		}
		if event == protocol.Stop {
			context = ""
		}
	case protocol.SessionStart:
	default:
		context = ""
	}
	if context != "" {
		output["hookSpecificOutput"] = map[string]any{"additionalContext": context}
	}
	return encode(output)
}
