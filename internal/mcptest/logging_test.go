package mcptest

//lint:file-ignore SA1019 logging is deprecated since 2026-07-28, but clients may use it for another year

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
func connectLogging(t *testing.T, w way, agent *exec.Cmd) (_ *mcp.ClientSession, logged chan *mcp.LoggingMessageParams, progress chan struct{}) {
	t.Helper()
	logged, progress = make(chan *mcp.LoggingMessageParams, 10), make(chan struct{}, 10)
	sdk := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, &mcp.ClientOptions{
		LoggingMessageHandler:       func(_ context.Context, r *mcp.LoggingMessageRequest) { logged <- r.Params },
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { progress <- struct{}{} },
	})
	session, err := sdk.Connect(t.Context(), w.transport(t, agent), &mcp.ClientSessionOptions{ProtocolVersion: w.revision})
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

// A session is sent messages at the level that it sets, by default warnings.
func TestLogging(t *testing.T) {
	for _, w := range sessionWays() {
		t.Run(w.String(), func(t *testing.T) {
			dir, agent := project(t)
			sent := make(messages)
			serve(t, dir, server.Options{Tools: &scripted{}, Messages: sent})
			c, logged, _ := connectLogging(t, w, agent)
			sent <- &protocol.LogMessage{Level: "info", Logger: "settings", Text: "not wanted"}
			sent <- &protocol.LogMessage{Level: "warning", Logger: "settings", Text: "by default"}
			wantLogged(t, <-logged, "warning", "by default")
			if err := c.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
				t.Fatal(err)
			}
			sent <- &protocol.LogMessage{Level: "debug", Logger: "settings", Text: "asked for"}
			wantLogged(t, <-logged, "debug", "asked for")
			if err := c.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "loud"}); err == nil || !strings.Contains(err.Error(), "must be one of debug, info") {
				t.Errorf("a level that there is not: %v", err)
			}
		})
	}
}

// A client of the modern era asks for messages with a request.
func TestLoggingOfARequest(t *testing.T) {
	for _, w := range []way{{stdio, ""}, {overHTTP, ""}} {
		t.Run(w.String(), func(t *testing.T) {
			dir, agent := project(t)
			sent := make(messages)
			tools := &scripted{names: []string{"hang"}, cancelled: make(chan struct{})}
			serve(t, dir, server.Options{Tools: tools, Messages: sent})
			c, logged, progress := connectLogging(t, w, agent)
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
		})
	}
}
