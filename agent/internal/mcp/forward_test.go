package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// answering returns what answers each request by its params and who sent it.
func answering(t *testing.T) func(*peertest.Conn, *protocol.MCPRequest) {
	return func(c *peertest.Conn, r *protocol.MCPRequest) {
		meta, err := json.Marshal(r.Meta)
		if err != nil {
			t.Error(err)
		}
		c.Reply(&protocol.MCPResult{ID: r.ID, Result: json.RawMessage(`{"method":"` + r.Method + `","params":` + string(r.Params) + `,"meta":` + string(meta) + `}`)})
	}
}

func TestForwarded(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{request: answering(t)}
	d.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	meta := `"meta":{"cwd":"` + dir + `","client":"tester 7","session":"s-1"}}`
	for _, method := range []string{
		"prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/read", "completion/complete",
	} {
		s.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"<b>"}}`)
		s.want(`{"jsonrpc":"2.0","id":1,"result":{"method":"` + method + `","params":{"name":"<b>"},` + meta + `}`)
	}
	s.send(`{"jsonrpc":"2.0","id":2,"method":"prompts/list"}`)
	s.want(`{"jsonrpc":"2.0","id":2,"result":{"method":"prompts/list","params":{},` + meta + `}`)
	s.send(`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"_meta":{"claudecode/toolUseId":"toolu_1"}}}`)
	if got := s.next(); !strings.Contains(got, `"tool_use_id":"toolu_1"`) {
		t.Errorf("got %s", got)
	}
}

// In the modern era results are marked, and those that may be cached say that they may not.
func TestForwardedModern(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{request: func(c *peertest.Conn, r *protocol.MCPRequest) {
		if r.Method == "prompts/get" {
			c.Reply(&protocol.MCPResult{ID: r.ID, Result: json.RawMessage(`{}`)})
			return
		}
		c.Reply(&protocol.MCPResult{ID: r.ID, Result: json.RawMessage(`{"prompts":[]}`)})
	}}
	d.start(t, dir)
	s := serve(t, dir)
	s.modern("1", "prompts/list", "")
	s.want(`{"jsonrpc":"2.0","id":1,` + modernHead + `"ttlMs":0,"cacheScope":"private","prompts":[]}}`)
	s.modern("2", "prompts/get", "")
	s.want(`{"jsonrpc":"2.0","id":2,` + strings.TrimSuffix(modernHead, ",") + `}}`)
}

func TestForwardedFailures(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{request: func(c *peertest.Conn, r *protocol.MCPRequest) {
		switch r.Method {
		case "resources/read":
			c.Reply(&protocol.MCPResult{ID: r.ID, Error: &protocol.Error{Code: -32602, Message: "no <x>", Data: json.RawMessage(`{"uri":"x"}`)}})
		case "prompts/get":
			c.Reply(&protocol.MCPResult{ID: r.ID})
		default:
			c.Reply(&protocol.Pong{})
		}
	}}
	d.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read"}`)
	s.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no <x>","data":{"uri":"x"}}}`)
	s.send(`{"jsonrpc":"2.0","id":2,"method":"prompts/get"}`)
	if got := s.next(); !strings.Contains(got, "prompts/get failed: the daemon answered prompts/get with nothing") {
		t.Errorf("got %s", got)
	}
	s.send(`{"jsonrpc":"2.0","id":3,"method":"prompts/list"}`)
	if got := s.next(); !strings.Contains(got, "the daemon answered prompts/list with *protocol.Pong") {
		t.Errorf("got %s", got)
	}
}

func TestOlderDaemonHasNoPrompts(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{}
	d.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`)
	s.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"prompts/list failed: the daemon that runs is older than this program: ` +
		"stop it with `controlserver stop`, and the next request starts the newer one" + `"}}`)
}

// A client that got no prompts, because there was no daemon, learns when there are.
func TestPromptsArriveWithTheDaemon(t *testing.T) {
	dir := peertest.Project(t)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`)
	if got := s.next(); !strings.Contains(got, "To start it: run `controlserver serve` in "+dir) {
		t.Errorf("got %s", got)
	}
	d := daemon{request: answering(t), attached: make(chan *peertest.Conn, 1)}
	peer := d.start(t, dir)
	s.want(`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`)
	s.send(`{"jsonrpc":"2.0","id":2,"method":"prompts/list"}`)
	s.next()
	<-d.attached
	s.wantNothing()

	// The next daemon may have others.
	peer.Stop()
	d.start(t, dir)
	s.want(`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`)
}

// A client that cancels its request hangs up on the daemon, and gets no answer.
func TestForwardedIsCancelled(t *testing.T) {
	dir := peertest.Project(t)
	begun := make(chan *peertest.Conn, 1)
	d := daemon{request: func(c *peertest.Conn, _ *protocol.MCPRequest) { begun <- c }}
	d.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.send(`{"jsonrpc":"2.0","id":1,"method":"resources/read"}`)
	c := <-begun
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	<-c.Gone()
	s.wantNothing()
}
