package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bridged serves the fixtures through a bridge.
func bridged(t *testing.T) (url string) {
	t.Helper()
	agent := filepath.Join(t.TempDir(), "agent")
	build := exec.Command("go", "build", "-trimpath", "-o", agent, ".")
	build.Dir, build.Env = "../../../agent", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the agent: %v\n%s", err, out)
	}
	dir := t.TempDir()
	d, err := startDaemon(dir)
	if err != nil {
		t.Fatal(err)
	}
	b := &bridge{agent: agent, dir: dir, sessions: make(map[string]*process)}
	web := httptest.NewServer(b)
	t.Cleanup(func() {
		web.Close()
		b.close()
		if err := d.stop(); err != nil {
			t.Error(err)
		}
	})
	return web.URL
}

func TestBridgeCarriesBothEras(t *testing.T) {
	url := bridged(t)
	for _, revision := range revisions() {
		t.Run(revision, func(t *testing.T) {
			changed := make(chan struct{}, 10)
			progress := make(chan float64, 10)
			client := mcp.NewClient(&mcp.Implementation{Name: "sdk"}, &mcp.ClientOptions{
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
				ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
					progress <- r.Params.Progress
				},
			})
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			if got := session.InitializeResult().ProtocolVersion; got != revision {
				t.Errorf("speaks %s", got)
			}
			before, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			params := &mcp.CallToolParams{Name: "test_tool_with_progress"}
			params.SetProgressToken("token")
			result, err := session.CallTool(t.Context(), params)
			if err != nil || result.Content[0].(*mcp.TextContent).Text != "done" {
				t.Errorf("got %+v, %v", result, err)
			}
			for _, want := range []float64{0, 50, 100} {
				if got := <-progress; got != want {
					t.Errorf("progress %v, want %v", got, want)
				}
			}
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "test_trigger_tool_change"}); err != nil {
				t.Error(err)
			}
			<-changed
			after, err := session.ListTools(t.Context(), nil)
			if err != nil || len(after.Tools) != len(before.Tools)+1 {
				t.Errorf("got %d tools after %d, %v", len(after.Tools), len(before.Tools), err)
			}
		})
	}
}

func TestBridgeRefuses(t *testing.T) {
	url := bridged(t)
	meta := `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`
	for _, test := range []struct {
		name, method, body string
		header             http.Header
		status             int
	}{
		{"foreign page", "POST", "{}", http.Header{"Origin": {"https://evil.example"}}, http.StatusForbidden},
		{"unknown session", "POST", "{}", http.Header{sessionHeader: {"x"}}, http.StatusNotFound},
		{"no session to listen to", "GET", "", nil, http.StatusMethodNotAllowed},
		{"no JSON", "POST", "{", nil, http.StatusBadRequest},
		{"unknown method", "POST", `{"jsonrpc":"2.0","id":1,"method":"no/such","params":` + meta + `}`, nil, http.StatusNotFound},
		{"no _meta", "POST", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, nil, http.StatusBadRequest},
		{"another version in the header", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + meta + `}`,
			http.Header{versionHeader: {"2027-01-01"}}, http.StatusBadRequest},
		{"discover", "POST", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":` + meta + `}`, nil, http.StatusOK},
	} {
		request, err := http.NewRequestWithContext(t.Context(), test.method, url, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		for key, values := range test.header {
			request.Header[http.CanonicalHeaderKey(key)] = values
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != test.status {
			t.Errorf("%s: %s, want %d", test.name, response.Status, test.status)
		}
	}
}

// The port serves the same tools: the SDK's client lists and calls them, by a URL with the port's token.
func TestPort(t *testing.T) {
	url, closes, err := openPort(filepath.Join(t.TempDir(), "port"))
	if err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "test_simple_text"})
	if err != nil || result.Content[0].(*mcp.TextContent).Text != "done" {
		t.Errorf("%+v, %v", result, err)
	}
	session.Close()
	if err := closes(); err != nil {
		t.Error(err)
	}
}

func TestVerdict(t *testing.T) {
	passed, err := verdict("a", modern, []check{{"x", "SUCCESS", ""}, {"y", "INFO", ""}, {"z", "SKIPPED", ""}})
	if passed != 1 || err != nil {
		t.Errorf("got %d, %v", passed, err)
	}
	passed, err = verdict("a", modern, []check{{"x", "SUCCESS", ""}, {"y", "WARNING", "should"}, {"z", "FAILURE", "must"}})
	if want := "a at 2026-07-28: y: should\na at 2026-07-28: z: must"; passed != 1 || err == nil || err.Error() != want {
		t.Errorf("got %d, %v", passed, err)
	}
}

func TestExclusions(t *testing.T) {
	agent, port := agentExclusions(), portExclusions()
	for name, want := range map[string]struct{ agent, port bool }{
		"tasks-lifecycle": {true, true}, "tools-call-image": {true, true}, "server-sse-polling": {true, true},
		"dns-rebinding-protection": {true, false}, "http-header-validation": {true, false}, "server-session-lifecycle": {true, false},
		"prompts-get-simple": {}, "resources-list": {}, "tools-list": {}, "tools-call-error": {}, "caching": {}, "server-stateless": {},
	} {
		if got := excluded(agent, name); got != want.agent {
			t.Errorf("%s is excluded for the agent: %v", name, got)
		}
		if got := excluded(port, name); got != want.port {
			t.Errorf("%s is excluded for the port: %v", name, got)
		}
	}
	if err := unused(port); err == nil || !strings.Contains(err.Error(), "resources-subscribe") || strings.Contains(err.Error(), "tasks-*") {
		t.Errorf("got %v", err)
	}
}
