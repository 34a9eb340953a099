package hook

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"tidepool/internal/session"
	"tidepool/protocol"
)

// Options say how hooks are answered. The zero value lets everything pass.
type Options struct {
	Conversations *session.Conversations // told of each event; nil: nobody else wants to know
	Policy        *Policy                // nil: no rules
	Files         Files                  // nil: nobody wants to know
	Log           *slog.Logger           // nil: nothing is logged
	Diagnoser     Diagnoser              // nil: no errors are told
	Diagnostics   Diagnostics
	Root          string                    // the project's directory; paths below it are told as relative
	Stopped       func(dir string)          // told when a turn has ended, not when a hook keeps it going; must not block; nil: nobody is
	Ended         func(Outcome)             // told of each event that has been answered; must not block; nil: nobody is
	Met           func(ctx context.Context) // told of the first event of a session, and of each start of one; nil: nobody is
	Elicitation   Elicitation               // nil: the client asks its user
	Greeting      func() string             // what a session reads at its start, "" for nothing, from memory; nil: nothing
}

// An Elicitation answers the event of this name, and may wait for a person. nil is no answer: the client asks its user.
type Elicitation func(ctx context.Context, in *protocol.HookInput) protocol.HookOutput

// Files is told which files may have changed, by absolute path. The path of a directory stands for what is below it.
// FilesChanged must not wait for anything.
type Files interface {
	FilesChanged(paths ...string)
}

// A Handler answers hook events. It is safe for concurrent use.
type Handler struct {
	policy        atomic.Pointer[Policy]
	diagnostics   atomic.Pointer[Diagnostics]
	files         Files
	diagnoser     Diagnoser
	root          string
	greeting      func() string
	met           func(ctx context.Context)
	elicitation   Elicitation
	ended         func(Outcome)
	stopped       func(dir string)
	log           *slog.Logger
	counts        map[protocol.Event]*atomic.Int64 // fixed by New
	other         atomic.Int64
	outcomes      memory
	conversations *session.Conversations
	untold        untold
}

// Other is the name under which events are counted that are not known by theirs.
const Other = "other"

// pass is the decision of an event that is left alone.
const pass = "pass"

// New returns a handler.
func New(o Options) *Handler {
	h := &Handler{
		files:         o.Files,
		diagnoser:     o.Diagnoser,
		root:          o.Root,
		greeting:      o.Greeting,
		met:           o.Met,
		elicitation:   o.Elicitation,
		ended:         o.Ended,
		stopped:       o.Stopped,
		log:           o.Log,
		counts:        make(map[protocol.Event]*atomic.Int64),
		conversations: o.Conversations,
		untold:        untold{open: make(map[string]*edits)},
	}
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	if h.conversations == nil {
		h.conversations = session.New()
	}
	for _, event := range protocol.Events() {
		h.counts[event] = new(atomic.Int64)
	}
	h.SetPolicy(o.Policy)
	h.SetDiagnostics(o.Diagnostics)
	return h
}

// SetDiagnostics replaces how errors are told, for the events to come.
func (h *Handler) SetDiagnostics(d Diagnostics) { h.diagnostics.Store(&d) }

// SetPolicy replaces the policy whole, for the events to come; nil is one without rules.
func (h *Handler) SetPolicy(p *Policy) {
	if p == nil {
		p = new(Policy)
	}
	h.policy.Store(p)
}

// Outcomes returns the latest outcomes, the oldest first: some that passed, and some that decided.
func (h *Handler) Outcomes() []Outcome { return h.outcomes.latest() }

// CallEnded tells of a tool call that this daemon has answered. It joins the outcomes of the call's hooks, which have
// the same id; "" is none.
func (h *Handler) CallEnded(toolUseID string, took time.Duration, failed bool) {
	if toolUseID != "" {
		h.outcomes.join(toolUseID, took, failed)
	}
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
	o := Outcome{Time: time.Now(), Decision: pass}
	output := h.read(ctx, event, &o)
	o.Took = time.Since(o.Time)
	h.outcomes.note(o)
	if h.ended != nil {
		h.ended(o)
	}
	return &protocol.HookResponse{Output: protocol.EncodeHookOutput(output)}
}

