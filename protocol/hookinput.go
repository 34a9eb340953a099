package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A HookInput is the input of one hook. It has the fields of all events: each
// event sets its own and leaves the rest zero. A field of an unexpected type stays
// zero, too: clients change, and a hook must not fail because one field did.
// Values alias the raw input.
type HookInput struct {
	Raw json.RawMessage // the whole object, with fields that are not named here

	// Of every event.
	SessionID      string
	TranscriptPath string
	Cwd            string
	Event          Event
	PromptID       string
	PermissionMode string // default, plan, acceptEdits, auto, dontAsk, bypassPermissions
	AgentID        string // only inside a subagent
	AgentType      string

	// Of tool events.
	ToolName     string
	ToolInput    json.RawMessage
	ToolUseID    string
	ToolResponse json.RawMessage // object, array or string, as the tool has it
	ToolCalls    json.RawMessage // of PostToolBatch: an array
	DurationMS   int64           // milliseconds
	Error        string          // of PostToolUseFailure and StopFailure

	// Of sessions, prompts and turns.
	Source               string // why a session starts, a prompt comes or a setting changed
	Trigger              string // of Setup, PreCompact and PostCompact
	Reason               string // of SessionEnd and PermissionDenied
	Prompt               string
	CommandName          string // of UserPromptExpansion
	StopHookActive       bool
	LastAssistantMessage string
	AgentTranscriptPath  string // may name a file that does not exist
	CustomInstructions   string
	CompactSummary       string
	FromModel, ToModel   string

	// Of messages, tasks and questions.
	Message          string
	NotificationType string
	TaskID           string
	TaskSubject      string
	TeammateName     string
	MCPServerName    string

	// Of files and directories.
	FilePath       string // of FileChanged, ConfigChange and InstructionsLoaded
	FileEvent      string // of FileChanged: change, add, unlink
	OldCwd, NewCwd string
	Directory      string // of DirectoryAdded
	WorktreeName   string // of WorktreeCreate
	WorktreePath   string // of WorktreeRemove
}

// maxHookFields bounds the members of a hook's input, which has about twenty.
const maxHookFields = 1024

// DecodeHookInput reads a hook's stdin. It returns an error only if that is not
// one JSON object of at most 1,024 members.
func DecodeHookInput(raw json.RawMessage) (*HookInput, error) {
	var room [24]field
	fields, err := scanObject(room[:0], raw, maxHookFields)
	if err != nil {
		return nil, fmt.Errorf("decoding hook input: %w", err)
	}
	in := &HookInput{Raw: raw}
	for _, f := range fields {
		in.set(f.key, f.value)
	}
	return in, nil
}

// Clone returns a copy that shares no bytes with what in was decoded from.
func (in *HookInput) Clone() *HookInput {
	clone := *in
	for _, raw := range []*json.RawMessage{&clone.Raw, &clone.ToolInput, &clone.ToolResponse, &clone.ToolCalls} {
		*raw = bytes.Clone(*raw)
	}
	return &clone
}

// A HookKind identifies the decision that a hook asks for.
type HookKind struct {
	Event    Event  // "" if the input does not say
	ToolName string // "" if the input does not say
}

// KindOfHook checks a hook's whole input and returns its kind. A member that is no
// string counts as absent. Errors are those of [DecodeHookInput].
func KindOfHook(raw json.RawMessage) (HookKind, error) {
	var room [24]field
	fields, err := scanObject(room[:0], raw, maxHookFields)
	if err != nil {
		return HookKind{}, fmt.Errorf("decoding hook input: %w", err)
	}
	var kind HookKind
	for _, f := range fields {
		switch string(f.key) {
		case "hook_event_name":
			if s, err := stringValue(f.value); err == nil {
				kind.Event = Event(s)
			}
		case "tool_name":
			if s, err := stringValue(f.value); err == nil {
				kind.ToolName = s
			}
		}
	}
	return kind, nil
}

// Field returns a top level member of the input as raw JSON, nil if it has none.
func (in *HookInput) Field(key string) json.RawMessage {
	var room [24]field
	fields, _ := scanObject(room[:0], in.Raw, maxHookFields) // Raw was scanned before
	var value json.RawMessage
	for _, f := range fields {
		if string(f.key) == key {
			value = f.value
		}
	}
	return value
}

// set stores one member of the input. It ignores members of an unexpected type.
func (in *HookInput) set(key, value []byte) {
	if text := in.text(key); text != nil {
		if s, err := stringValue(value); err == nil {
			*text = s
		}
		return
	}
	switch string(key) {
	case "hook_event_name":
		if s, err := stringValue(value); err == nil {
			in.Event = Event(s)
		}
	case "tool_input":
		in.ToolInput = value
	case "tool_response":
		in.ToolResponse = value
	case "tool_calls":
		in.ToolCalls = value
	case "stop_hook_active":
		in.StopHookActive, _ = boolValue(value)
	case "duration_ms":
		in.DurationMS, _ = intValue(value)
	}
}

// text returns the field for the string with this key, or nil.
func (in *HookInput) text(key []byte) *string {
	switch string(key) {
	case "session_id":
		return &in.SessionID
	case "transcript_path":
		return &in.TranscriptPath
	case "cwd":
		return &in.Cwd
	case "prompt_id":
		return &in.PromptID
	case "permission_mode":
		return &in.PermissionMode
	case "agent_id":
		return &in.AgentID
	case "agent_type":
		return &in.AgentType
	case "tool_name":
		return &in.ToolName
	case "tool_use_id":
		return &in.ToolUseID
	case "error":
		return &in.Error
	}
	return in.textOfSome(key)
}

// textOfSome is text for keys that only a few events have.
func (in *HookInput) textOfSome(key []byte) *string {
	switch string(key) {
	case "source":
		return &in.Source
	case "trigger":
		return &in.Trigger
	case "reason":
		return &in.Reason
	case "prompt":
		return &in.Prompt
	case "command_name":
		return &in.CommandName
	case "last_assistant_message":
		return &in.LastAssistantMessage
	case "agent_transcript_path":
		return &in.AgentTranscriptPath
	case "custom_instructions":
		return &in.CustomInstructions
	case "compact_summary":
		return &in.CompactSummary
	case "from_model":
		return &in.FromModel
	case "to_model":
		return &in.ToModel
	case "message":
		return &in.Message
	case "notification_type":
		return &in.NotificationType
	case "task_id":
		return &in.TaskID
	case "task_subject":
		return &in.TaskSubject
	case "teammate_name":
		return &in.TeammateName
	case "mcp_server_name":
		return &in.MCPServerName
	case "file_path":
		return &in.FilePath
	case "event":
		return &in.FileEvent
	case "old_cwd":
		return &in.OldCwd
	case "new_cwd":
		return &in.NewCwd
	case "directory":
		return &in.Directory
	case "name":
		return &in.WorktreeName
	case "worktree_path":
		return &in.WorktreePath
	}
	return nil
}
