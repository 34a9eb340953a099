package mcp

import (
	"encoding/json"
	"testing"
	"time"

	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

func TestToolsAreTheDaemons(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{tools: []protocol.ToolDefinition{
		{
			Name:        "find_callers",
			Description: "a < b",
			InputSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","minLength":1}}}`),
			Annotations: json.RawMessage(`{"title":"Find callers","readOnlyHint":true}`),
			Meta:        json.RawMessage(`{"anthropic/alwaysLoad":true}`),
		},
		{Name: "bare"},
	}}
	d.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	s.want(`{"jsonrpc":"2.0","id":1,"result":{"tools":[` +
		`{"name":"find_callers","description":"a < b","inputSchema":{"type":"object","properties":{"name":{"type":"string","minLength":1}}},` +
		`"annotations":{"title":"Find callers","readOnlyHint":true},"_meta":{"anthropic/alwaysLoad":true}},` +
		`{"name":"bare","inputSchema":{"type":"object"}}]}}`)
}

func TestAdviceIsTheDaemons(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{advice: "Prefer <echo>."}
	d.start(t, dir)
	s := serve(t, dir)
	s.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	s.want(`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true},"tools":{"listChanged":true}},"instructions":"Prefer <echo>.",` +
		`"protocolVersion":"2025-11-25","serverInfo":{"name":"tidepool","version":"1.2.3"}}}`)
}

func TestToolsArriveWithTheDaemon(t *testing.T) {
	dir := peertest.Project(t)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	s.want(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)
	d := daemon{tools: tooled("one")}
	d.start(t, dir)
	s.want(listChanged)
	s.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	s.want(`{"jsonrpc":"2.0","id":2,"result":` + toolsJSON("one") + `}`)
}

func TestToolsAcrossARestart(t *testing.T) {
	dir := peertest.Project(t)
	first := daemon{tools: tooled("one"), attached: make(chan *peertest.Conn, 1)}
	peer := first.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	s.want(`{"jsonrpc":"2.0","id":1,"result":` + toolsJSON("one") + `}`)
	<-first.attached
	peer.Stop()

	// Without a daemon the client keeps the tools it knows.
	s.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	s.want(`{"jsonrpc":"2.0","id":2,"result":` + toolsJSON("one") + `}`)

	same := daemon{tools: tooled("one"), attached: make(chan *peertest.Conn, 1)}
	peer = same.start(t, dir)
	<-same.attached
	s.wantNothing()
	peer.Stop()

	other := daemon{tools: tooled("two")}
	other.start(t, dir)
	s.want(listChanged)
	s.send(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	s.want(`{"jsonrpc":"2.0","id":3,"result":` + toolsJSON("two") + `}`)
}

// A client that is not initialized yet is told afterwards.
func TestListChangedWaitsForInitialized(t *testing.T) {
	dir := peertest.Project(t)
	s := serve(t, dir)
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	s.want(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)
	listed := make(chan struct{})
	peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		if _, ok := r.(*protocol.Attach); ok {
			c.Reply(&protocol.Attached{})
			return
		}
		c.Reply(&protocol.ToolsListResponse{Tools: tooled("one")})
		<-c.Gone()
		listed <- struct{}{}
	})
	<-listed
	s.wantNothing()
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.want(listChanged)
}

// A daemon that does not know Attach is attached to all the same.
func TestDaemonWithoutAttach(t *testing.T) {
	dir := peertest.Project(t)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	s.want(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)
	attached := make(chan *peertest.Conn, 10)
	peer := peertest.Start(t, dir, func(c *peertest.Conn, r protocol.Request) {
		if _, ok := r.(*protocol.Attach); ok {
			c.Reply(&protocol.ErrorResponse{Error: &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "unknown"}})
			attached <- c
			return
		}
		c.Reply(&protocol.ToolsListResponse{Tools: tooled("old")})
	})
	s.want(listChanged)
	peer.Stop()
	if len(attached) != 1 {
		t.Errorf("%d attachments to one daemon", len(attached))
	}
}

// A daemon that takes connections and says nothing must not hold tools/list.
func TestSilentDaemon(t *testing.T) {
	dir := peertest.Project(t)
	peertest.Start(t, dir, func(*peertest.Conn, protocol.Request) {})
	s := serve(t, dir)
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	s.wantNothing() // meanwhile others are served
	s.want(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)
	start := time.Now()
	s.handshake("2025-11-25")
	if took := time.Since(start); took > 2*listLimit {
		t.Errorf("the first word took %v", took)
	}
}
