package mcpsource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"tidepool/internal/conversation"
	"tidepool/internal/mcpfeature"
	"tidepool/internal/policy"
	"tidepool/internal/recall"
	"tidepool/internal/ref"
	"tidepool/protocol"
	"tidepool/tools"
)

// Tools run a tool, as [tools.Registry] does.
type Tools interface {
	Call(ctx context.Context, call tools.Call, arguments json.RawMessage) (tools.Result, error)
}

// Rules decide about tool calls, as [policy.Engine] does.
type Rules interface {
	Decide(tool string, input json.RawMessage) (policy.Verdict, bool)
}

// A Reader reads resources by the tools of a registry. The rules about these tools count, although no hook asks them.
type Reader struct {
	Caller Caller
	Tools  Tools
	Rules  Rules
}

// toolPrefix is how rules name the tools.
const toolPrefix = "mcp__tidepool__"

// A ruleError means that a rule keeps a resource from being read.
type ruleError struct{ reason string }

func (e *ruleError) Error() string {
	return "a rule of the project keeps this from being read unasked: " + e.reason
}

// Hint says what to do.
func (e *ruleError) Hint() string { return "call the tool for it, about which the user can be asked" }

// Read returns the text of a tool that only reads.
func (r *Reader) Read(ctx context.Context, meta *protocol.CallMeta, tool string, arguments map[string]any) (string, error) {
	input, err := json.Marshal(arguments)
	if err != nil {
		return "", fmt.Errorf("encoding arguments: %w", err)
	}
	verdict, decided := r.Rules.Decide(toolPrefix+tool, input)
	if decided && verdict.Decision != protocol.Allow {
		return "", &ruleError{verdict.Reason}
	}
	call := tools.Call{Tool: tool}
	if meta != nil {
		call.Caller, call.Client = r.Caller(ctx, meta), meta.Client
	}
	result, err := r.Tools.Call(ctx, call, input)
	if err != nil {
		return "", wireError(err)
	}
	return result.Text, nil
}

// wireError tells what does not exist, or cannot under this name, from other failures.
func wireError(err error) error {
	if is[*ref.NotFoundError](err) || is[*ref.RequestError](err) || is[*conversation.SessionError](err) || is[*conversation.TurnError](err) ||
		is[*recall.UnknownError](err) || is[*tools.ArgumentError](err) {
		return &mcpfeature.NotFoundError{Err: err}
	}
	return err
}

func is[E error](err error) bool {
	_, found := errors.AsType[E](err)
	return found
}
