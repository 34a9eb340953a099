package mcptest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client is the SDK's, with what the server tells it by itself.
type client struct {
	*mcp.ClientSession
	changed  chan struct{}
	progress chan *mcp.ProgressNotificationParams
}

func connect(t *testing.T, agent *exec.Cmd, way way) *client {
	t.Helper()
	c := &client{changed: make(chan struct{}, 10), progress: make(chan *mcp.ProgressNotificationParams, 10)}
	sdk := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { c.changed <- struct{}{} },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			c.progress <- r.Params
		},
	})
	session, err := sdk.Connect(t.Context(), way.transport(t, agent), &mcp.ClientSessionOptions{ProtocolVersion: way.revision})
	if err != nil {
		t.Fatal(err)
	}
	c.ClientSession = session
	t.Cleanup(func() { session.Close() })
	return c
}

func (c *client) call(t *testing.T, tool string, arguments map[string]any) (text string, isError bool) {
	t.Helper()
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	content, ok := result.Content[0].(*mcp.TextContent)
	if len(result.Content) != 1 || !ok || result.StructuredContent != nil {
		t.Fatalf("%s: %+v", tool, result)
	}
	return content.Text, result.IsError
}

func (c *client) tools(t *testing.T) (names []string) {
	t.Helper()
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// modern is what "" comes to.
const modern = "2026-07-28"

func TestEveryRevision(t *testing.T) {
	for _, way := range everyRevision() {
		t.Run(way.String(), func(t *testing.T) {
			dir, agent := project(t)
			startDaemon(t, dir, &scripted{names: []string{"echo", "fail", "big"}})
			c := connect(t, agent, way)
			want := cmp.Or(way.revision, modern)
			got := c.InitializeResult()
			if got.ProtocolVersion != want || got.ServerInfo.Name != "tidepool" || got.ServerInfo.Version != agentVersion {
				t.Errorf("got %+v, server %+v", got, got.ServerInfo)
			}
			if got.Capabilities.Tools.ListChanged != (way.door == stdio) || got.Instructions != advice {
				t.Errorf("got %+v", got)
			}
			if got := fmt.Sprint(c.tools(t)); got != "[echo fail big]" {
				t.Errorf("tools: %s", got)
			}
			if text, isError := c.call(t, "echo", map[string]any{"text": "ü<1>"}); text != "ECHO:ü<1>" || isError {
				t.Errorf("echo: %q, %v", text, isError)
			}
			if text, isError := c.call(t, "fail", map[string]any{"text": "do that"}); !strings.Contains(text, "cannot do that") || !isError {
				t.Errorf("fail: %q, %v", text, isError)
			}
			if text, isError := c.call(t, "big", map[string]any{"size": 1 << 20}); len(text) != 1<<20 || isError {
				t.Errorf("big: %d bytes, %v", len(text), isError)
			}
			_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "none"})
			var wire *jsonrpc.Error
			if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
				t.Errorf("unknown tool: %v", err)
			}
			// The newest revision has no ping; agent mcp answers one all the same.
			if err := c.Ping(t.Context(), nil); err != nil && (way.door == stdio || way.revision != "") {
				t.Error(err)
			}
		})
	}
}

func TestAnnotationsArrive(t *testing.T) {
	for _, way := range ways() {
		dir, agent := project(t)
		startDaemon(t, dir, &scripted{names: []string{"echo"}})
		list, err := connect(t, agent, way).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		tool := list.Tools[0]
		if tool.Description != "Does echo." || tool.Annotations.Title != "echo" || !tool.Annotations.ReadOnlyHint || tool.Meta["anthropic/alwaysLoad"] != true {
			t.Errorf("%v: got %+v, %+v", way, tool, tool.Annotations)
		}
	}
}

// Whatever a result carries must not stop the next call of the same client.
func TestResultsAreMarked(t *testing.T) {
	for _, door := range []string{stdio, overHTTP} {
		testResultsAreMarked(t, way{door, ""})
	}
}

func testResultsAreMarked(t *testing.T, way way) {
	dir, agent := project(t)
	startDaemon(t, dir, &scripted{names: []string{"echo"}})
	c := connect(t, agent, way)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if list.CacheScope != "private" || list.TTLMs != 0 {
		t.Errorf("got %+v", list.Cacheable)
	}
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := result.Meta[mcp.MetaKeyServerInfo]; !ok || result.NeedsInput() {
		t.Errorf("got %+v", result)
	}
}

func TestProgressAndCancellation(t *testing.T) {
	for _, way := range ways() {
		t.Run(way.String(), func(t *testing.T) { testProgressAndCancellation(t, way) })
	}
}

func testProgressAndCancellation(t *testing.T, way way) {
	dir, agent := project(t)
	tools := &scripted{names: []string{"count", "hang"}, cancelled: make(chan struct{})}
	startDaemon(t, dir, tools)
	c := connect(t, agent, way)
	params := &mcp.CallToolParams{Name: "count"}
	params.SetProgressToken("a token")
	if _, err := c.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		got := <-c.progress
		if got.ProgressToken != "a token" || got.Progress != float64(i+1) || got.Total != 3 || got.Message != "counting" {
			t.Errorf("got %+v", got)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	params = &mcp.CallToolParams{Name: "hang"}
	params.SetProgressToken(7)
	ended := make(chan error)
	go func() {
		_, err := c.CallTool(ctx, params)
		ended <- err
	}()
	<-c.progress // it runs
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-tools.cancelled
	if names := c.tools(t); len(names) != 2 {
		t.Errorf("afterwards: %v", names)
	}
}

func TestConcurrentCalls(t *testing.T) {
	for _, way := range ways() {
		t.Run(way.String(), func(t *testing.T) { testConcurrentCalls(t, way) })
	}
}

func testConcurrentCalls(t *testing.T, way way) {
	dir, agent := project(t)
	startDaemon(t, dir, &scripted{names: []string{"echo"}})
	c := connect(t, agent, way)
	var calls sync.WaitGroup
	for i := range 50 {
		calls.Go(func() {
			text := fmt.Sprint(i)
			result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": text}})
			if err != nil || result.Content[0].(*mcp.TextContent).Text != "ECHO:"+text {
				t.Errorf("call %d: %+v, %v", i, result, err)
			}
		})
	}
	calls.Wait()
}

func TestDaemonComesAndGoes(t *testing.T) {
	for _, way := range eras() {
		t.Run(way.String(), func(t *testing.T) { testDaemonComesAndGoes(t, way) })
	}
}

func testDaemonComesAndGoes(t *testing.T, way way) {
	dir, agent := project(t)
	c := connect(t, agent, way)
	if got := c.tools(t); len(got) != 0 {
		t.Errorf("without a daemon: %v", got)
	}
	stop := startDaemon(t, dir, &scripted{names: []string{"echo"}})
	<-c.changed
	if got := fmt.Sprint(c.tools(t)); got != "[echo]" {
		t.Errorf("tools: %s", got)
	}
	stop()
	start := time.Now()
	if text, isError := c.call(t, "echo", nil); !isError || !strings.Contains(text, "run `controlserver serve` in "+dir) {
		t.Errorf("without the daemon: %q, %v", text, isError)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("a call without a daemon took %v", took)
	}
	startDaemon(t, dir, &scripted{names: []string{"echo", "count"}})
	<-c.changed
	if got := fmt.Sprint(c.tools(t)); got != "[echo count]" {
		t.Errorf("tools: %s", got)
	}
	if text, isError := c.call(t, "echo", map[string]any{"text": "again"}); text != "ECHO:again" || isError {
		t.Errorf("after the restart: %q, %v", text, isError)
	}
}
