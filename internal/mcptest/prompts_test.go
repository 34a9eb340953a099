package mcptest

import (
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestPrompts(t *testing.T) {
	for _, way := range ways() {
		t.Run(way.String(), func(t *testing.T) { testPrompts(t, way) })
	}
}

func testPrompts(t *testing.T, way way) {
	dir, agent := project(t)
	startDaemon(t, dir, &scripted{})
	c := connect(t, agent, way)
	if declared := c.InitializeResult().Capabilities.Prompts; declared == nil || declared.ListChanged != (way.door == stdio) {
		t.Errorf("declared: %+v", declared)
	}
	var names []string
	for p, err := range c.Prompts(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "explain failing-test history impact" {
		t.Errorf("prompts: %s", got)
	}
	got, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "impact", Arguments: map[string]string{"symbol": "Registry.Discover"}})
	if err != nil {
		t.Fatal(err)
	}
	text, is := got.Messages[0].Content.(*mcp.TextContent)
	if len(got.Messages) != 1 || got.Messages[0].Role != "user" || !is || !strings.HasPrefix(text.Text, `Find what a change of "Registry.Discover" breaks`) {
		t.Errorf("got %+v", got.Messages[0])
	}
	_, err = c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "impact"})
	if wire, is := errors.AsType[*jsonrpc.Error](err); !is || wire.Code != jsonrpc.CodeInvalidParams || !strings.Contains(wire.Message, "impact needs symbol") {
		t.Errorf("without a symbol: %v", err)
	}
}
