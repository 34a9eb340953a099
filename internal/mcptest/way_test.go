package mcptest

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/daemontest"
	"tidepool/internal/mcphttp"
	"tidepool/internal/server"
)

// The doors by which a client reaches the tools.
const (
	stdio    = "stdio" // agent mcp
	overHTTP = "HTTP"  // /mcp of the daemon
	sse      = "SSE"   // /sse of the daemon
)

// A way is a door and a revision of MCP; "" is the newest, which has no sessions.
type way struct{ door, revision string }

func (w way) String() string { return w.door + ", revision " + w.revision }

// eras are a way of each era over stdio: the newest revision with sessions, and the one without.
func eras() []way { return []way{{stdio, "2025-11-25"}, {stdio, ""}} }

// ways are those of each era by each door. SSE is older than the second era.
func ways() []way {
	return append(eras(), way{overHTTP, "2025-11-25"}, way{overHTTP, ""}, way{sse, "2024-11-05"})
}

// sessionWays are those in which the server sends the client requests.
func sessionWays() []way {
	return []way{{stdio, "2025-11-25"}, {overHTTP, "2025-11-25"}, {sse, "2024-11-05"}}
}

func everyRevision() (all []way) {
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		all = append(all, way{stdio, revision}, way{overHTTP, revision}, way{sse, revision})
	}
	return append(all, way{stdio, ""}, way{overHTTP, ""})
}

// transport returns how the SDK's client reaches the daemon of the agent's project.
func (w way) transport(t *testing.T, agent *exec.Cmd) mcp.Transport {
	switch w.door {
	case overHTTP:
		return &mcp.StreamableClientTransport{Endpoint: "http://tidepool/mcp", HTTPClient: httpClient(t, agent.Dir)}
	case sse:
		return &mcp.SSEClientTransport{Endpoint: "http://tidepool/sse", HTTPClient: httpClient(t, agent.Dir)}
	}
	return &mcp.CommandTransport{Command: agent}
}

// httpClient returns a client that dials the daemon of a project.
func httpClient(t *testing.T, dir string) *http.Client {
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", daemontest.Socket(dir))
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// serve serves lines and HTTP in the project until stop, or the end of the test.
func serve(t *testing.T, dir string, options server.Options) (stop func()) {
	t.Helper()
	handler := mcphttp.New(mcphttp.Options{Version: agentVersion})
	t.Cleanup(handler.Close) // after the server
	options.HTTP, options.DrainTimeout = handler, time.Millisecond
	return daemontest.StartServer(t, dir, options)
}
