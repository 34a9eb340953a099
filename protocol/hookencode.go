package protocol

import (
	"encoding/json"
	"strconv"
	"unicode/utf16"
)

// EncodeHookOutput encodes an output as the object on a hook's stdout. nil is
// {"continue":true}.
func EncodeHookOutput(out HookOutput) json.RawMessage {
	if out == nil {
		return json.RawMessage(`{"continue":true}`)
	}
	w := outputWriter{}
	common := out.common()
	if common.Halt != "" {
		w.top = append(w.top, `"continue":false`...)
		w.top = appendText(w.top, "stopReason", common.Halt)
	} else {
		w.top = append(w.top, `"continue":true`...)
	}
	w.top = appendText(w.top, "systemMessage", common.SystemMessage)
	out.write(&w)
	dst := append([]byte{'{'}, w.top...)
	if len(w.specific) > 0 {
		dst = append(dst, `,"hookSpecificOutput":{"hookEventName":`...)
		dst = appendString(dst, string(out.event()))
		dst = append(append(dst, w.specific...), '}')
	}
	return append(dst, '}')
}

// An outputWriter collects an output's members, each after its comma but the
// first of top.
type outputWriter struct{ top, specific []byte }

// block writes a refusal and its reason, which Claude Code expects at the top
// level.
func (w *outputWriter) block(b Blocking) {
	if b.Block != "" {
		w.top = append(w.top, `,"decision":"block"`...)
		w.top = appendText(w.top, "reason", b.Block)
	}
}

func (w *outputWriter) text(key, value string) {
	w.specific = appendText(w.specific, key, value)
}

func (w *outputWriter) yes(key string, value bool) {
	if value {
		w.specific = append(appendKey(w.specific, key), "true"...)
	}
}

// strings writes a list of texts, and nothing for an empty one.
func (w *outputWriter) strings(key string, values []string) {
	if len(values) > 0 {
		w.specific = append(appendKey(w.specific, key), mustMarshal(values)...)
	}
}

// raw writes foreign JSON. It writes nothing if the value is not JSON.
func (w *outputWriter) raw(key string, value json.RawMessage) {
	if len(value) > 0 && string(value) != "null" && json.Valid(value) {
		w.specific = appendRaw(appendKey(w.specific, key), value)
	}
}

// object is raw for a value that must be an object.
func (w *outputWriter) object(key string, value json.RawMessage) {
	if _, err := scanObject(nil, value, len(value)); err == nil {
		w.raw(key, value)
	}
}

func appendKey(dst []byte, key string) []byte {
	return append(appendString(append(dst, ','), key), ':')
}

func appendText(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return appendString(appendKey(dst, key), clipText(value))
}

// clipText cuts a text to MaxHookText.
func clipText(s string) string {
	kept, _ := CutText(s, MaxHookText)
	return kept
}

// mark is the longest end that a text which was cut can have.
const mark = " … [cut: 1000000000 characters]"

// CutText cuts a text to a length in UTF-16 units. The end of kept says how many units are missing, which is also cut. If
// length has no room for that end, nothing is kept.
func CutText(s string, length int) (kept string, cut int) {
	if len(s) <= length { // a UTF-16 unit takes at least one byte
		return s, 0
	}
	units := 0
	room := length - len(mark)
	end := len(s)
	for i, r := range s {
		if units <= room {
			end = i
		}
		units += max(utf16.RuneLen(r), 1)
	}
	switch {
	case units <= length:
		return s, 0
	case room < 0:
		return "", units
	}
	return s[:end] + " … [cut: " + strconv.Itoa(units-room) + " characters]", units - room
}

func (c *Common) common() *Common { return c }

func (*PreToolUseOutput) event() Event          { return PreToolUse }
func (*PermissionRequestOutput) event() Event   { return PermissionRequest }
func (*PermissionDeniedOutput) event() Event    { return PermissionDenied }
func (*PostToolUseOutput) event() Event         { return PostToolUse }
func (*PostToolUseFailureOutput) event() Event  { return PostToolUseFailure }
func (*PostToolBatchOutput) event() Event       { return PostToolBatch }
func (*UserPromptSubmitOutput) event() Event    { return UserPromptSubmit }
func (*UserPromptExpansionOutput) event() Event { return UserPromptExpansion }
func (*SessionStartOutput) event() Event        { return SessionStart }
func (*SetupOutput) event() Event               { return Setup }
func (*StopOutput) event() Event                { return Stop }
func (*SubagentStopOutput) event() Event        { return SubagentStop }
func (*SubagentStartOutput) event() Event       { return SubagentStart }
func (*PreModelSwitchOutput) event() Event      { return PreModelSwitch }
func (*PostModelSwitchOutput) event() Event     { return PostModelSwitch }
func (*NotificationOutput) event() Event        { return Notification }
func (*MessageDisplayOutput) event() Event      { return MessageDisplay }
func (*ElicitationOutput) event() Event         { return Elicitation }
func (*ElicitationResultOutput) event() Event   { return ElicitationResult }
func (*CwdChangedOutput) event() Event          { return CwdChanged }
func (*FileChangedOutput) event() Event         { return FileChanged }
func (*PreCompactOutput) event() Event          { return PreCompact }
func (*ConfigChangeOutput) event() Event        { return ConfigChange }
func (*TaskCreatedOutput) event() Event         { return TaskCreated }
func (*TaskCompletedOutput) event() Event       { return TaskCompleted }
func (*StopFailureOutput) event() Event         { return StopFailure }
func (*PostCompactOutput) event() Event         { return PostCompact }
func (*TeammateIdleOutput) event() Event        { return TeammateIdle }
func (*InstructionsLoadedOutput) event() Event  { return InstructionsLoaded }
func (*DirectoryAddedOutput) event() Event      { return DirectoryAdded }
func (*WorktreeCreateOutput) event() Event      { return WorktreeCreate }
func (*WorktreeRemoveOutput) event() Event      { return WorktreeRemove }
func (*SessionEndOutput) event() Event          { return SessionEnd }
func (*UnknownEventOutput) event() Event        { return "" }

