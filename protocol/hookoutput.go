package protocol

import "encoding/json"

// A HookOutput is the answer to one event. Each event has its own type, and
// [EncodeHookOutput] turns any value of it into JSON that Claude Code accepts:
// the event's name is right, nothing is null, events without fields of their own
// have no hookSpecificOutput, and no text is longer than [MaxHookText]. The zero
// value of each has no effect: the client continues as without a hook.
type HookOutput interface {
	event() Event
	common() *Common
	write(*outputWriter) // the fields that are the event's own
}

// MaxHookText is the longest text of an output, in UTF-16 units as Claude Code
// counts them. Claude Code moves a longer one into a file, which the model does
// not see.
const MaxHookText = 10000

// Common has the fields of every output.
type Common struct {
	Halt          string // why the turn must end; "" = it continues
	SystemMessage string // shown to the user
}

// Blocking has the field of outputs that can refuse.
type Blocking struct {
	Block string // why it is refused; "" = it is not
}

// A Permission is a decision about a tool call. The zero value decides nothing.
type Permission uint8

// The decisions. If several hooks decide, Deny wins over Ask, and Ask over Allow.
const (
	NoDecision Permission = iota
	Allow                 // without asking the user
	Deny
	Ask // the user, even if a rule would allow it
)

func (p Permission) String() string {
	switch p {
	case Allow:
		return "allow"
	case Deny:
		return "deny"
	case Ask:
		return "ask"
	}
	return ""
}

// A PreToolUseOutput decides about a tool call before it runs.
type PreToolUseOutput struct {
	Common
	Decision          Permission
	Reason            string          // shown to the model on Deny, to the user on Ask and Allow
	UpdatedInput      json.RawMessage // the whole new tool input, an object; nil = as it is
	AdditionalContext string          // for the model
}

// A PermissionRequestOutput answers a permission prompt. Ask counts as no decision.
type PermissionRequestOutput struct {
	Common
	Decision     Permission
	Message      string          // why, on Deny
	Interrupt    bool            // on Deny: end the turn as well
	UpdatedInput json.RawMessage // on Allow: the whole new tool input, an object
}

// A PermissionDeniedOutput may let the model try a denied call again.
type PermissionDeniedOutput struct {
	Common
	Retry bool
}

// A PostToolUseOutput comments on a tool's result. Block is a message beside it.
type PostToolUseOutput struct {
	Common
	Blocking
	AdditionalContext string
	UpdatedToolOutput json.RawMessage // what the model sees instead; nil = the tool's own
}

// A PostToolUseFailureOutput comments on a tool's failure.
type PostToolUseFailureOutput struct {
	Common
	AdditionalContext string
}

// A PostToolBatchOutput comments on a batch of calls. Block stops the loop.
type PostToolBatchOutput struct {
	Common
	Blocking
	AdditionalContext string
}

// A UserPromptSubmitOutput comments on a prompt, or erases it with Block.
type UserPromptSubmitOutput struct {
	Common
	Blocking
	AdditionalContext string
	SessionTitle      string
}

// A UserPromptExpansionOutput is a [UserPromptSubmitOutput] for a prompt that a
// command expands to.
type UserPromptExpansionOutput struct {
	Common
	Blocking
	AdditionalContext string
}

// A SessionStartOutput gives a session its first context.
type SessionStartOutput struct {
	Common
	AdditionalContext string
	SessionTitle      string
	WatchPaths        []string // absolute; their changes arrive as FileChanged
}

// A SetupOutput gives context after set-up.
type SetupOutput struct {
	Common
	AdditionalContext string
}

// A StopOutput can continue the turn with Block, or add context.
type StopOutput struct {
	Common
	Blocking
	AdditionalContext string
}

// A SubagentStopOutput is a [StopOutput] for a subagent.
type SubagentStopOutput struct {
	Common
	Blocking
	AdditionalContext string
}

// A SubagentStartOutput gives a subagent context.
type SubagentStartOutput struct {
	Common
	AdditionalContext string
}

// A PreModelSwitchOutput decides about a change of model.
type PreModelSwitchOutput struct {
	Common
	Decision Permission
	Reason   string
}

// A PostModelSwitchOutput gives context after a change of model.
type PostModelSwitchOutput struct {
	Common
	AdditionalContext string
}

// A NotificationOutput gives context with a notification.
type NotificationOutput struct {
	Common
	AdditionalContext string
}

// A MessageDisplayOutput replaces what is shown of a message.
type MessageDisplayOutput struct {
	Common
	DisplayContent string // "" = as it is
}

// An ElicitationOutput answers an MCP server's question in the user's place.
type ElicitationOutput struct {
	Common
	Action  Answer
	Content json.RawMessage // on Accept: an object that fits the question
}

// An ElicitationResultOutput replaces the user's answer.
type ElicitationResultOutput struct {
	Common
	Action  Answer
	Content json.RawMessage
}

// An Answer ends an elicitation. The zero value leaves it to the user.
type Answer uint8

// The answers.
const (
	NoAnswer Answer = iota
	Accept
	Decline
	Cancel
)

func (a Answer) String() string {
	switch a {
	case Accept:
		return "accept"
	case Decline:
		return "decline"
	case Cancel:
		return "cancel"
	}
	return ""
}

// A CwdChangedOutput names files to watch.
type CwdChangedOutput struct {
	Common
	WatchPaths []string // absolute
}

// A FileChangedOutput names files to watch.
type FileChangedOutput struct {
	Common
	WatchPaths []string // absolute
}

// A PreCompactOutput can refuse a compaction.
type PreCompactOutput struct {
	Common
	Blocking
}

// A ConfigChangeOutput can refuse a change of settings.
type ConfigChangeOutput struct {
	Common
	Blocking
}

// A TaskCreatedOutput can refuse a task.
type TaskCreatedOutput struct {
	Common
	Blocking
}

// A TaskCompletedOutput can refuse that a task is done.
type TaskCompletedOutput struct {
	Common
	Blocking
}

// The outputs of events with the common fields only.
type (
	StopFailureOutput        struct{ Common }
	PostCompactOutput        struct{ Common }
	TeammateIdleOutput       struct{ Common }
	InstructionsLoadedOutput struct{ Common }
	DirectoryAddedOutput     struct{ Common }
	WorktreeCreateOutput     struct{ Common }
	WorktreeRemoveOutput     struct{ Common }
	SessionEndOutput         struct{ Common }
	// UnknownEventOutput is for an event this package does not know.
	UnknownEventOutput struct{ Common }
)
