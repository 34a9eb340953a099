package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/server"
	"tidepool/protocol"
	"tidepool/tools"
)

// A toolbox offers a registry's tools to the socket server.
type toolbox struct {
	registry    *tools.Registry
	definitions []protocol.ToolDefinition
	ended       func(toolUseID string, took time.Duration, failed bool)                // nil: nobody wants to know of a call's end
	callerOf    func(toolUseID string) hook.Caller                                     // the zero one if it is not known; nil: nobody knows
	shown       func(ctx context.Context, call *protocol.MCPToolCall, question string) // told before a client shows a question; nil: nobody wants to know
}

// newToolbox discovers the tools of all toolsets. A model has those in alwaysLoad without searching for them.
func newToolbox(alwaysLoad []string, toolsets ...any) (*toolbox, error) {
	b := &toolbox{registry: tools.NewRegistry()}
	for _, set := range toolsets {
		if err := b.registry.Discover(set); err != nil {
			return nil, err
		}
	}
	var known []string
	for _, d := range b.registry.Definitions() {
		known = append(known, d.Name)
		d.Meta.AlwaysLoad = slices.Contains(alwaysLoad, d.Name)
		definition, err := onWire(d)
		if err != nil {
			return nil, fmt.Errorf("describing tool %s: %w", d.Name, err)
		}
		b.definitions = append(b.definitions, definition)
	}
	for _, name := range alwaysLoad {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("tools.always_load: there is no tool %q, only %s", name, strings.Join(known, ", "))
		}
	}
	return b, nil
}

func onWire(d tools.Definition) (protocol.ToolDefinition, error) {
	annotations, err := json.Marshal(d.Annotations)
	if err != nil {
		return protocol.ToolDefinition{}, err
	}
	wire := protocol.ToolDefinition{Name: d.Name, Description: d.Description, InputSchema: d.InputSchema, Annotations: annotations}
	if d.Meta != (tools.Meta{}) {
		wire.Meta, err = json.Marshal(d.Meta)
	}
	return wire, err
}

// List returns the definitions.
func (b *toolbox) List() []protocol.ToolDefinition { return b.definitions }

// Call runs a tool. Calls that never reached one get the code that says so.
func (b *toolbox) Call(ctx context.Context, call *protocol.MCPToolCall, caller server.Caller) (server.Result, error) {
	ctx = tools.WithProgress(ctx, func(p tools.Progress) { caller.Progress(p.Done, p.Total, p.Message) })
	who := b.caller(call.Meta)
	ctx = tools.WithDir(ctx, who.Dir)
	show := func(q protocol.Question) {
		if b.shown != nil {
			b.shown(ctx, call, q.ID)
		}
		caller.Show(q)
	}
	asking := tools.WithAsking(ctx, tools.Asking{From: origin(call, who), Show: show, Await: caller.Await})
	start := time.Now()
	result, err := b.registry.Call(asking, call.ToolName, call.Arguments)
	if b.ended != nil && call.Meta != nil {
		b.ended(call.Meta.ToolUseID, time.Since(start), err != nil)
	}
	if err != nil {
		return server.Result{}, wireError(err)
	}
	return server.Result{JSON: result.JSON, Text: result.Text}, nil
}

// caller is the conversation that a call comes from. The hook of the call knows it better than the client, of which a
// whole session has one: subagents may work in worktrees of their own.
func (b *toolbox) caller(meta *protocol.CallMeta) hook.Caller {
	if meta == nil {
		return hook.Caller{}
	}
	var known hook.Caller
	if b.callerOf != nil {
		known = b.callerOf(meta.ToolUseID)
	}
	if known.Dir == "" {
		known.Dir = meta.Cwd
	}
	return known
}

// origin is who asks the user, as the user is told.
func origin(call *protocol.MCPToolCall, who hook.Caller) protocol.QuestionOrigin {
	from := protocol.QuestionOrigin{Tool: call.ToolName, Session: who.Session, Dir: who.Dir}
	if call.Meta != nil {
		from.Client = call.Meta.Client
	}
	return from
}

func wireError(err error) error {
	if unknown, ok := errors.AsType[*tools.UnknownToolError](err); ok {
		return &protocol.Error{Code: protocol.CodeMethodNotFound, Message: unknown.Error() + ": " + unknown.Hint()}
	}
	if wrong, ok := errors.AsType[*tools.ArgumentError](err); ok {
		return &protocol.Error{Code: protocol.CodeInvalidParams, Message: wrong.Error() + ": " + wrong.Hint()}
	}
	return err
}
