package mcp

import (
	"context"
	"encoding/json"

	"tidepool/internal/dialog"
	"tidepool/protocol"
)

// modernRevision is the revision of MCP without sessions.
const modernRevision = "2026-07-28"

// codeUnsupportedVersion is MCP's own code. The error's data is an unsupportedVersion.
const codeUnsupportedVersion = -32022

type unsupportedVersion struct {
	Supported []string `json:"supported"`
	Requested string   `json:"requested"`
}

// A requestMeta is the _meta of a request of the modern era.
type requestMeta struct {
	Version      string          `json:"io.modelcontextprotocol/protocolVersion"`
	Client       json.RawMessage `json:"io.modelcontextprotocol/clientInfo"`         // may be absent
	Capabilities json.RawMessage `json:"io.modelcontextprotocol/clientCapabilities"` // required
	LogLevel     string          `json:"io.modelcontextprotocol/logLevel"`           // "": no messages
}

// parseMeta returns the _meta of params. Params that are no object have none.
func parseMeta(params json.RawMessage) requestMeta {
	var p struct {
		Meta requestMeta `json:"_meta"`
	}
	_ = json.Unmarshal(params, &p)
	return p.Meta
}

// isModern reports whether the request belongs to the era without sessions. A
// request that names a revision of the legacy era does not.
func (m *requestMeta) isModern() bool { return m.Version >= modernRevision }

// check returns why a request cannot be served, or nil.
func (m *requestMeta) check() *rpcError {
	var object map[string]json.RawMessage
	switch {
	case m.Version == "":
		return &rpcError{Code: protocol.CodeInvalidParams, Message: "_meta must have io.modelcontextprotocol/protocolVersion"}
	case m.Version != modernRevision:
		return &rpcError{
			Code:    codeUnsupportedVersion,
			Message: "unsupported protocol version: use " + modernRevision + ", or initialize for an older one",
			Data:    unsupportedVersion{supportedVersions(), m.Version},
		}
	case json.Unmarshal(m.Capabilities, &object) != nil || object == nil:
		return &rpcError{Code: protocol.CodeInvalidParams, Message: "_meta must have io.modelcontextprotocol/clientCapabilities, an object"}
	}
	return nil
}

func supportedVersions() []string { return append([]string{modernRevision}, revisions()...) }

// modernRequest serves a request of the modern era.
func (s *server) modernRequest(m message, meta requestMeta, answer answerFunc) {
	if err := meta.check(); err != nil {
		answer(errorLine(m.id, err))
		return
	}
	s.setClient(meta.Client)
	m.logLevel = meta.LogLevel
	s.attach()
	switch m.method {
	case "server/discover":
		s.start(m, answer, s.complete(s.discover))
	case "tools/list":
		s.start(m, answer, s.complete(cacheable(s.listTools)))
	case "tools/call":
		s.start(m, answer, s.callModern(dialog.CanShow(meta.Capabilities)))
	case "subscriptions/listen":
		s.start(m, answer, func(ctx context.Context, params json.RawMessage) (json.RawMessage, *rpcError) {
			return s.listen(ctx, m.id, params)
		})
	default:
		of, known := forwardedMethod(m.method)
		if !known {
			answer(errorLine(m.id, unknownMethod(m.method)))
			return
		}
		run := s.forward(m.method, of)
		if of.cacheable {
			run = cacheable(run)
		}
		s.start(m, answer, s.complete(run))
	}
}

// setClient records the client's name and version.
func (s *server) setClient(info json.RawMessage) {
	var c clientInfo
	if json.Unmarshal(info, &c) == nil && c != (clientInfo{}) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.client = c.String()
	}
}

// A resultMeta is the _meta of a result.
type resultMeta struct {
	Server       serverInfo      `json:"io.modelcontextprotocol/serverInfo"`
	Subscription json.RawMessage `json:"io.modelcontextprotocol/subscriptionId,omitempty"`
}

// complete adds the _meta of the modern era to the result of run.
func (s *server) complete(run runFunc) runFunc {
	return func(ctx context.Context, params json.RawMessage) (json.RawMessage, *rpcError) {
		result, err := run(ctx, params)
		if err != nil {
			return nil, err
		}
		return join(completed(resultMeta{Server: s.info()}), result), nil
	}
}

// completed returns a result with nothing but its _meta.
func completed(meta resultMeta) json.RawMessage {
	return marshal(struct {
		ResultType string     `json:"resultType"`
		Meta       resultMeta `json:"_meta"`
	}{"complete", meta})
}

// cacheable adds how long the client may cache a result: not at all. Another daemon
// may have other tools; a client that wants to know of it subscribes.
func cacheable(run runFunc) runFunc {
	return func(ctx context.Context, params json.RawMessage) (json.RawMessage, *rpcError) {
		result, err := run(ctx, params)
		if err != nil {
			return nil, err
		}
		return join(json.RawMessage(`{"ttlMs":0,"cacheScope":"private"}`), result), nil
	}
}

// join merges two objects, the first with members.
func join(a, b json.RawMessage) json.RawMessage {
	if string(b) == "{}" {
		return a
	}
	joined := append(make(json.RawMessage, 0, len(a)+len(b)), a[:len(a)-1]...)
	return append(append(joined, ','), b[1:]...)
}

// discover answers server/discover.
func (s *server) discover(ctx context.Context, _ json.RawMessage) (json.RawMessage, *rpcError) {
	return marshal(map[string]any{
		"ttlMs":             0,
		"cacheScope":        "private",
		"supportedVersions": supportedVersions(),
		"capabilities":      capabilities(),
		"instructions":      s.instructions(ctx),
	}), nil
}
