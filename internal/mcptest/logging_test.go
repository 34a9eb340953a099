package mcptest

//lint:file-ignore SA1019 logging is deprecated since 2026-07-28, but clients may use it for another year

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/daemontest"
	"tidepool/internal/server"
	"tidepool/protocol"
)

// messages are sent to each client that attaches, as they come.
type messages chan *protocol.LogMessage

func (m messages) Follow(ctx context.Context, tell func(*protocol.LogMessage)) {
	for {
		select {
		case one := <-m:
			tell(one)
		case <-ctx.Done():
			return
		}
	}
}

// connectLogging connects a client that passes on what is logged, and each progress of a call.
func connectLogging(t *testing.T, agent *exec.Cmd, revision string) (_ *mcp.ClientSession, logged chan *mcp.LoggingMessageParams, progress chan struct{}) {
	t.Helper()
	logged, progress = make(chan *mcp.LoggingMessageParams, 10), make(chan struct{}, 10)
	sdk := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
		LoggingMessageHandler:       func(_ context.Context, r *mcp.LoggingMessageRequest) { logged <- r.Params },
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { progress <- struct{}{} },
	})
	session, err := sdk.Connect(t.Context(), &mcp.CommandTransport{Command: agent}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	if session.InitializeResult().Capabilities.Logging == nil {
		t.Error("logging is not declared")
	}
	return session, logged, progress
}

func wantLogged(t *testing.T, got *mcp.LoggingMessageParams, level, text string) {
	t.Helper()
	if string(got.Level) != level || got.Logger != "settings" || got.Data != text {
		t.Errorf("got %+v", got)
	}
}

func TestLogging(t *testing.T) {
	dir, agent := project(t)
	sent := make(messages)
	daemontest.StartServer(t, dir, server.Options{Tools: &scripted{}, Messages: sent, DrainTimeout: time.Millisecond})
	c, logged, _ := connectLogging(t, agent, "2025-11-25")
	sent <- &protocol.LogMessage{Level: "info", Logger: "settings", Text: "not wanted"}
	sent <- &protocol.LogMessage{Level: "warning", Logger: "settings", Text: "by default"}
	wantLogged(t, <-logged, "warning", "by default")
	if err := c.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
		t.Fatal(err)
	}
	sent <- &protocol.LogMessage{Level: "debug", Logger: "settings", Text: "asked for"}
	wantLogged(t, <-logged, "debug", "asked for")
}

// A client of the modern era asks for messages with a request.
func TestLoggingOfARequest(t *testing.T) {
	dir, agent := project(t)
	sent := make(messages)
	tools := &scripted{names: []string{"hang"}, cancelled: make(chan struct{})}
	daemontest.StartServer(t, dir, server.Options{Tools: tools, Messages: sent, DrainTimeout: time.Millisecond})
	c, logged, progress := connectLogging(t, agent, "")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		params := &mcp.CallToolParams{Name: "hang", Meta: mcp.Meta{mcp.MetaKeyLogLevel: "error"}}
		params.SetProgressToken(1)
		_, err := c.CallTool(ctx, params)
		ended <- err
	}()
	<-progress // it runs
	sent <- &protocol.LogMessage{Level: "warning", Logger: "settings", Text: "not wanted"}
	sent <- &protocol.LogMessage{Level: "error", Logger: "settings", Text: "wanted"}
	wantLogged(t, <-logged, "error", "wanted")
	cancel()
	<-ended
	<-tools.cancelled
}