// read answers an event; nil lets it pass. It notes in o what there is to remember.
func (h *Handler) read(ctx context.Context, event *protocol.HookEvent, o *Outcome) protocol.HookOutput {
	in, err := protocol.DecodeHookInput(event.Input)
	if err != nil {
		h.other.Add(1)
		h.log.WarnContext(ctx, "hook passes unread", "err", err)
		o.Reason = "its input is no JSON object"
		return nil
	}
	if event.Event != "" {
		in.Event = event.Event
	}
	o.Event, o.Tool, o.ToolUseID, o.Session = in.Event, in.ToolName, in.ToolUseID, in.SessionID
	h.count(in.Event)
	if first := h.conversations.Observe(in); h.met != nil && (first || in.Event == protocol.SessionStart) {
		h.met(ctx)
	}
	if h.log.Enabled(ctx, slog.LevelDebug) {
		h.log.DebugContext(ctx, "hook", "event", in.Event, "session", in.SessionID, "tool", in.ToolName, "tool_use", in.ToolUseID)
	}
	return h.answer(ctx, in, o)
}

func (h *Handler) count(event protocol.Event) {
	if n, known := h.counts[event]; known {
		n.Add(1)
	} else {
		h.other.Add(1)
	}
}

// answer is the one place that knows which events do something; nil lets the event pass.
func (h *Handler) answer(ctx context.Context, in *protocol.HookInput, o *Outcome) protocol.HookOutput {
	switch in.Event {
	case protocol.PreToolUse:
		return h.preToolUse(ctx, in, o)
	case protocol.PostToolUse:
		h.noteChange(in)
		return h.postToolUse(ctx, in)
	case protocol.PostToolUseFailure, protocol.FileChanged, protocol.UserPromptSubmit, protocol.CwdChanged,
		protocol.WorktreeCreate, protocol.WorktreeRemove:
		h.noteChange(in)
	case protocol.SessionStart:
		return h.sessionStart(in)
	case protocol.Elicitation:
		if h.elicitation != nil {
			return h.elicitation(ctx, in)
		}
	case protocol.SessionEnd:
		h.untold.forget(conversation(in))
	case protocol.Stop, protocol.SubagentStop:
		if in.AgentID != "" {
			h.untold.forget(conversation(in)) // a subagent that stops is gone
		}
		h.log.InfoContext(ctx, "stop", "event", in.Event, "session", in.SessionID, "again", in.StopHookActive)
		if in.Event == protocol.Stop && !in.StopHookActive && h.stopped != nil {
			h.stopped(in.Cwd)
		}
	case "":
		h.log.WarnContext(ctx, "hook passes: nobody says which event it is", "session", in.SessionID)
		o.Reason = "neither its input (hook_event_name) nor its client says which event it is"
	}
	return nil
}

// preToolUse lets the policy decide about a tool call. nil leaves it to the user's own permissions.
func (h *Handler) preToolUse(ctx context.Context, in *protocol.HookInput, o *Outcome) protocol.HookOutput {
	if in.ToolName == "" {
		h.log.WarnContext(ctx, "tool call passes: its hook has no tool_name", "session", in.SessionID)
		o.Reason = "its input has no tool_name"
		return nil
	}
	v, decided := h.policy.Load().Decide(in.ToolName, in.ToolInput)
	if !decided {
		return nil
	}
	o.Decision, o.Rule, o.Reason = v.Decision.String(), v.Rule, v.Reason
	if v.Rule > 0 {
		h.log.InfoContext(ctx, "policy", "decision", o.Decision, "rule", v.Rule, "tool", in.ToolName, "session", in.SessionID)
	}
	return &protocol.PreToolUseOutput{Decision: v.Decision, Reason: v.Reason}
}
