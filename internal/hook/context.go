package hook

import (
	"context"
	"time"

	"tidepool/protocol"
)

// sessionStart tells the model what is ready for it.
func (h *Handler) sessionStart(in *protocol.HookInput) protocol.HookOutput {
	greeting := ""
	if h.greeting != nil {
		greeting = h.greeting()
	}
	h.noteChange(in) // after the greeting, which is worth less while changes are looked at
	if greeting == "" {
		return nil
	}
	return &protocol.SessionStartOutput{AdditionalContext: greeting}
}

// postToolUse tells the model of errors that its edit has brought, in the file or elsewhere, and after any other tool
// of those that came too late for an edit before. Only an edit waits for them.
func (h *Handler) postToolUse(ctx context.Context, in *protocol.HookInput) protocol.HookOutput {
	settings := h.diagnostics.Load()
	if h.diagnoser == nil || !settings.Enabled {
		return nil
	}
	file, who := edited(in), conversation(in)
	edits, files := h.untold.begin(who, file)
	if edits == nil {
		return nil
	}
	budget := time.Duration(0)
	if file != "" {
		budget = withTimeToAnswer(ctx, settings.Budget)
	}
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	diagnosis := h.diagnoser.Diagnose(ctx, files...)
	list, more := h.untold.end(who, edits, diagnosis)
	h.log.DebugContext(ctx, "errors looked for", "session", in.SessionID, "over", diagnosis.Over, "new", len(list)+more)
	text := tell(list, more, settings.MaxLines, h.root, files)
	if text == "" {
		return nil
	}
	return &protocol.PostToolUseOutput{AdditionalContext: text}
}

// withTimeToAnswer cuts a budget to nine tenths of what is left of a hook's own time.
func withTimeToAnswer(ctx context.Context, budget time.Duration) time.Duration {
	if deadline, limited := ctx.Deadline(); limited {
		return min(budget, time.Until(deadline)*9/10)
	}
	return budget
}

// conversation is what an agent knows of: each one in a session has its own.
func conversation(in *protocol.HookInput) string { return in.SessionID + "\x00" + in.AgentID }
