package policy

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync/atomic"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// An Engine answers PreToolUse by the policy that is in force. Safe for concurrent use.
type Engine struct {
	policy atomic.Pointer[Policy]
	log    *slog.Logger
}

// NewEngine returns an engine with a policy; nil is one without rules.
func NewEngine(p *Policy, log *slog.Logger) *Engine {
	e := &Engine{log: log}
	e.Set(p)
	return e
}

// Set replaces the policy whole, for the events to come; nil is one without rules.
func (e *Engine) Set(p *Policy) {
	if p == nil {
		p = new(Policy)
	}
	e.policy.Store(p)
}

// Decide returns the verdict of the policy that is in force about a tool call that no hook was asked about, see [Policy.Decide].
func (e *Engine) Decide(tool string, input json.RawMessage) (Verdict, bool) {
	return e.policy.Load().Decide(tool, input)
}

// Events returns those that a policy decides.
func (*Engine) Events() []protocol.Event { return []protocol.Event{protocol.PreToolUse} }

// Hook lets the policy decide about a tool call. Without a decision it is left to the user's own permissions.
func (e *Engine) Hook(ctx context.Context, event *hook.Event) hook.Answer {
	if event.ToolName == "" {
		e.log.WarnContext(ctx, "tool call passes: its hook has no tool_name", "session", event.SessionID)
		return hook.Answer{Verdict: hook.Verdict{Reason: "its input has no tool_name"}}
	}
	v, decided := e.policy.Load().Judge(event.HookInput)
	if !decided {
		return hook.Answer{}
	}
	decision := v.Decision.String()
	if v.Rule > 0 {
		e.log.InfoContext(ctx, "policy", "decision", decision, "rule", v.Rule, "tool", event.ToolName, "session", event.SessionID)
	}
	return hook.Answer{
		Output:  v.Output(),
		Verdict: hook.Verdict{Decision: decision, Rule: v.Rule, Reason: v.Reason},
	}
}
