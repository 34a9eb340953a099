package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"tidepool/internal/dialog"
	"tidepool/protocol"
)

// revisions of the legacy era, newest first.
func revisions() []string { return []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} }

const batchRevision = "2025-03-26"

// initialize begins a session of the legacy era.
func (s *server) initialize(params json.RawMessage) *rpcError {
	var wanted struct {
		ProtocolVersion string          `json:"protocolVersion"`
		ClientInfo      clientInfo      `json:"clientInfo"`
		Capabilities    json.RawMessage `json:"capabilities"`
	}
	if err := json.Unmarshal(params, &wanted); err != nil {
		return &rpcError{Code: protocol.CodeInvalidParams, Message: "initialize: params must be an object with protocolVersion and clientInfo"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision = revisions()[0]
	if slices.Contains(revisions(), wanted.ProtocolVersion) {
		s.revision = wanted.ProtocolVersion
	}
	s.client = wanted.ClientInfo.String()
	s.elicits = dialog.CanShow(wanted.Capabilities)
	return nil
}

// answerInitialize answers initialize.
func (s *server) answerInitialize(ctx context.Context, _ json.RawMessage) (json.RawMessage, *rpcError) {
	instructions := s.instructions(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	return marshal(map[string]any{
		"protocolVersion": s.revision,
		"capabilities":    capabilities(),
		"serverInfo":      s.info(),
		"instructions":    instructions,
	}), nil
}

// capabilities are declared with a daemon and without one: it may start at any time.
func capabilities() any {
	changing := map[string]any{"listChanged": true}
	return map[string]any{
		"completions": map[string]any{}, "logging": map[string]any{}, "prompts": changing, "resources": changing, "tools": changing,
	}
}

// A serverInfo is this program's name and version in the handshake.
type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (s *server) info() serverInfo { return serverInfo{"tidepool", s.Version} }

// A clientInfo is a client's.
type clientInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (c clientInfo) String() string { return strings.TrimSpace(c.Name + " " + c.Version) }
