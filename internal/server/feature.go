package server

import (
	"context"
	"time"

	"tidepool/protocol"
)

// callFeature answers a request of MCP, and logs its method, its time and its error, but neither params nor result. If the call's
// context has ended, that is the error.
func (k *call) callFeature(r *protocol.MCPRequest) protocol.Response {
	s := k.conn.server
	if s.options.Features == nil {
		return k.failure(&protocol.Error{Code: protocol.CodeMethodNotFound, Message: "this daemon has no prompts and no resources"})
	}
	start := time.Now()
	result, err := s.options.Features.Request(k.ctx, r)
	if err == nil {
		s.log.Debug("mcp request", "method", nameOf(r), "took", time.Since(start))
		return &protocol.MCPResult{ID: r.ID, Result: result}
	}
	if k.ctx.Err() != nil {
		err = context.Cause(k.ctx)
	}
	s.log.Info("mcp request failed", "method", nameOf(r), "took", time.Since(start), "err", err)
	return k.failure(err)
}