func (o *PreToolUseOutput) write(w *outputWriter) {
	if o.Decision != NoDecision {
		w.text("permissionDecision", o.Decision.String())
		w.text("permissionDecisionReason", o.Reason)
	}
	w.object("updatedInput", o.UpdatedInput)
	w.text("additionalContext", o.AdditionalContext)
}

// The decision of a permission prompt is an object, and half of one is invalid.
func (o *PermissionRequestOutput) write(w *outputWriter) {
	inner := outputWriter{}
	switch o.Decision {
	case Allow:
		inner.specific = append(inner.specific, `"behavior":"allow"`...)
		inner.object("updatedInput", o.UpdatedInput)
	case Deny:
		inner.specific = append(inner.specific, `"behavior":"deny"`...)
		inner.text("message", o.Message)
		inner.yes("interrupt", o.Interrupt)
	default:
		return
	}
	w.specific = append(append(append(w.specific, `,"decision":{`...), inner.specific...), '}')
}

func (o *PermissionDeniedOutput) write(w *outputWriter) {
	w.yes("retry", o.Retry)
}

func (o *PostToolUseOutput) write(w *outputWriter) {
	w.block(o.Blocking)
	w.text("additionalContext", o.AdditionalContext)
	w.raw("updatedToolOutput", o.UpdatedToolOutput)
}

func (o *PostToolUseFailureOutput) write(w *outputWriter) {
	w.text("additionalContext", o.AdditionalContext)
}

func (o *PostToolBatchOutput) write(w *outputWriter) {
	w.block(o.Blocking)
	w.text("additionalContext", o.AdditionalContext)
}

func (o *UserPromptSubmitOutput) write(w *outputWriter) {
	w.block(o.Blocking)
	w.text("additionalContext", o.AdditionalContext)
	w.text("sessionTitle", o.SessionTitle)
}

func (o *UserPromptExpansionOutput) write(w *outputWriter) {
	w.block(o.Blocking)
	w.text("additionalContext", o.AdditionalContext)
}

func (o *SessionStartOutput) write(w *outputWriter) {
	w.text("additionalContext", o.AdditionalContext)
	w.text("sessionTitle", o.SessionTitle)
	w.strings("watchPaths", o.WatchPaths)
}

func (o *SetupOutput) write(w *outputWriter) {
	w.text("additionalContext", o.AdditionalContext)
}

func (o *StopOutput) write(w *outputWriter) {
	w.block(o.Blocking)
	w.text("additionalContext", o.AdditionalContext)
}

func (o *SubagentStopOutput) write(w *outputWriter) {
	w.block(o.Blocking)
	w.text("additionalContext", o.AdditionalContext)
}

func (o *SubagentStartOutput) write(w *outputWriter) {
	w.text("additionalContext", o.AdditionalContext)
}

func (o *PreModelSwitchOutput) write(w *outputWriter) {
	if o.Decision != NoDecision {
		w.text("permissionDecision", o.Decision.String())
		w.text("permissionDecisionReason", o.Reason)
	}
}

func (o *PostModelSwitchOutput) write(w *outputWriter) {
	w.text("additionalContext", o.AdditionalContext)
}

func (o *NotificationOutput) write(w *outputWriter) {
	w.text("additionalContext", o.AdditionalContext)
}

func (o *MessageDisplayOutput) write(w *outputWriter) {
	w.text("displayContent", o.DisplayContent)
}

func (o *ElicitationOutput) write(w *outputWriter) {
	w.text("action", o.Action.String())
	if o.Action == Accept {
		w.object("content", o.Content)
	}
}

func (o *ElicitationResultOutput) write(w *outputWriter) {
	w.text("action", o.Action.String())
	if o.Action == Accept {
		w.object("content", o.Content)
	}
}

func (o *CwdChangedOutput) write(w *outputWriter) {
	w.strings("watchPaths", o.WatchPaths)
}

func (o *FileChangedOutput) write(w *outputWriter) {
	w.strings("watchPaths", o.WatchPaths)
}

func (o *PreCompactOutput) write(w *outputWriter) {
	w.block(o.Blocking)
}

func (o *ConfigChangeOutput) write(w *outputWriter) {
	w.block(o.Blocking)
}

func (o *TaskCreatedOutput) write(w *outputWriter) {
	w.block(o.Blocking)
}

func (o *TaskCompletedOutput) write(w *outputWriter) {
	w.block(o.Blocking)
}

func (*StopFailureOutput) write(*outputWriter)        {}
func (*PostCompactOutput) write(*outputWriter)        {}
func (*TeammateIdleOutput) write(*outputWriter)       {}
func (*InstructionsLoadedOutput) write(*outputWriter) {}
func (*DirectoryAddedOutput) write(*outputWriter)     {}
func (*WorktreeCreateOutput) write(*outputWriter)     {}
func (*WorktreeRemoveOutput) write(*outputWriter)     {}
func (*SessionEndOutput) write(*outputWriter)         {}
func (*UnknownEventOutput) write(*outputWriter)       {}
