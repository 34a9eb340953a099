package mcp

import (
	"testing"

	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

const (
	modernMeta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"tester","version":"7"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}`
	modernHead = `"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"tidepool","version":"1.2.3"}},`
)

// modern sends a request of the modern era; extra are more members of params.
func (s *session) modern(id, method, extra string) {
	s.t.Helper()
	s.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{"_meta":{` + modernMeta + `}` + extra + `}}`)
}

func TestDiscover(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{tools: tooled("echo"), advice: "Prefer echo."}
	d.start(t, dir)
	s := serve(t, dir)
	s.modern(`"server-discover-probe-1"`, "server/discover", "")
	s.want(`{"jsonrpc":"2.0","id":"server-discover-probe-1",` + modernHead + `"cacheScope":"private","capabilities":{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true},"tools":{"listChanged":true}},` +
		`"instructions":"Prefer echo.","supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"ttlMs":0}}`)
	s.modern("1", "tools/list", "")
	s.want(`{"jsonrpc":"2.0","id":1,` + modernHead + `"ttlMs":0,"cacheScope":"private",` + toolsJSON("echo")[1:] + `}`)
}

func TestModernRequestsThatDoNotFit(t *testing.T) {
	const capabilities = `"io.modelcontextprotocol/clientCapabilities":{}`
	version := func(v string) string { return `"io.modelcontextprotocol/protocolVersion":"` + v + `",` }
	s := serve(t, t.TempDir())
	for _, test := range []struct{ method, params, want string }{
		{"server/discover", `{}`, `"code":-32602,"message":"_meta must have io.modelcontextprotocol/protocolVersion"`},
		{"server/discover", `{"_meta":{` + capabilities + `}}`, `"code":-32602,"message":"_meta must have io.modelcontextprotocol/protocolVersion"`},
		{"server/discover", `7`, `"code":-32602,"message":"_meta must have io.modelcontextprotocol/protocolVersion"`},
		{"tools/list", `{"_meta":{` + version("2026-07-28") + `"x":1}}`, `"code":-32602,"message":"_meta must have io.modelcontextprotocol/clientCapabilities, an object"`},
		{"tools/list", `{"_meta":{` + version("2027-01-01") + capabilities + `}}`, unsupported("2027-01-01")},
		{"server/discover", `{"_meta":{` + version("2025-11-25") + capabilities + `}}`, unsupported("2025-11-25")},
		{"server/discover", `{"_meta":{` + version("v999.0.0") + capabilities + `}}`, unsupported("v999.0.0")},
		// What this era no longer has.
		{"initialize", `{"_meta":{` + modernMeta + `}}`, `"code":-32601,"message":"Method not found: initialize"`},
		{"ping", `{"_meta":{` + modernMeta + `}}`, `"code":-32601,"message":"Method not found: ping"`},
		{"subscriptions/listen", `{"_meta":{` + modernMeta + `}}`, `"code":-32602,"message":"subscriptions/listen: params must have notifications, an object"`},
		{"tools/call", `{"_meta":{` + modernMeta + `}}`, `"code":-32602,"message":"tools/call: params must be an object with the tool's name"`},
	} {
		s.send(`{"jsonrpc":"2.0","id":1,"method":"` + test.method + `","params":` + test.params + `}`)
		s.want(`{"jsonrpc":"2.0","id":1,"error":{` + test.want + `}}`)
	}
}

func unsupported(version string) string {
	return `"code":-32022,"message":"unsupported protocol version: use 2026-07-28, or initialize for an older one",` +
		`"data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"` + version + `"}`
}

func TestModernCall(t *testing.T) {
	dir := peertest.Project(t)
	got := make(chan *protocol.MCPToolCall, 1)
	d := daemon{call: func(c *peertest.Conn, call *protocol.MCPToolCall) {
		got <- call
		c.Reply(&protocol.MCPToolProgress{ID: call.ID, Done: 1})
		c.Reply(&protocol.MCPToolResponse{ID: call.ID, Text: "done"})
	}}
	d.start(t, dir)
	s := serve(t, dir)
	s.send(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{"x":1},"_meta":{` + modernMeta +
		`,"claudecode/toolUseId":"toolu_1","progressToken":4}}}`)
	s.want(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":4,"progress":1}}`)
	s.want(`{"jsonrpc":"2.0","id":4,` + modernHead + `"content":[{"type":"text","text":"done"}]}}`)
	want := protocol.CallMeta{ToolUseID: "toolu_1", Cwd: dir, Client: "tester 7"}
	if call := <-got; *call.Meta != want || string(call.Arguments) != `{"x":1}` || !call.Progress {
		t.Errorf("got %+v, meta %+v", call, call.Meta)
	}
}

func TestModernCancel(t *testing.T) {
	dir := peertest.Project(t)
	conns := make(chan *peertest.Conn, 1)
	d := daemon{call: func(c *peertest.Conn, _ *protocol.MCPToolCall) { conns <- c }}
	d.start(t, dir)
	s := serve(t, dir)
	s.modern("5", "tools/call", `,"name":"echo"`)
	conn := <-conns
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	<-conn.Gone()
	s.wantNothing()
}

// One client may try the modern era and go on in the legacy one, or the other way round.
func TestErasSideBySide(t *testing.T) {
	dir := peertest.Project(t)
	d := daemon{tools: tooled("echo")}
	d.start(t, dir)
	s := serve(t, dir)
	s.modern("1", "server/discover", "")
	s.next()
	s.handshake("2025-06-18")
	s.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`)
	s.want(`{"jsonrpc":"2.0","id":2,"result":` + toolsJSON("echo") + `}`)
	s.modern("3", "tools/list", "")
	s.want(`{"jsonrpc":"2.0","id":3,` + modernHead + `"ttlMs":0,"cacheScope":"private",` + toolsJSON("echo")[1:] + `}`)
}

func acknowledged(id, what string) string {
	return `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` +
		id + `},"notifications":{` + what + `}}}`
}

func changedFor(list, id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/` + list + `/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}}}`
}

func listenResult(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"tidepool","version":"1.2.3"},` +
		`"io.modelcontextprotocol/subscriptionId":` + id + `}}}`
}

func TestListen(t *testing.T) {
	dir := peertest.Project(t)
	s := serve(t, dir)
	s.modern(`"listen:0"`, "subscriptions/listen", `,"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}`)
	s.want(acknowledged(`"listen:0"`, `"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true`))
	first := daemon{tools: tooled("one")}
	peer := first.start(t, dir)
	s.want(changedFor("tools", `"listen:0"`))
	s.want(changedFor("prompts", `"listen:0"`))
	s.want(changedFor("resources", `"listen:0"`))
	s.modern("1", "tools/list", "")
	s.next()

	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"listen:0"}}`)
	s.modern("2", "subscriptions/listen", `,"notifications":{"toolsListChanged":true}`)
	s.want(acknowledged("2", `"toolsListChanged":true`))
	peer.Stop()
	second := daemon{tools: tooled("two")}
	second.start(t, dir)
	s.want(changedFor("tools", "2"))

	s.in.Close()
	s.want(listenResult("2"))
	<-s.ended
}

// A listener that wants nothing there is gets its end at once.
func TestListenForNothing(t *testing.T) {
	s := serve(t, t.TempDir())
	s.modern("1", "subscriptions/listen", `,"notifications":{"resourceSubscriptions":["file:///a"]}`)
	s.want(acknowledged("1", ""))
	s.want(listenResult("1"))
}
