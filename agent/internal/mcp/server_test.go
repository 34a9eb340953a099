package mcp

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"tidepool/agent/internal/peertest"
)

func TestInitialize(t *testing.T) {
	for _, test := range []struct{ params, revision string }{
		{`{"protocolVersion":"2024-11-05"}`, "2024-11-05"},
		{`{"protocolVersion":"2025-03-26"}`, "2025-03-26"},
		{`{"protocolVersion":"2025-06-18"}`, "2025-06-18"},
		{`{"protocolVersion":"2025-11-25"}`, "2025-11-25"},
		{`{"protocolVersion":"2099-01-01"}`, "2025-11-25"},
		{`{}`, "2025-11-25"},
	} {
		s := serve(t, t.TempDir())
		s.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":` + test.params + `}`)
		s.want(`{"jsonrpc":"2.0","id":0,"result":{"capabilities":{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true},"tools":{"listChanged":true}},"instructions":"` + noAdvice +
			`","protocolVersion":"` + test.revision + `","serverInfo":{"name":"tidepool","version":"1.2.3"}}}`)
	}
}

func TestAnswersWithoutADaemon(t *testing.T) {
	fail := func(id string, code int, message string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message)
	}
	s := serve(t, t.TempDir())
	for _, test := range []struct{ send, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`},
		{`{"jsonrpc":"2.0","id":3,"method":"tasks/list"}`, fail("3", -32601, "Method not found: tasks/list")},
		{`{"jsonrpc":"2.0","id":4,"method":"initialize","params":[]}`, fail("4", -32602, "initialize: params must be an object with protocolVersion and clientInfo")},
		{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"arguments":{}}}`, fail("5", -32602, "tools/call: params must be an object with the tool's name")},
		{`{"jsonrpc":"2.0","id":6,"method":"tools/call"}`, fail("6", -32602, "tools/call: params must be an object with the tool's name")},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":[1]}}`, fail("7", -32602, "tools/call: arguments must be an object")},
		// Ids come back as they were written.
		{`{"jsonrpc":"2.0","id":1.50e+3,"method":"ping"}`, `{"jsonrpc":"2.0","id":1.50e+3,"result":{}}`},
		{`{"jsonrpc":"2.0","id":"\u00fc\/<","method":"ping"}`, `{"jsonrpc":"2.0","id":"\u00fc\/<","result":{}}`},
		{`{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}`, `{"jsonrpc":"2.0","id":123456789012345678901234567890,"result":{}}`},
		{"  {\t\"id\" : 8 , \"method\":\"ping\",\"jsonrpc\":\"2.0\"}\r", `{"jsonrpc":"2.0","id":8,"result":{}}`},
		{`{"jsonrpc":"2.0","method":`, fail("null", -32700, "Parse error: this line is not JSON")},
		{`hello`, fail("null", -32700, "Parse error: this line is not JSON")},
		{`[1,`, fail("null", -32700, "Parse error: this line is not JSON")},
		{`null`, fail("null", -32600, "Invalid request: a message is a JSON object")},
		{`"ping"`, fail("null", -32600, "Invalid request: a message is a JSON object")},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, fail("null", -32600, "Invalid request: id must be a string or a number")},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, fail("null", -32600, "Invalid request: id must be a string or a number")},
		{`{"jsonrpc":"2.0","ID":9,"id":10,"method":"ping"}`, `{"jsonrpc":"2.0","id":10,"result":{}}`},
		{`{"id":11,"method":"ping"}`, fail("11", -32600, `Invalid request: jsonrpc must be "2.0"`)},
		{`{"jsonrpc":"1.0","id":12,"method":"ping"}`, fail("12", -32600, `Invalid request: jsonrpc must be "2.0"`)},
		{`{"jsonrpc":"2.0","id":13,"method":7}`, fail("13", -32600, "Invalid request: method must be a string")},
		{`{"jsonrpc":"2.0","id":14}`, fail("14", -32600, "Invalid request: method must be a string")},
		{`[{"jsonrpc":"2.0","id":15,"method":"ping"}]`, fail("null", -32600, "Invalid request: only protocol version 2025-03-26 has batches: send one message a line")},
	} {
		s.send(test.send)
		s.want(test.want)
	}
}

func TestNotificationsAndResponsesAreNotAnswered(t *testing.T) {
	s := serve(t, t.TempDir())
	for _, line := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`,
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}`,
		`{"jsonrpc":"2.0","method":"no/such"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`,
		``,
		"  \t\r",
	} {
		s.send(line)
		s.wantNothing()
	}
}

func TestBatch(t *testing.T) {
	s := serve(t, t.TempDir())
	s.handshake("2025-03-26")
	s.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7,{"jsonrpc":"2.0","id":"b","method":"y"}]`)
	s.want(`[{"jsonrpc":"2.0","id":1,"result":{}},` +
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: a message is a JSON object"}},` +
		`{"jsonrpc":"2.0","id":"b","error":{"code":-32601,"message":"Method not found: y"}}]`)
	s.send(`[]`)
	s.want(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: a batch holds at least one message"}}`)
	s.send(`[{"jsonrpc":"2.0","method":"x"}]`)
	s.wantNothing()
}

func TestLinesOfEverySize(t *testing.T) {
	s := serve(t, t.TempDir())
	long := strings.Repeat("x", 1<<20)
	s.send(`{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}`)
	s.want(`{"jsonrpc":"2.0","id":"` + long + `","result":{}}`)
	s.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":"` + strings.Repeat(long, 17) + `"}`)
	s.want(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: a line is at most 16 MiB"}}`)
	s.wantNothing()
}

func TestLastLineWithoutANewline(t *testing.T) {
	s := serve(t, t.TempDir())
	if _, err := io.WriteString(s.in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); err != nil {
		t.Fatal(err)
	}
	s.in.Close()
	s.want(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	<-s.ended
}

func TestServeEnds(t *testing.T) {
	for name, end := range map[string]func(*session){
		"input ends":   func(s *session) { s.in.Close() },
		"context done": func(s *session) { s.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			dir := peertest.Project(t)
			d := daemon{attached: make(chan *peertest.Conn, 1)}
			d.start(t, dir)
			s := serve(t, dir)
			s.handshake("2025-06-18")
			conn := <-d.attached
			start := time.Now()
			end(s)
			<-s.ended
			if took := time.Since(start); took > patience {
				t.Errorf("took %v", took)
			}
			<-conn.Gone()
		})
	}
}

// A client that has gone shows as a failed write.
func TestServeEndsWithItsOutput(t *testing.T) {
	stdin, in := io.Pipe()
	defer in.Close()
	out, stdout := io.Pipe()
	out.Close()
	go func() { _, _ = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n") }()
	Serve(t.Context(), Options{In: stdin, Out: stdout})
}
