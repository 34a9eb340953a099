package mcphttp

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/server"
	"tidepool/protocol"
)

// A toolCall is a call that the daemon answers. Goroutines: one waits for the reply, and ends with the call.
type toolCall struct {
	name      string
	cancel    context.CancelCauseFunc
	progress  chan *protocol.MCPToolProgress // what the client is too slow for is dropped
	questions chan protocol.Question
	reply     chan protocol.Response // has capacity 1
}

// callTool answers tools/call. A failure of the tool is a result, which a model reads; only a wrong request is an error.
func (h *Handler) callTool(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	client := newClient(ctx, h.requests.of(ctx, r.Extra), r)
	if waiting := h.waiting.take(r.Params.RequestState, r.Params.Name); waiting != nil {
		client.answer(waiting, r.Params.InputResponses)
		return h.follow(client, waiting.call)
	}
	arguments := present(r.Params.Arguments)
	if arguments != nil && !strings.HasPrefix(string(arguments), "{") {
		return nil, &jsonrpc.Error{Code: protocol.CodeInvalidParams, Message: "tools/call: arguments must be an object"}
	}
	return h.follow(client, begin(client, arguments))
}

// begin starts a call.
func begin(c *client, arguments json.RawMessage) *toolCall {
	ctx, cancel := server.Outlive(c.request.ctx)
	k := &toolCall{
		name: c.params.Name, cancel: cancel,
		progress: make(chan *protocol.MCPToolProgress, 16), questions: make(chan protocol.Question, 4), reply: make(chan protocol.Response, 1),
	}
	message := &protocol.MCPToolCall{
		ToolName: c.params.Name, Arguments: arguments, Progress: c.token != nil, Elicit: c.shows, Stays: c.shows && c.modern, Meta: c.meta(),
	}
	go func() {
		k.reply <- server.Follow(ctx, message, k.note)
		cancel(nil)
	}()
	return k
}

// note keeps what precedes the reply.
func (k *toolCall) note(r protocol.Response) {
	switch r := r.(type) {
	case *protocol.MCPToolProgress:
		select {
		case k.progress <- r:
		default:
		}
	case *protocol.MCPToolQuestion:
		select {
		case k.questions <- r.Question:
		default: // the tool awaits an answer before it asks again
		}
	}
}

// follow waits for the end of a call, and tells the client what precedes it. The call is cancelled if the client hangs up, cancels it or
// ends the session. If a client without a session shall show a question, the call stays, and the result says so.
func (h *Handler) follow(c *client, k *toolCall) (*mcp.CallToolResult, error) {
	defer context.AfterFunc(c.request.ctx, func() { k.cancel(context.Cause(c.request.ctx)) })()
	defer context.AfterFunc(c.ctx, func() { k.cancel(context.Cause(c.ctx)) })()
	var dialogs sync.WaitGroup
	defer dialogs.Wait()
	showing, done := context.WithCancel(c.ctx)
	defer done()
	for {
		select {
		case p := <-k.progress:
			c.report(p)
		case q := <-k.questions:
			if c.modern {
				return h.waiting.add(k, q), nil
			}
			dialogs.Go(func() { c.show(showing, q) })
		case r := <-k.reply:
			for len(k.progress) > 0 {
				c.report(<-k.progress)
			}
			return resultOf(k.name, r)
		}
	}
}

// resultOf returns the result of a call from the daemon's reply.
func resultOf(tool string, r protocol.Response) (*mcp.CallToolResult, error) {
	response, is := r.(*protocol.MCPToolResponse)
	if !is {
		message := tool + " failed"
		if failed, is := r.(*protocol.ErrorResponse); is {
			message += ": " + failed.Error.Message
		}
		return textResult(message, true), nil
	}
	failure := response.Error
	switch {
	case failure != nil && failure.Code == protocol.CodeMethodNotFound:
		return nil, &jsonrpc.Error{Code: protocol.CodeInvalidParams, Message: failure.Message}
	case response.Text != "":
		return textResult(response.Text, failure != nil), nil
	case failure != nil:
		return textResult(failure.Message, true), nil
	case response.Result == nil:
		return textResult("(no result)", false), nil
	}
	return textResult(string(response.Result), false), nil
}

// textResult has no structured content, because Claude Code would show the model that instead of the text.
func textResult(text string, isError bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: isError}
}
