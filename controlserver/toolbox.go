package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"tidepool/internal/server"
	"tidepool/protocol"
	"tidepool/tools"
)

// A toolbox offers a registry's tools to the socket server.
type toolbox struct {
	registry    *tools.Registry
	definitions []protocol.ToolDefinition
}

// newToolbox discovers the tools of all toolsets.
func newToolbox(toolsets ...any) (*toolbox, error) {
	b := &toolbox{registry: tools.NewRegistry()}
	for _, set := range toolsets {
		if err := b.registry.Discover(set); err != nil {
			return nil, err
		}
	}
	for _, d := range b.registry.Definitions() {
		annotations, err := json.Marshal(d.Annotations)
		if err != nil {
			return nil, fmt.Errorf("describing tool %s: %w", d.Name, err)
		}
		b.definitions = append(b.definitions, protocol.ToolDefinition{
			Name: d.Name, Description: d.Description, InputSchema: d.InputSchema, Annotations: annotations,
		})
	}
	return b, nil
}

// List returns the definitions.
func (b *toolbox) List() []protocol.ToolDefinition { return b.definitions }

// Call runs a tool. Calls that never reached one get the code that says so.
func (b *toolbox) Call(ctx context.Context, call *protocol.MCPToolCall, progress server.Progress) (server.Result, error) {
	ctx = tools.WithProgress(ctx, func(p tools.Progress) { progress(p.Done, p.Total, p.Message) })
	result, err := b.registry.Call(ctx, call.ToolName, call.Arguments)
	if err != nil {
		return server.Result{}, wireError(err)
	}
	return server.Result{JSON: result.JSON, Text: result.Text}, nil
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
