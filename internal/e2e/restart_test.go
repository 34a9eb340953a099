package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/daemontest"
	"tidepool/lsp/lsptest"
)

// A conversation outlives its daemon: kill -9 costs the call that is made
// meanwhile, and the next daemon answers the rest.
func TestConversationOutlivesTheDaemon(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	project := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n",
		"m.go":   "package m\n\nfunc F() {}\n\nfunc G() { F() }\n",
	} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first := startDaemon(ctx, t, project)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	agent := program(ctx, t, project, "agent", "mcp")
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: agent}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if text, failed := findCallers(ctx, t, session); failed || !strings.Contains(text, "m.go:5") {
		t.Fatalf("with the first daemon: %s", text)
	}

	first.Kill()
	if text, failed := findCallers(ctx, t, session); !failed || !strings.Contains(text, "controlserver serve") {
		t.Errorf("without a daemon: failed %t, %s", failed, text)
	}

	startDaemon(ctx, t, project)
	if text, failed := findCallers(ctx, t, session); failed || !strings.Contains(text, "m.go:5") {
		t.Errorf("with the second daemon: %s", text)
	}
}

func findCallers(ctx context.Context, t *testing.T, session *mcp.ClientSession) (text string, failed bool) {
	t.Helper()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "find_callers", Arguments: map[string]any{"name": "F"}})
	if err != nil {
		t.Fatal(err)
	}
	return result.Content[0].(*mcp.TextContent).Text, result.IsError
}

// program prepares one of the two programs in a project, with gopls on its
// PATH; the agent starts no daemon of its own.
func program(ctx context.Context, t *testing.T, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	return project{dir: dir, env: append(os.Environ(), "GOWORK=off", "TIDEPOOL_AUTOSTART=0",
		"PATH="+filepath.Dir(lsptest.Program(t, "gopls"))+string(filepath.ListSeparator)+os.Getenv("PATH"))}.command(ctx, name, args...)
}

// startDaemon serves the project until the test ends.
func startDaemon(ctx context.Context, t *testing.T, project string) *daemontest.Daemon {
	t.Helper()
	d := daemontest.Start(t, program(ctx, t, project, "controlserver", "serve"), project)
	t.Cleanup(func() { _ = d.Stop() }) // one that is killed leaves things behind
	return d
}
