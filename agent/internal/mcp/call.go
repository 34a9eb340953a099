package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

// How long a call waits for a daemon that may be about to restart, and how often it
// tries to connect.
const (
	comebackLimit = 2 * time.Second
	comebackRetry = 50 * time.Millisecond
)

// callParams are the params of tools/call.
type callParams struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Meta      struct {
		ProgressToken json.RawMessage `json:"progressToken"`
		ToolUseID     json.RawMessage `json:"claudecode/toolUseId"`
	} `json:"_meta"`
}

// A toolResult is the result of tools/call. It has no structuredContent, because
// Claude Code would show the model that instead of the text.
type toolResult struct {
	Content []content `json:"content"`
	IsError bool      `json:"isError,omitempty"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func textResult(text string, isError bool) json.RawMessage {
	return marshal(toolResult{Content: []content{{"text", text}}, IsError: isError})
}

// An era is what a call can expect of its client's revision of MCP.
type era struct {
	capable bool // the client shows questions to its user
	modern  bool // it does so between two calls, not during one
}

// callTool answers tools/call of the legacy era.
func (s *server) callTool(ctx context.Context, raw json.RawMessage) (json.RawMessage, *rpcError) {
	s.mu.Lock()
	capable := s.elicits
	s.mu.Unlock()
	result, _, err := s.beginCall(ctx, raw, era{capable: capable})
	return result, err
}

// beginCall starts a call and follows it to its end. A failure of the tool or the
// daemon is a result, which the model reads; only a wrong request is an error. A call
// of the modern era may be suspended instead, with neither.
func (s *server) beginCall(ctx context.Context, raw json.RawMessage, of era) (json.RawMessage, *suspended, *rpcError) {
	var params callParams
	if err := json.Unmarshal(raw, &params); err != nil || params.Name == "" {
		return nil, nil, &rpcError{Code: protocol.CodeInvalidParams, Message: "tools/call: params must be an object with the tool's name"}
	}
	params.Arguments = present(params.Arguments)
	if a := params.Arguments; a != nil && a[0] != '{' {
		return nil, nil, &rpcError{Code: protocol.CodeInvalidParams, Message: "tools/call: arguments must be an object"}
	}
	d, err := s.openCall(ctx, &params, of)
	if err != nil {
		return textResult(failureText(params.Name, err), true), nil, nil
	}
	return s.resume(ctx, d)
}

// resume follows a call until it ends or needs input.
func (s *server) resume(ctx context.Context, d *daemonCall) (json.RawMessage, *suspended, *rpcError) {
	response, asks, err := d.follow(ctx)
	if client.IsUnread(err) && ctx.Err() == nil { // the daemon has exited without reading the call
		if d, err = s.openCall(ctx, d.params, d.era); err == nil {
			response, asks, err = d.follow(ctx)
		}
	}
	switch {
	case err != nil:
		return textResult(failureText(d.params.Name, err), true), nil, nil
	case asks != nil:
		return nil, asks, nil
	}
	result, refused := render(response)
	return result, nil, refused
}

func render(response *protocol.MCPToolResponse) (json.RawMessage, *rpcError) {
	failure := response.Error
	switch {
	case failure != nil && failure.Code == protocol.CodeMethodNotFound:
		return nil, &rpcError{Code: protocol.CodeInvalidParams, Message: failure.Message}
	case response.Text != "":
		return textResult(response.Text, failure != nil), nil
	case failure != nil:
		return textResult(failure.Message, true), nil
	case response.Result == nil:
		return textResult("(no result)", false), nil
	}
	return textResult(string(response.Result), false), nil
}

// failureText returns what happened to a call without a reply, and what to do.
func failureText(tool string, err error) string {
	text := fmt.Sprintf("%s failed: %v", tool, err)
	var broken *client.BrokenError
	var unreachable *client.UnreachableError
	switch {
	case errors.As(err, &unreachable):
		return text + ". To start it: " + unreachable.Hint() + "; then call again."
	case errors.As(err, &broken):
		return text + ". It may have been stopped or restarted: call again, and if that fails run `controlserver serve`."
	}
	if hint := wording.HintOf(err); hint != "" {
		return text + ": " + hint
	}
	return text // the daemon's own error
}

func (s *server) newCall(params *callParams, of era) *protocol.MCPToolCall {
	return &protocol.MCPToolCall{
		ID:        s.nextID(),
		ToolName:  params.Name,
		Arguments: params.Arguments,
		Progress:  isID(params.Meta.ProgressToken),
		Elicit:    of.capable,
		Stays:     of.capable && of.modern,
		Meta:      s.callMeta(params.Meta.ToolUseID, ""), // its hook names the session
	}
}
