package policy

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// An Engine answers PreToolUse by the policy that is in force, and counts what it answers. Safe for concurrent use.
type Engine struct {
	policy  atomic.Pointer[Policy]
	counter counter
	telling telling
	log     *slog.Logger

	changing sync.Mutex // held while the policy is replaced
}

// NewEngine returns an engine with a policy; nil is one without rules.
func NewEngine(p *Policy, log *slog.Logger) *Engine {
	if p == nil {
		p = new(Policy)
	}
	e := &Engine{log: log}
	e.policy.Store(p)
	return e
}

// Set replaces the rules, for the events to come; nil is none. The policies of files stay.
func (e *Engine) Set(p *Policy) {
	e.changing.Lock()
	defer e.changing.Unlock()
	next := new(Policy)
	if p != nil {
		*next = *p
	}
	next.defined = e.policy.Load().defined
	e.policy.Store(next)
}

// Define replaces the policies of files, for the events to come. The rules stay. An error leaves everything as it is, see [Policy.With].
func (e *Engine) Define(definitions []Definition) error {
	e.changing.Lock()
	defer e.changing.Unlock()
	next, err := e.policy.Load().With(definitions)
	if err != nil {
		return err
	}
	e.policy.Store(next)
	return nil
}

// Definitions returns the policies of files with their states, the highest level first.
func (e *Engine) Definitions() []Considered { return e.policy.Load().Definitions(time.Now()) }

// Decide returns the verdict of the policy that is in force about a tool call that no hook was asked about, see [Policy.Decide].
func (e *Engine) Decide(tool string, input json.RawMessage) (Verdict, bool) {
	j := e.policy.Load().Weigh(tool, input)
	e.counter.note(&j)
	return j.Verdict, j.Decided
}

// Weigh returns what the policy in force says about a tool call that nobody makes, and why. It counts nothing.
func (e *Engine) Weigh(tool string, input json.RawMessage) Judgement {
	return e.policy.Load().Weigh(tool, input)
}

// Events returns those that a policy decides, and those at which a conversation's context begins or ends.
func (*Engine) Events() []protocol.Event {
	return []protocol.Event{protocol.PreToolUse, protocol.SessionStart, protocol.SessionEnd}
}

// Hook lets the policy decide about a tool call. Without a decision it is left to the user's own permissions.
func (e *Engine) Hook(ctx context.Context, event *hook.Event) hook.Answer {
	if event.Event == protocol.SessionStart || event.Event == protocol.SessionEnd {
		e.telling.forget(event.SessionID)
		return hook.Answer{}
	}
	if event.ToolName == "" {
		e.log.WarnContext(ctx, "tool call passes: its hook has no tool_name", "session", event.SessionID)
		return hook.Answer{Verdict: hook.Verdict{Reason: "its input has no tool_name"}}
	}
	j := e.policy.Load().Weigh(event.ToolName, event.ToolInput)
	e.counter.note(&j)
	answer := hook.Answer{Context: e.tell(event, &j)}
	e.logOverridden(ctx, event, &j)
	if !j.Decided {
		return answer
	}
	v := j.Verdict
	answer.Output = v.Output()
	answer.Verdict = hook.Verdict{Decision: v.Decision.String(), Rule: v.Rule, Reason: v.Reason}
	switch {
	case j.By != nil:
		e.log.InfoContext(ctx, "policy", "decision", answer.Verdict.Decision, "policy", j.By.ID, "level", j.By.Level.String(), "tool", event.ToolName, "session", event.SessionID)
	case v.Rule > 0:
		e.log.InfoContext(ctx, "policy", "decision", answer.Verdict.Decision, "rule", v.Rule, "tool", event.ToolName, "session", event.SessionID)
	}
	return answer
}

// logOverridden logs which policies would have had a say if none overrode them.
func (e *Engine) logOverridden(ctx context.Context, event *hook.Event, j *Judgement) {
	for _, c := range j.Considered {
		if c.State == Overridden && c.Matches {
			e.log.InfoContext(ctx, "policy overridden", "policy", c.ID, "level", c.Level.String(), "by", c.By.Source, "tool", event.ToolName, "session", event.SessionID)
		}
	}
}
