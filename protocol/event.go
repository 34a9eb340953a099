package protocol

import "strings"

// An Event is the name of a hook event, as Claude Code writes it: "PreToolUse".
// Names that are not in [Events] pass: newer clients have more events.
type Event string

// The hook events of Claude Code 2.1.328.
const (
	SessionStart        Event = "SessionStart"
	Setup               Event = "Setup"
	UserPromptSubmit    Event = "UserPromptSubmit"
	UserPromptExpansion Event = "UserPromptExpansion"
	PreToolUse          Event = "PreToolUse"
	PermissionRequest   Event = "PermissionRequest"
	PermissionDenied    Event = "PermissionDenied"
	PostToolUse         Event = "PostToolUse"
	PostToolUseFailure  Event = "PostToolUseFailure"
	PostToolBatch       Event = "PostToolBatch"
	Stop                Event = "Stop"
	StopFailure         Event = "StopFailure"
	SubagentStart       Event = "SubagentStart"
	SubagentStop        Event = "SubagentStop"
	PreCompact          Event = "PreCompact"
	PostCompact         Event = "PostCompact"
	PreModelSwitch      Event = "PreModelSwitch"
	PostModelSwitch     Event = "PostModelSwitch"
	Notification        Event = "Notification"
	MessageDisplay      Event = "MessageDisplay"
	TaskCreated         Event = "TaskCreated"
	TaskCompleted       Event = "TaskCompleted"
	TeammateIdle        Event = "TeammateIdle"
	Elicitation         Event = "Elicitation"
	ElicitationResult   Event = "ElicitationResult"
	ConfigChange        Event = "ConfigChange"
	InstructionsLoaded  Event = "InstructionsLoaded"
	CwdChanged          Event = "CwdChanged"
	FileChanged         Event = "FileChanged"
	DirectoryAdded      Event = "DirectoryAdded"
	WorktreeCreate      Event = "WorktreeCreate"
	WorktreeRemove      Event = "WorktreeRemove"
	SessionEnd          Event = "SessionEnd"
)

// Events returns the 33 known events, roughly in the order of a session.
func Events() []Event {
	return []Event{
		SessionStart, Setup, UserPromptSubmit, UserPromptExpansion,
		PreToolUse, PermissionRequest, PermissionDenied, PostToolUse, PostToolUseFailure, PostToolBatch,
		Stop, StopFailure, SubagentStart, SubagentStop,
		PreCompact, PostCompact, PreModelSwitch, PostModelSwitch,
		Notification, MessageDisplay, TaskCreated, TaskCompleted, TeammateIdle, Elicitation, ElicitationResult,
		ConfigChange, InstructionsLoaded, CwdChanged, FileChanged, DirectoryAdded, WorktreeCreate, WorktreeRemove,
		SessionEnd,
	}
}

// ParseEvent reads an event from a command line: "pre-tool-use" and "PreToolUse"
// are the same. It accepts unknown events, too.
func ParseEvent(name string) Event {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return Event(b.String())
}

// Kebab returns the event as it is written on a command line: "pre-tool-use".
func (e Event) Kebab() string {
	var b strings.Builder
	for i, r := range string(e) {
		if i > 0 && 'A' <= r && r <= 'Z' {
			b.WriteByte('-')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}
