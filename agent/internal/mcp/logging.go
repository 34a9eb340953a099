package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// logLevels are MCP's, the least severe first.
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// defaultLogLevel is that of a client of the legacy era which has set none.
const defaultLogLevel = "warning"

// severity returns the place of a level among logLevels; -1 for none of them.
func severity(level string) int { return slices.Index(logLevels(), level) }

// setLevel answers logging/setLevel, which only the legacy era has.
func (s *server) setLevel(_ context.Context, params json.RawMessage) (json.RawMessage, *rpcError) {
	var wanted struct {
		Level string `json:"level"`
	}
	if json.Unmarshal(params, &wanted) != nil || severity(wanted.Level) < 0 {
		message := "logging/setLevel: level must be one of " + strings.Join(logLevels(), ", ")
		return nil, &rpcError{Code: protocol.CodeInvalidParams, Message: message}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logLevel = wanted.Level
	return json.RawMessage("{}"), nil
}

// maxEarly bounds the messages that wait for the end of the handshake. The first ones say most.
const maxEarly = 16

// log sends a message to a client that wants messages of that level: in the legacy
// era by logging/setLevel, in the modern era by the _meta of a request that runs.
// One that comes before the client has sent initialized waits for that.
func (s *server) log(level, logger, text string) {
	asked := s.calls.wantLog(severity(level))
	s.mu.Lock()
	wanted := asked || s.initialized && severity(level) >= severity(s.logLevel)
	if !wanted && !s.initialized && len(s.early) < maxEarly {
		s.early = append(s.early, protocol.LogMessage{Level: level, Logger: logger, Text: text})
	}
	s.mu.Unlock()
	if severity(level) < 0 || !wanted {
		return
	}
	s.notify("notifications/message", struct {
		Level  string `json:"level"`
		Logger string `json:"logger"`
		Data   string `json:"data"`
	}{level, logger, text})
}

// logDaemon logs that the daemon answers again, or for the first time.
func (s *server) logDaemon(attached *protocol.Attached) {
	level, text := "info", "the daemon answers"
	if s.lists.hadDaemon() {
		level, text = "notice", "the daemon has been restarted and answers"
	}
	if attached != nil && attached.Version != "" {
		text += ", version " + attached.Version
	}
	s.log(level, "daemon", text)
}

// logGone logs that the daemon has ended, unless the session is at its end itself.
func (s *server) logGone() {
	if s.ctx.Err() == nil {
		s.log("warning", "daemon", "the daemon has ended; it is started again when it is needed, unless TIDEPOOL_AUTOSTART is 0")
	}
}

// relayMessages forwards the daemon's messages until the connection ends.
func (s *server) relayMessages(session *client.Session) {
	for {
		response, err := session.Receive()
		if _, refused := err.(*protocol.Error); err != nil && !refused {
			return
		}
		if m, is := response.(*protocol.LogMessage); is {
			s.log(m.Level, m.Logger, m.Text)
		}
	}
}
