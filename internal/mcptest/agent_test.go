package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/server"
	"tidepool/protocol"
)

// agentBinary is built once for all tests.
var agentBinary string

// agentVersion is stamped as by make build.
const agentVersion = "v7.8.9"

// advice is what the daemons of these tests say of their tools.
const advice = "Prefer echo to shouting."

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcptest")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	agentBinary = filepath.Join(dir, "agent")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-X main.version="+agentVersion, "-o", agentBinary, ".")
	build.Dir = "../../agent"
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the agent: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// project makes a project and the command that serves it.
func project(t *testing.T) (dir string, agent *exec.Cmd) {
	t.Helper()
	dir, err := os.MkdirTemp("", "mcp") // a socket's path has room for about a hundred bytes, a test's name may take them all
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Mkdir(filepath.Join(dir, protocol.StateDir), 0o700); err != nil {
		t.Fatal(err)
	}
	agent = exec.Command(agentBinary, "mcp")
	agent.Dir = dir
	agent.Env = []string{"TIDEPOOL_PROJECT_DIR=" + dir, "TIDEPOOL_AUTOSTART=0"}
	agent.Stderr = os.Stderr
	return dir, agent
}

// startDaemon serves tools in the project until stop, or the end of the test.
func startDaemon(t *testing.T, dir string, tools server.Tools) (stop func()) {
	t.Helper()
	return serve(t, dir, server.Options{Tools: tools, Features: features(), Advice: advice})
}

// scripted tools: each name is what the tool does.
type scripted struct {
	names     []string
	cancelled chan struct{} // told when a "hang" was cancelled
}

func (s *scripted) List() []protocol.ToolDefinition {
	var list []protocol.ToolDefinition
	for _, name := range s.names {
		list = append(list, protocol.ToolDefinition{
			Name:        name,
			Description: "Does " + name + ".",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
			Annotations: json.RawMessage(`{"title":"` + name + `","readOnlyHint":true}`),
			Meta:        json.RawMessage(`{"anthropic/alwaysLoad":true}`),
		})
	}
	return list
}

func (s *scripted) Call(ctx context.Context, call *protocol.MCPToolCall, caller server.Caller) (server.Result, error) {
	var arguments struct {
		Text string `json:"text"`
		Size int    `json:"size"`
	}
	if err := json.Unmarshal(call.Arguments, &arguments); err != nil {
		return server.Result{}, &protocol.Error{Code: protocol.CodeInvalidParams, Message: err.Error()}
	}
	switch call.ToolName {
	case "echo":
		return server.Result{JSON: json.RawMessage(`{"n":1}`), Text: "ECHO:" + arguments.Text}, nil
	case "count":
		for i := range 3 {
			caller.Progress(float64(i+1), 3, "counting")
		}
		return server.Result{JSON: json.RawMessage(`3`)}, nil
	case "add_tool", "always", "added":
		return server.Result{Text: call.ToolName}, nil
	case "fail":
		return server.Result{}, fmt.Errorf("cannot %s", arguments.Text)
	case "big":
		return server.Result{Text: strings.Repeat("x", arguments.Size)}, nil
	case "hang":
		caller.Progress(1, 0, "hanging")
		<-ctx.Done()
		close(s.cancelled)
		return server.Result{}, ctx.Err()
	}
	return server.Result{}, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "unknown tool " + call.ToolName}
}
