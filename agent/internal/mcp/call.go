package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// How long a call waits for a daemon that is not there, because it may be
// about to restart, and how often it looks.
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

// A toolResult is the result of tools/call. It has no structuredContent:
// Claude Code would show the model that in place of the text.
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

// callTool answers tools/call. Whatever goes wrong with the tool or the daemon
// is a result that the model reads; only a wrong request is an error.
func (s *server) callTool(ctx context.Context, raw json.RawMessage) (json.RawMessage, *rpcError) {
	var params callParams
	if err := json.Unmarshal(raw, &params); err != nil || params.Name == "" {
		return nil, &rpcError{Code: protocol.CodeInvalidParams, Message: "tools/call: params must be an object with the tool's name"}
	}
	params.Arguments = present(params.Arguments)
	if a := params.Arguments; a != nil && a[0] != '{' {
		return nil, &rpcError{Code: protocol.CodeInvalidParams, Message: "tools/call: arguments must be an object"}
	}
	response, err := s.askForCall(ctx, &params)
	if err != nil {
		return textResult(failureText(params.Name, err), true), nil
	}
	return render(response)
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

// failureText says what happened to a call that has no reply, and what to do.
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
	if hint := hintOf(err); hint != "" {
		return text + ": " + hint
	}
	return text // the daemon's own words
}

func hintOf(err error) string {
	var advised interface{ Hint() string }
	if errors.As(err, &advised) {
		return advised.Hint()
	}
	return ""
}

// askForCall makes the call, and makes it again if the daemon has left without
// reading it.
func (s *server) askForCall(ctx context.Context, params *callParams) (*protocol.MCPToolResponse, error) {
	response, err := s.askOnce(ctx, params)
	if client.IsUnread(err) && ctx.Err() == nil {
		return s.askOnce(ctx, params)
	}
	return response, err
}

// askOnce makes the call over a connection of its own.
func (s *server) askOnce(ctx context.Context, params *callParams) (*protocol.MCPToolResponse, error) {
	session, err := s.openPatiently(ctx)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	defer context.AfterFunc(ctx, func() { session.Close() })()
	call := s.newCall(params)
	if err := session.Send(call); err != nil {
		return nil, err
	}
	progress := progress{server: s, token: params.Meta.ProgressToken}
	for {
		response, err := session.Receive()
		if err != nil {
			return nil, err
		}
		switch response := response.(type) {
		case *protocol.MCPToolResponse:
			return response, nil
		case *protocol.MCPToolProgress:
			if ctx.Err() == nil {
				progress.report(response)
			}
		}
	}
}

func (s *server) newCall(params *callParams) *protocol.MCPToolCall {
	var toolUseID string
	_ = json.Unmarshal(params.Meta.ToolUseID, &toolUseID) // anything but a string is as good as none
	s.mu.Lock()
	name := s.client
	s.callCount++
	id := strconv.Itoa(s.PID) + "-" + strconv.Itoa(s.callCount)
	s.mu.Unlock()
	return &protocol.MCPToolCall{
		ID:        id,
		ToolName:  params.Name,
		Arguments: params.Arguments,
		Progress:  isID(params.Meta.ProgressToken),
		Meta:      &protocol.CallMeta{ToolUseID: toolUseID, Cwd: s.Dir, Client: name},
	}
}

// openPatiently gives a daemon that is not there a moment to come back. One that
// could not be started does not.
func (s *server) openPatiently(ctx context.Context) (*client.Session, error) {
	giveUp := time.Now().Add(comebackLimit)
	for {
		session, err := s.open(time.Until(giveUp))
		if err == nil {
			err = session.SetDeadline(time.Time{}) // the daemon bounds its calls, the client cancels them
		}
		if !client.IsAbsent(err) || ctx.Err() != nil || time.Until(giveUp) < comebackRetry {
			return session, err
		}
		pause(ctx, comebackRetry)
	}
}

// progress passes on how far a call is, if the client gave a token for that.
type progress struct {
	server *server
	token  json.RawMessage
	any    bool
	last   float64
}

// report sends one notification. MCP wants progress to grow with each.
func (p *progress) report(r *protocol.MCPToolProgress) {
	if !isID(p.token) || p.any && r.Done <= p.last {
		return
	}
	p.any, p.last = true, r.Done
	p.server.notify("notifications/progress", struct {
		Token    json.RawMessage `json:"progressToken"`
		Progress float64         `json:"progress"`
		Total    float64         `json:"total,omitempty"`
		Message  string          `json:"message,omitempty"`
	}{p.token, r.Done, r.Total, r.Message})
}
