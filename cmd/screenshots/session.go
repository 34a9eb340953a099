package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A session calls tools and runs hooks as one of Claude Code does.
type session struct {
	*stage
	peer *mcp.ClientSession
}

// newSession connects to agent mcp. The caller calls close.
func (s *stage) newSession(ctx context.Context) (*session, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "claude-code"}, nil)
	peer, err := client.Connect(ctx, &mcp.CommandTransport{Command: s.command(context.WithoutCancel(ctx), "agent", "mcp")}, nil)
	return &session{s, peer}, err
}

// close ends agent mcp, by closing its input.
func (s *session) close() error { return s.peer.Close() }

// call calls a tool, and returns an error if it answers with one.
func (s *session) call(ctx context.Context, tool string, arguments map[string]any) error {
	result, err := s.peer.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || !result.IsError {
		return err
	}
	for _, content := range result.Content {
		if text, is := content.(*mcp.TextContent); is {
			return fmt.Errorf("calling %s: %s", tool, text.Text)
		}
	}
	return fmt.Errorf("calling %s: an error without a text", tool)
}

// hook runs the command of a hook event, whose fields beside its name are JSON.
func (s *session) hook(ctx context.Context, command, event, fields string) error {
	hook := s.command(ctx, "agent", "hook", command)
	hook.Stdin = strings.NewReader(`{"session_id":"shop","hook_event_name":"` + event + `",` + fields + `}`)
	return s.run(hook)
}
