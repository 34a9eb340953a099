package mcphttp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/protocol"
)

// newServer returns the SDK's server with the daemon's tools. They do not change while the daemon runs.
func (h *Handler) newServer(list *protocol.ToolsListResponse) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "tidepool", Version: h.options.Version}, &mcp.ServerOptions{
		Instructions: list.Instructions,
		Capabilities: capabilities(),
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.TTLMs, c.CacheScope = 0, "private" // another daemon may have other tools
		},
		Logger: slog.New(slog.DiscardHandler), // calls are logged where all are
	})
	var order []string
	for _, definition := range list.Tools {
		order = append(order, definition.Name)
		s.AddTool(toolOf(definition), h.callTool)
	}
	s.AddReceivingMiddleware(h.bound, h.logging, h.features, h.inOrder(order))
	return s
}

// toolOf returns a definition as the SDK has it.
func toolOf(d protocol.ToolDefinition) *mcp.Tool {
	tool := &mcp.Tool{Name: d.Name, Description: d.Description, InputSchema: present(d.InputSchema)}
	if present(d.InputSchema) == nil {
		tool.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	if present(d.Annotations) != nil {
		_ = json.Unmarshal(d.Annotations, &tool.Annotations) // the daemon's own
	}
	if present(d.Meta) != nil {
		_ = json.Unmarshal(d.Meta, &tool.Meta)
	}
	return tool
}

// present returns value, or nil if it is null.
func present(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}

// inOrder returns a middleware that lists tools in the daemon's order, and has the daemon say that it does not know one: it
// names the nearest.
func (h *Handler) inOrder(order []string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if call, is := r.(*mcp.CallToolRequest); is && !slices.Contains(order, call.Params.Name) {
				return h.callTool(ctx, call)
			}
			result, err := next(ctx, method, r)
			if list, is := result.(*mcp.ListToolsResult); is && err == nil {
				slices.SortFunc(list.Tools, func(a, b *mcp.Tool) int { return slices.Index(order, a.Name) - slices.Index(order, b.Name) })
			}
			return result, err
		}
	}
}

// bound refuses what exceeds maxRunning.
func (h *Handler) bound(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		request := h.requests.of(ctx, r.GetExtra())
		if request == nil {
			return nil, &jsonrpc.Error{Code: protocol.CodeInternal, Message: "the request came by no connection that is known"}
		}
		defer request.running.Add(-1)
		if request.running.Add(1) > maxRunning {
			return nil, &jsonrpc.Error{Code: protocol.CodeInternal, Message: fmt.Sprintf("%d requests are running: wait for one of them", maxRunning)}
		}
		return next(ctx, method, r)
	}
}
