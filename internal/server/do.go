package server

import (
	"bytes"
	"context"
	"errors"
	"time"

	"tidepool/protocol"
)

// errNoHTTP is the reply to a request that does not belong to a connection of HTTP.
var errNoHTTP = errors.New("the request came by no connection that speaks HTTP")

// OverHTTP reports whether a call, whose context this is, was made by Do.
func OverHTTP(ctx context.Context) bool {
	_, is := ctx.Value(httpKey{}).(*httpConn)
	return is && ctx.Value(followKey{}) == nil
}

// FromHTTP reports whether a call, whose context this is, came by a connection of HTTP: whether Do or Follow made it.
func FromHTTP(ctx context.Context) bool {
	_, is := ctx.Value(httpKey{}).(*httpConn)
	return is
}

// Do answers a request as if the client of an HTTP request had sent it as a line, with the limits, the timeouts and the log of
// lines. ctx is the HTTP request's context: when the client hangs up or resets the stream, the call is cancelled. While the connection has
// as many unfinished calls as one of lines may have, Do waits, and the time limit runs.
func Do(ctx context.Context, r protocol.Request) protocol.Response { return exchange(ctx, r, nil) }

// exchange answers a request whose reply and what precedes it do not go to the connection.
func exchange(ctx context.Context, r protocol.Request, interim func(protocol.Response)) protocol.Response {
	h, is := ctx.Value(httpKey{}).(*httpConn)
	if !is {
		return &protocol.ErrorResponse{Error: asError(errNoHTTP)}
	}
	limit := h.server.options.HookTimeout
	switch r := r.(type) { // a call may outlive its request
	case *protocol.MCPToolCall:
		r.Arguments = bytes.Clone(r.Arguments)
		limit = h.server.callLimit(r)
	case *protocol.MCPRequest:
		r.Params = bytes.Clone(r.Params)
		limit = h.server.options.CallTimeout
	}
	began := time.Now()
	if err := h.reserveCall(ctx, nameOf(r), limit); err != nil {
		return &protocol.ErrorResponse{Error: asError(err)}
	}
	k := h.register(ctx, r, limit-time.Since(began))
	k.replies, k.interim = make(chan protocol.Response, 1), interim
	go k.run()
	return <-k.replies
}

// reserveCall waits until the connection may have another call.
func (c *conn) reserveCall(ctx context.Context, name string, limit time.Duration) error {
	select {
	case c.calls <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case c.calls <- struct{}{}:
		return nil
	case <-timer.C:
		return &deadlineError{name, limit}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
