package mcp

import (
	"testing"

	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

const hasEnded = "the daemon has ended; it is started again when it is needed, unless TIDEPOOL_AUTOSTART is 0"

func logLine(level, text string) *protocol.LogMessage {
	return &protocol.LogMessage{Level: level, Logger: "settings", Text: text}
}

// A client of the legacy era gets warnings, or what it has asked for.
func TestLogLevels(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{attached: make(chan *peertest.Conn, 1)}
	peer := d.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	c := <-d.attached
	c.Reply(logLine("notice", "one"))
	c.Reply(logLine("unheard-of", "two"))
	c.Reply(logLine("warning", "a <b>"))
	s.wantLog("warning", "settings", "a <b>")

	s.send(`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`)
	s.want(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	c.Reply(logLine("debug", "three"))
	c.Reply(logLine("info", "four"))
	s.wantLog("info", "settings", "four")

	peer.Stop()
	s.wantLog("warning", "daemon", hasEnded)
	next := daemon{}
	next.start(t, dir)
	s.wantLog("notice", "daemon", "the daemon has been restarted and answers, version 1")

	for _, params := range []string{`{"level":"loud"}`, `{}`, `[]`} {
		s.send(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":` + params + `}`)
		s.want(`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"logging/setLevel: level must be one of debug, info, notice, ` +
			`warning, error, critical, alert, emergency"}}`)
	}
}

// Before a client of the legacy era is initialized it gets nothing, and then what has waited for that.
func TestLogBeforeInitialized(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{attached: make(chan *peertest.Conn, 1)}
	d.start(t, dir)
	s := serve(t, dir)
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	s.next()
	c := <-d.attached
	c.Reply(logLine("error", "early"))
	c.Close()
	<-d.attached // the line before was read
	s.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if got, want := s.line(), `{"jsonrpc":"2.0","id":2,"result":{}}`; got != want {
		t.Errorf("got %s", got)
	}
	s.handshake("2025-11-25")
	s.wantLog("error", "settings", "early")
}

// In the modern era a request says what the client wants while it runs.
func TestLogOfARequest(t *testing.T) {
	dir := peertest.Project(t)
	begun := make(chan *peertest.Conn, 1)
	d := daemon{
		tools: tooled("hang"), attached: make(chan *peertest.Conn, 1),
		call: func(c *peertest.Conn, r *protocol.MCPToolCall) { begun <- c },
	}
	d.start(t, dir)
	s := serve(t, dir)
	s.modern("1", "tools/list", "")
	s.next()
	attached := <-d.attached
	attached.Reply(logLine("error", "nobody wants this"))
	attached.Close()
	attached = <-d.attached // the line before was read
	s.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hang","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"warning"}}}`)
	call := <-begun
	attached.Reply(logLine("notice", "too little"))
	attached.Reply(logLine("warning", "now"))
	s.wantLog("warning", "settings", "now")
	call.Reply(&protocol.MCPToolResponse{ID: "42-1", Text: "done"})
	s.wantText("2", "done", false)
	s.modern("3", "logging/setLevel", "")
	s.want(`{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found: logging/setLevel"}}`)
}
