package server

import (
	"context"

	"tidepool/protocol"
)

// Functions for handlers of HTTP whose clients speak a protocol with sessions and streams, as MCP: a call that the client
// follows, a call that outlives its request, and a request that is a stream.

type followKey struct{}

// Follow is Do for a call that the client follows: interim receives what a client of lines would receive before the reply. It must not
// block. The call's context is not [OverHTTP]: a tool has the names, the arguments and the errors that it has on lines.
func Follow(ctx context.Context, r protocol.Request, interim func(protocol.Response)) protocol.Response {
	return exchange(context.WithValue(ctx, followKey{}, true), r, interim)
}

// Outlive returns a context for calls that may go on when their HTTP request has been answered. It ends by cancel, and when Shutdown
// cancels calls, and keeps what ctx says of the client.
func Outlive(ctx context.Context) (outliving context.Context, cancel context.CancelCauseFunc) {
	outliving, end := context.WithCancelCause(context.WithoutCancel(ctx))
	h, is := ctx.Value(httpKey{}).(*httpConn)
	if !is {
		return outliving, end
	}
	stop := context.AfterFunc(h.server.work, func() { end(context.Cause(h.server.work)) })
	return outliving, func(cause error) {
		stop()
		end(cause)
	}
}

// Stream declares that an HTTP request is a stream of events: nobody waits for its end. Until release its connection may be evicted,
// and the stream does not keep the daemon from exiting. The context that it returns ends with ctx, and at the start of a shutdown.
// The handler must return soon after that.
func Stream(ctx context.Context) (streaming context.Context, release func()) {
	h, is := ctx.Value(httpKey{}).(*httpConn)
	if !is {
		return context.WithCancel(ctx)
	}
	streaming, stop := h.server.untilQuit(ctx)
	h.countStreaming(1)
	return streaming, func() {
		stop()
		h.countStreaming(-1)
	}
}

// countStreaming counts requests whose end nobody waits for.
func (h *httpConn) countStreaming(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.streaming += n
	h.settle()
}

// FollowMessages reports the messages that clients of lines are sent when they attach, until ctx ends or a shutdown starts. ctx is that
// of an HTTP request.
func FollowMessages(ctx context.Context, tell func(*protocol.LogMessage)) {
	h, is := ctx.Value(httpKey{}).(*httpConn)
	if !is || h.server.options.Messages == nil {
		return
	}
	ctx, stop := h.server.untilQuit(ctx)
	defer stop()
	h.server.options.Messages.Follow(ctx, tell)
}
