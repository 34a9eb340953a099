package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/protocol"
)

func example(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", ".tidepool.example", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Claude Code drops unknown events and keys without a word, so nobody would notice a slip.
func TestExampleHooks(t *testing.T) {
	type handler struct {
		Type, Command string
		Args          []string
		Timeout       int
	}
	var settings struct {
		Hooks map[protocol.Event][]struct {
			Matcher string
			Hooks   []handler
		}
	}
	if err := json.Unmarshal(example(t, "settings.json"), &settings); err != nil {
		t.Fatal(err)
	}
	for event, groups := range settings.Hooks {
		if !slices.Contains(protocol.Events(), event) {
			t.Errorf("%s is no event", event)
		}
		want := []handler{{"command", "agent", []string{"hook", event.Kebab()}, groups[0].Hooks[0].Timeout}}
		if diff := cmp.Diff(want, groups[0].Hooks); diff != "" || len(groups) != 1 {
			t.Errorf("%s: (-want +got)\n%s", event, diff)
		}
		if timeout := groups[0].Hooks[0].Timeout; timeout < 1 || timeout > 10 {
			t.Errorf("%s: timeout of %d seconds", event, timeout)
		}
	}
	for _, event := range []protocol.Event{protocol.PreToolUse, protocol.PostToolUse, protocol.FileChanged} {
		if settings.Hooks[event] == nil {
			t.Errorf("%s is missing", event)
		}
	}
}

func TestExampleMCP(t *testing.T) {
	var file struct {
		MCPServers map[string]struct {
			Type, Command string
			Args          []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(example(t, ".mcp.json"), &file); err != nil {
		t.Fatal(err)
	}
	server := file.MCPServers["tidepool"]
	if server.Type != "stdio" || server.Command != "agent" || !slices.Equal(server.Args, []string{"mcp"}) {
		t.Errorf("the entry is %+v", server)
	}
}

func TestExampleProcessCompose(t *testing.T) {
	text := string(example(t, "process-compose.yaml"))
	for _, command := range []string{`command: "controlserver serve"`, `command: "agent health"`} {
		if !strings.Contains(text, command) {
			t.Errorf("there is no %s", command)
		}
	}
}
