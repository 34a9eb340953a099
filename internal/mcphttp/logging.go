package mcphttp

//lint:file-ignore SA1019 logging is deprecated since 2026-07-28, but clients may use it for another year

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/server"
	"tidepool/protocol"
)

// logLevels are MCP's, the least severe first.
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// defaultLogLevel is that of a session which has set none.
const defaultLogLevel = "warning"

func isLogLevel(level string) bool { return slices.Contains(logLevels(), level) }

// logging is a middleware that sends the daemon's messages to clients: to a session by its stream, at the level that it has set, and
// to a client without one while a request runs, at the level in the request's _meta. The SDK leaves out less severe ones.
func (h *Handler) logging(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		session, is := r.GetSession().(*mcp.ServerSession)
		if !is {
			return next(ctx, method, r)
		}
		switch method {
		case "logging/setLevel":
			if params, is := r.GetParams().(*mcp.SetLoggingLevelParams); is && (params == nil || !isLogLevel(string(params.Level))) {
				message := "logging/setLevel: level must be one of " + strings.Join(logLevels(), ", ")
				return nil, &jsonrpc.Error{Code: protocol.CodeInvalidParams, Message: message}
			}
		case "initialize":
			return beginSession(ctx, next, r, session)
		case "notifications/initialized":
			if stream := requestOf(ctx); stream != nil { // of /sse
				stream.attach(session)
			}
		}
		defer tellDuring(ctx, r, session)()
		return next(ctx, method, r)
	}
}

// beginSession begins a session at defaultLogLevel. The SDK sends one that has set no level nothing.
func beginSession(ctx context.Context, next mcp.MethodHandler, r mcp.Request, session *mcp.ServerSession) (mcp.Result, error) {
	result, err := next(ctx, "initialize", r)
	if err != nil {
		return nil, err
	}
	level := &mcp.ServerRequest[*mcp.SetLoggingLevelParams]{Session: session, Params: &mcp.SetLoggingLevelParams{Level: defaultLogLevel}}
	if _, err := next(ctx, "logging/setLevel", level); err != nil {
		return nil, err
	}
	return result, nil
}

// tellDuring sends the messages that a request asks for, until end.
func tellDuring(ctx context.Context, r mcp.Request, session *mcp.ServerSession) (end func()) {
	meta := metaOf(r)
	level, _ := meta[mcp.MetaKeyLogLevel].(string)
	if meta[mcp.MetaKeyProtocolVersion] == nil || !isLogLevel(level) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var telling sync.WaitGroup
	telling.Go(func() { tell(ctx, session) })
	return func() {
		cancel()
		telling.Wait()
	}
}

// metaOf returns the _meta of a request, nil if it has none.
func metaOf(r mcp.Request) mcp.Meta {
	params := r.GetParams()
	if params == nil || reflect.ValueOf(params).IsNil() {
		return nil
	}
	return params.GetMeta()
}

// tell sends a session the daemon's messages until ctx ends.
func tell(ctx context.Context, session *mcp.ServerSession) {
	server.FollowMessages(ctx, func(m *protocol.LogMessage) {
		_ = session.Log(ctx, &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(m.Level), Logger: m.Logger, Data: m.Text}) // a client that is gone shows in ctx
	})
}

// tellStream sends messages to the session that attaches to a stream of events, until end.
func tellStream(ctx context.Context, stream *request) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var telling sync.WaitGroup
	telling.Go(func() {
		select {
		case session := <-stream.attached:
			tell(ctx, session)
		case <-ctx.Done():
		}
	})
	return func() {
		cancel()
		telling.Wait()
	}
}
