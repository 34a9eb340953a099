package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// calling starts a session with a daemon that answers calls with fn.
func calling(t *testing.T, fn func(*peertest.Conn, *protocol.MCPToolCall)) (*session, string) {
	t.Helper()
	dir := peertest.Project(t)
	d := daemon{tools: tooled("echo"), call: fn}
	d.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	return s, dir
}

func TestCallReachesTheDaemon(t *testing.T) {
	got := make(chan *protocol.MCPToolCall, 1)
	s, dir := calling(t, func(c *peertest.Conn, call *protocol.MCPToolCall) {
		got <- call
		c.Reply(&protocol.MCPToolResponse{ID: call.ID, Result: json.RawMessage(`{"a":1}`), Text: "a is <1>"})
	})
	s.call("7", "echo", `,"arguments":{"x": [1, 2.50], "y":"ü"},"_meta":{"claudecode/toolUseId":"toolu_1","progressToken":3}`)
	s.want(`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"a is <1>"}]}}`)
	call := <-got
	want := protocol.CallMeta{ToolUseID: "toolu_1", Cwd: dir, Client: "tester 7"}
	if call.ToolName != "echo" || string(call.Arguments) != `{"x": [1, 2.50], "y":"ü"}` || !call.Progress || *call.Meta != want || call.ID == "" {
		t.Errorf("got %+v, meta %+v", call, call.Meta)
	}
	for _, arguments := range []string{``, `,"arguments":null`, `,"arguments":{}`, `,"_meta":{"claudecode/toolUseId":7,"progressToken":{}}`} {
		s.call("8", "echo", arguments)
		s.next()
		if call := <-got; string(call.Arguments) != "{}" || call.Progress || call.Meta.ToolUseID != "" {
			t.Errorf("%s: got %+v", arguments, call)
		}
	}
}

func TestReplies(t *testing.T) {
	failure := func(code int, message string) *protocol.Error { return &protocol.Error{Code: code, Message: message} }
	var reply *protocol.MCPToolResponse
	s, _ := calling(t, func(c *peertest.Conn, call *protocol.MCPToolCall) { c.Reply(reply) })
	for _, test := range []struct {
		name    string
		reply   protocol.MCPToolResponse
		text    string
		isError bool
	}{
		{"text", protocol.MCPToolResponse{Result: json.RawMessage(`{}`), Text: "the text"}, "the text", false},
		{"result alone", protocol.MCPToolResponse{Result: json.RawMessage(`{"n":[1,2]}`)}, `{"n":[1,2]}`, false},
		{"nothing", protocol.MCPToolResponse{}, "(no result)", false},
		{"failure", protocol.MCPToolResponse{Error: failure(protocol.CodeInternal, "gopls exited")}, "gopls exited", true},
		{"failure with text", protocol.MCPToolResponse{Error: failure(protocol.CodeInternal, "x"), Text: "gopls exited: wait"}, "gopls exited: wait", true},
		{"bad argument", protocol.MCPToolResponse{Error: failure(protocol.CodeInvalidParams, "name: is required")}, "name: is required", true},
		{"a mebibyte", protocol.MCPToolResponse{Text: strings.Repeat("line\n", 300_000)}, strings.Repeat("line\n", 300_000), false},
	} {
		reply = &test.reply
		s.call("1", "echo", "")
		s.wantText("1", test.text, test.isError)
	}
	reply = &protocol.MCPToolResponse{Error: failure(protocol.CodeMethodNotFound, "unknown tool ehco: did you mean echo?")}
	s.call("2", "ehco", "")
	s.want(`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"unknown tool ehco: did you mean echo?"}}`)
}

func TestLargeArguments(t *testing.T) {
	s, _ := calling(t, func(c *peertest.Conn, call *protocol.MCPToolCall) {
		c.Reply(&protocol.MCPToolResponse{ID: call.ID, Text: fmt.Sprint(len(call.Arguments))})
	})
	s.call("1", "echo", `,"arguments":{"x":"`+strings.Repeat("x", 2<<20)+`"}`)
	s.wantText("1", fmt.Sprint(2<<20+8), false)
}

func TestCallsRunBesideEachOther(t *testing.T) {
	calls := make(chan func(), 2)
	s, _ := calling(t, func(c *peertest.Conn, call *protocol.MCPToolCall) {
		calls <- func() { c.Reply(&protocol.MCPToolResponse{ID: call.ID, Text: string(call.Arguments)}) }
	})
	s.call("1", "echo", `,"arguments":{"n":1}`)
	first := <-calls
	s.call("2", "echo", `,"arguments":{"n":2}`)
	second := <-calls
	s.call("1", "echo", "")
	s.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: a request with this id is still running"}}`)
	second()
	s.wantText("2", `{"n":2}`, false)
	first()
	s.wantText("1", `{"n":1}`, false)
}

func TestTooManyCalls(t *testing.T) {
	s, _ := calling(t, func(*peertest.Conn, *protocol.MCPToolCall) {})
	for i := range maxCalls {
		s.call(fmt.Sprint(i), "echo", "")
	}
	s.call(`"one more"`, "echo", "")
	s.want(`{"jsonrpc":"2.0","id":"one more","error":{"code":-32603,"message":"256 requests are running: wait for one of them"}}`)
	s.wantNothing()
}

