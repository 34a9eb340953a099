package hook

import (
	"context"
	"log/slog"
	"sync/atomic"

	"tidepool/protocol"
)

// Options say how hooks are answered. The zero value lets everything pass.
type Options struct {
	Rules []Rule // the first that matches a tool call decides about it
	// Allow makes tool calls that no rule matches run without asking the user.
	Allow bool
	Files Files        // nil: nobody wants to know
	Log   *slog.Logger // nil: nothing is logged
}

// Files is told which files may have changed, by absolute path. The path of a directory stands for what is below it.
// FilesChanged must not wait for anything.
type Files interface {
	FilesChanged(paths ...string)
}

// A Handler answers hook events. It is safe for concurrent use.
type Handler struct {
	policy policy
	allow  bool
	files  Files
	log    *slog.Logger
	counts map[protocol.Event]*atomic.Int64 // fixed by New
	other  atomic.Int64
}

// Other is the name under which events are counted that are not known by theirs.
const Other = "other"

// New returns a handler. The error is a *RuleError.
func New(o Options) (*Handler, error) {
	policy, err := compile(o.Rules)
	if err != nil {
		return nil, err
	}
	h := &Handler{policy: policy, allow: o.Allow, files: o.Files, log: o.Log, counts: make(map[protocol.Event]*atomic.Int64)}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	for _, event := range protocol.Events() {
		h.counts[event] = new(atomic.Int64)
	}
	return h, nil
}

// Counts tells how many events there have been, by name; events that have not come are left out.
func (h *Handler) Counts() map[string]int64 {
	counts := make(map[string]int64)
	for event, n := range h.counts {
		if n := n.Load(); n > 0 {
			counts[string(event)] = n
		}
	}
	if n := h.other.Load(); n > 0 {
		counts[Other] = n
	}
	return counts
}

// Hook answers one event. The exit code is always 0: a decision is part of the output.
func (h *Handler) Hook(ctx context.Context, event *protocol.HookEvent) *protocol.HookResponse {
	in, err := protocol.DecodeHookInput(event.Input)
	if err != nil {
		h.other.Add(1)
		h.log.WarnContext(ctx, "hook passes unread", "err", err)
		return &protocol.HookResponse{Output: protocol.EncodeHookOutput(nil)}
	}
	h.count(in.Event)
	if h.log.Enabled(ctx, slog.LevelDebug) {
		h.log.DebugContext(ctx, "hook", "event", in.Event, "session", in.SessionID, "tool", in.ToolName)
	}
	return &protocol.HookResponse{Output: protocol.EncodeHookOutput(h.answer(ctx, in))}
}

func (h *Handler) count(event protocol.Event) {
	if n, known := h.counts[event]; known {
		n.Add(1)
	} else {
		h.other.Add(1)
	}
}

// answer is the one place that knows which events do something; nil lets the event pass.
func (h *Handler) answer(ctx context.Context, in *protocol.HookInput) protocol.HookOutput {
	switch in.Event {
	case protocol.PreToolUse:
		return h.preToolUse(ctx, in)
	case protocol.PostToolUse, protocol.PostToolUseFailure, protocol.FileChanged:
		h.noteChange(in)
	case protocol.Stop, protocol.SubagentStop:
		h.log.InfoContext(ctx, "stop", "event", in.Event, "session", in.SessionID, "again", in.StopHookActive)
	case "":
		h.log.WarnContext(ctx, "hook passes: its input has no hook_event_name")
	}
	return nil
}

// preToolUse lets the policy decide about a tool call. nil leaves it to the user's own permissions.
func (h *Handler) preToolUse(ctx context.Context, in *protocol.HookInput) protocol.HookOutput {
	if in.ToolName == "" {
		h.log.WarnContext(ctx, "tool call passes: its hook has no tool_name", "session", in.SessionID)
		return nil
	}
	if r := h.policy.match(in.ToolName, in.ToolInput); r != nil {
		h.log.InfoContext(ctx, "policy", "decision", r.decision.String(), "rule", r.number, "tool", in.ToolName, "session", in.SessionID)
		return &protocol.PreToolUseOutput{Decision: r.decision, Reason: r.reason}
	}
	if h.allow {
		return &protocol.PreToolUseOutput{Decision: protocol.Allow, Reason: "Allowed by Tidepool"}
	}
	return nil
}
