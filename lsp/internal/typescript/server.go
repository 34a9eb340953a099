package typescript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
)

// tsserver makes a request of the tsserver that typescript-language-server runs, in tsserver's own protocol. Lines and
// offsets in it count from 1, offsets UTF-16 code units.
func tsserver[R any](ctx context.Context, s *session.Session, command string, arguments any) (R, error) {
	var reply struct {
		Type string `json:"type"`
		Body R      `json:"body"`
	}
	name, err := json.Marshal(command)
	if err != nil {
		return reply.Body, err
	}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return reply.Body, fmt.Errorf("asking tsserver for %s: %w", command, err)
	}
	params := &protocol.ExecuteCommandParams{
		Command:   "typescript.tsserverRequest",
		Arguments: []protocol.LSPAny{name, encoded},
	}
	raw, err := session.Ask[json.RawMessage](ctx, s, protocol.MethodWorkspaceExecuteCommand, params)
	var refusal *jsonrpc2.Error
	if errors.As(err, &refusal) {
		return reply.Body, fmt.Errorf("tsserver: %s: %s", command, firstOf(refusal.Message))
	}
	if err != nil {
		return reply.Body, err
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return reply.Body, fmt.Errorf("tsserver: %s: %w", command, err)
	}
	if reply.Type != "response" { // "noServer", "cancelled"
		return reply.Body, fmt.Errorf("tsserver did not answer %s: %s", command, reply.Type)
	}
	return reply.Body, nil
}

// firstOf returns the message in "<main> TypeScript Server Error (6.0.3)\nmessage\nstack…".
func firstOf(message string) string {
	lines := strings.SplitN(message, "\n", 3)
	return lines[min(1, len(lines)-1)]
}

// hear ends a language server whose tsserver has been killed: it lives on and answers every question with
// nothing.
func hear(s *session.Session, method string, params []byte) {
	if method == protocol.MethodWindowLogMessage && bytes.Contains(params, []byte("[tsserver] Exited")) {
		s.Kill()
	}
}