func TestCancelReachesTheDaemon(t *testing.T) {
	conns := make(chan *peertest.Conn, 1)
	s, _ := calling(t, func(c *peertest.Conn, _ *protocol.MCPToolCall) { conns <- c })
	for _, id := range []string{`5`, `"five"`} {
		s.call(id, "echo", "")
		conn := <-conns
		s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"timeout"}}`)
		<-conn.Gone()
		s.wantNothing()
	}
	s.call(`"\u0066ive"`, "echo", "")
	conn := <-conns
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"five"}}`)
	<-conn.Gone()
	s.wantNothing()
}

// A conversation that is piped in is answered to its end.
func TestEndOfInputWaitsForCalls(t *testing.T) {
	calls := make(chan func(), 1)
	s, _ := calling(t, func(c *peertest.Conn, call *protocol.MCPToolCall) {
		calls <- func() { c.Reply(&protocol.MCPToolResponse{ID: call.ID, Text: "late"}) }
	})
	s.call("1", "echo", "")
	reply := <-calls
	s.in.Close()
	select {
	case <-s.ended:
		t.Error("ended before the call was answered")
	case <-time.After(3 * goneRetry):
	}
	reply()
	s.wantText("1", "late", false)
	<-s.ended
}

func TestCallsEndWith(t *testing.T) {
	for name, end := range map[string]func(*session){
		"context": func(s *session) { s.stop() },
		"context after the input": func(s *session) {
			s.in.Close()
			s.stop()
		},
		"client that is gone": func(s *session) {
			s.gone.Store(true)
			s.in.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			conns := make(chan *peertest.Conn, 1)
			s, _ := calling(t, func(c *peertest.Conn, _ *protocol.MCPToolCall) { conns <- c })
			s.call("1", "echo", "")
			conn := <-conns
			start := time.Now()
			end(s)
			<-conn.Gone()
			<-s.ended
			if took := time.Since(start); took > drainLimit/2 {
				t.Errorf("took %v", took)
			}
			if line, ok := <-s.lines; ok {
				t.Errorf("got %s", line)
			}
		})
	}
}

func TestProgress(t *testing.T) {
	s, _ := calling(t, func(c *peertest.Conn, call *protocol.MCPToolCall) {
		for _, done := range []float64{0, 1, 1, 0.5, 2.5} {
			c.Reply(&protocol.MCPToolProgress{ID: call.ID, Done: done, Total: 4, Message: "reading"})
		}
		c.Reply(&protocol.MCPToolProgress{ID: call.ID, Done: 3})
		c.Reply(&protocol.MCPToolResponse{ID: call.ID, Text: "done"})
	})
	for _, token := range []string{`4`, `"t\u00fc"`} {
		s.call("1", "echo", `,"_meta":{"progressToken":`+token+`}`)
		for _, progress := range []string{`0,"total":4,"message":"reading"`, `1,"total":4,"message":"reading"`, `2.5,"total":4,"message":"reading"`, `3`} {
			s.want(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":` + progress + `}}`)
		}
		s.wantText("1", "done", false)
	}
	s.call("2", "echo", "")
	s.wantText("2", "done", false)
}

func TestCallsInABatch(t *testing.T) {
	dir := peertest.Project(t)
	conns := make(chan *peertest.Conn, 1)
	d := daemon{call: func(c *peertest.Conn, call *protocol.MCPToolCall) {
		if call.ToolName == "hang" {
			conns <- c
			return
		}
		c.Reply(&protocol.MCPToolResponse{ID: call.ID, Text: "done"})
	}}
	d.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-03-26")
	s.send(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang"}},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}]`)
	<-conns
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	s.want(`[{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"done"}]}}]`)
}

func TestDaemonDiesInACall(t *testing.T) {
	dir := peertest.Project(t)
	calls := make(chan struct{}, 1)
	d := daemon{call: func(*peertest.Conn, *protocol.MCPToolCall) { calls <- struct{}{} }}
	peer := d.start(t, dir)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.call("1", "echo", "")
	<-calls
	peer.Stop()
	s.wantText("1", "echo failed: the daemon closed the connection before it answered. It may have been stopped", true)

	// A call made meanwhile waits for the daemon to come back.
	s.call("2", "echo", "")
	s.wantNothing()
	back := daemon{call: func(c *peertest.Conn, call *protocol.MCPToolCall) {
		c.Reply(&protocol.MCPToolResponse{ID: call.ID, Text: "back"})
	}}
	back.start(t, dir)
	s.wantText("2", "back", false)
}

func TestNoDaemon(t *testing.T) {
	dir := peertest.Project(t)
	s := serve(t, dir)
	s.handshake("2025-11-25")
	s.call("1", "echo", "")
	s.wantText("1", "To start it: run `controlserver serve` in "+dir, true)
}

func TestDaemonThatAnswersWrong(t *testing.T) {
	for _, test := range []struct{ name, reply, text string }{
		{"refusal", `{"type":"ErrorResponse","error":{"code":-32600,"message":"line too long"}}`, "echo failed: line too long"},
		{"no JSON", `what?`, "echo failed: the daemon's reply cannot be read"},
		{"error of the wrong type", `{"type":"MCPToolResponse","id":"1","error":"x"}`, "echo failed: the daemon's reply cannot be read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, _ := calling(t, func(c *peertest.Conn, _ *protocol.MCPToolCall) { c.Raw(test.reply + "\n") })
			s.call("1", "echo", "")
			s.wantText("1", test.text, true)
		})
	}
}
