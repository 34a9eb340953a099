package mcphttp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/server"
	"tidepool/protocol"
)

//lint:file-ignore SA1019 logging is deprecated since 2026-07-28, but clients may use it for another year

// capabilities are those of agent mcp, but the lists do not change: a session ends with its daemon.
func capabilities() *mcp.ServerCapabilities {
	return &mcp.ServerCapabilities{
		Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Completions: &mcp.CompletionCapabilities{},
		Logging: &mcp.LoggingCapabilities{},
	}
}

// featureResult returns what the result of a method that the daemon answers whole is decoded into; nil: it does not answer the method so.
func featureResult(method string) mcp.Result {
	switch method {
	case "prompts/list":
		return new(mcp.ListPromptsResult)
	case "prompts/get":
		return new(mcp.GetPromptResult)
	case "resources/list":
		return new(mcp.ListResourcesResult)
	case "resources/templates/list":
		return new(mcp.ListResourceTemplatesResult)
	case "resources/read":
		return new(mcp.ReadResourceResult)
	case "completion/complete":
		return new(mcp.CompleteResult)
	}
	return nil
}

// features is a middleware that has the daemon answer what is no tool.
func (h *Handler) features(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		result := featureResult(method)
		if result == nil {
			return next(ctx, method, r)
		}
		if err := h.askFeature(ctx, method, r, result); err != nil {
			return nil, err
		}
		return result, nil
	}
}

// askFeature has the daemon answer a request, and decodes its result. It ends when the client cancels or hangs up.
func (h *Handler) askFeature(ctx context.Context, method string, r mcp.Request, result mcp.Result) error {
	params, err := json.Marshal(r.GetParams())
	if err != nil {
		return fmt.Errorf("encoding the params of %s: %w", method, err)
	}
	request := h.requests.of(ctx, r.GetExtra())
	asking, cancel := context.WithCancelCause(request.ctx)
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()
	message := &protocol.MCPRequest{Method: method, Params: params, Meta: &protocol.CallMeta{Session: r.GetSession().ID()}}
	answer, is := server.Follow(asking, message, nil).(*protocol.MCPResult)
	switch {
	case !is:
		return &jsonrpc.Error{Code: protocol.CodeInternal, Message: "the daemon does not answer " + method}
	case answer.Error != nil:
		return &jsonrpc.Error{Code: int64(answer.Error.Code), Message: answer.Error.Message, Data: present(answer.Error.Data)}
	}
	if err := json.Unmarshal(completed(r, answer.Result), result); err != nil {
		return fmt.Errorf("decoding the result of %s: %w", method, err)
	}
	setCacheable(result)
	return nil
}

// completed returns an object, marked as a whole result for clients without a session. The SDK marks those of its own handlers only.
func completed(r mcp.Request, object json.RawMessage) json.RawMessage {
	versioned, is := r.(interface{ ProtocolVersion() string })
	var fields map[string]json.RawMessage
	if !is || versioned.ProtocolVersion() < sessionless || json.Unmarshal(object, &fields) != nil {
		return object
	}
	fields["resultType"] = json.RawMessage(`"complete"`)
	whole, _ := json.Marshal(fields) // it has been JSON before
	return whole
}

// setCacheable says how long a client may cache a result: not at all. Another daemon may answer otherwise.
func setCacheable(result mcp.Result) {
	var c *mcp.Cacheable
	switch r := result.(type) {
	case *mcp.ListPromptsResult:
		c = &r.Cacheable
	case *mcp.ListResourcesResult:
		c = &r.Cacheable
	case *mcp.ListResourceTemplatesResult:
		c = &r.Cacheable
	case *mcp.ReadResourceResult:
		c = &r.Cacheable
	default:
		return
	}
	c.TTLMs, c.CacheScope = 0, "private"
}
