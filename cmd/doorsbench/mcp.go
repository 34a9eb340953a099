package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpDoor is MCP over HTTP, by the official SDK.
func mcpDoor(ctx context.Context, w *warm) (door, error) {
	web := webClient(w.Socket())
	client := mcp.NewClient(&mcp.Implementation{Name: "doorsbench", Version: "1"}, nil)
	peer, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: "http://tidepool/mcp", HTTPClient: web}, nil)
	if err != nil {
		return door{}, err
	}
	params := &mcp.CallToolParams{Name: "find_callers", Arguments: w.arguments}
	ask := func(ctx context.Context) (string, error) {
		result, err := peer.CallTool(ctx, params)
		if err != nil {
			return "", err
		}
		if len(result.Content) == 1 {
			if text, is := result.Content[0].(*mcp.TextContent); is && !result.IsError {
				return text.Text, nil
			}
		}
		return "", fmt.Errorf("the result is %v", result)
	}
	name := fmt.Sprintf("by `POST /mcp`, MCP of %s by the official Go SDK", peer.InitializeResult().ProtocolVersion)
	return door{name: name, ask: ask, close: func() { peer.Close(); web.CloseIdleConnections() }}, nil
}
