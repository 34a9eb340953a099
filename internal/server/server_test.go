package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tidepool/protocol"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(limitedSocket); path != "" {
		fmt.Fprintln(os.Stderr, serveLimited(path))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// serveOn runs a server on a socket of its own until the test ends, and returns the socket's path.
func serveOn(t testing.TB, o Options) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "control.sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stop := serveWith(t, New(o), l)
	t.Cleanup(func() { stop(context.Background()) })
	return path
}

// serveWith runs s and returns what ends it.
func serveWith(t testing.TB, s *Server, l net.Listener) (stop func(context.Context)) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	return func(ctx context.Context) {
		t.Helper()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	}
}

// A client is the other end of a connection.
type client struct {
	t     testing.TB
	conn  net.Conn
	lines *protocol.Reader
}

func dial(t testing.TB, path string) *client {
	t.Helper()
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, conn)
	t.Cleanup(func() { _ = conn.Close() })
	return c
}

func newClient(t testing.TB, conn net.Conn) *client {
	return &client{t, conn, protocol.NewReader(conn)}
}

// send writes text as it is.
func (c *client) send(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.conn, text); err != nil {
		c.t.Fatalf("sending %.60q: %v", text, err)
	}
}

// receive returns the next line, "" at the end.
func (c *client) receive() string {
	c.t.Helper()
	line, err := c.lines.ReadLine()
	if err != nil && err != io.EOF {
		c.t.Fatalf("receiving: %v", err)
	}
	return string(line)
}

// expect fails the test unless the next line is want, or contains it where it begins with an ellipsis.
func (c *client) expect(want string) {
	c.t.Helper()
	got := c.receive()
	part, partly := strings.CutPrefix(want, "…")
	if partly && !strings.Contains(got, part) || !partly && got != want {
		c.t.Fatalf("got  %s\nwant %s", got, want)
	}
}

// closeWrite ends the input and leaves the output open, like nc -N.
func (c *client) closeWrite() {
	c.t.Helper()
	if err := c.conn.(*net.UnixConn).CloseWrite(); err != nil {
		c.t.Fatal(err)
	}
}

const ping, pong = `{"type":"Ping"}` + "\n", `{"type":"Pong"}`

// callLine is the line of a tool call.
func callLine(id, tool string) string {
	return string(protocol.AppendRequest(nil, &protocol.MCPToolCall{ID: id, ToolName: tool}))
}

// scripted are tools by name.
type scripted map[string]func(ctx context.Context, call *protocol.MCPToolCall, caller Caller) (Result, error)

func (s scripted) List() []protocol.ToolDefinition {
	return []protocol.ToolDefinition{{Name: "find", Description: "Finds.", InputSchema: []byte(`{"type":"object"}`)}}
}

func (s scripted) Call(ctx context.Context, call *protocol.MCPToolCall, caller Caller) (Result, error) {
	if tool, ok := s[call.ToolName]; ok {
		return tool(ctx, call, caller)
	}
	return Result{}, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "unknown tool " + call.ToolName}
}

// hookFunc answers every hook.
type hookFunc func(ctx context.Context, event *protocol.HookEvent) *protocol.HookResponse

func (f hookFunc) Hook(ctx context.Context, event *protocol.HookEvent) *protocol.HookResponse {
	return f(ctx, event)
}

// statusFunc answers every request for the status.
type statusFunc func(ctx context.Context, r *protocol.StatusRequest) *protocol.StatusResponse

func (f statusFunc) Status(ctx context.Context, r *protocol.StatusRequest) *protocol.StatusResponse {
	return f(ctx, r)
}

// gate is a tool that says when it has begun, and how its context ended if it was not opened before.
type gate struct {
	begun chan string // the id of each call that begins
	open  chan struct{}
	ended chan error // the cause of each call whose context ended
}

func newGate() *gate {
	return &gate{make(chan string, 100), make(chan struct{}), make(chan error, 100)}
}

func (g *gate) call(ctx context.Context, call *protocol.MCPToolCall, _ Caller) (Result, error) {
	g.begun <- call.ID
	select {
	case <-g.open:
		return Result{JSON: []byte(`"through"`)}, nil
	case <-ctx.Done():
		g.ended <- context.Cause(ctx)
		return Result{}, ctx.Err()
	}
}

func TestEveryMessage(t *testing.T) {
	c := dial(t, serveOn(t, Options{
		Version: "1.2.3",
		Tools: scripted{"find": func(_ context.Context, call *protocol.MCPToolCall, _ Caller) (Result, error) {
			return Result{JSON: call.Arguments, Text: "found"}, nil
		}},
		Status: statusFunc(func(_ context.Context, r *protocol.StatusRequest) *protocol.StatusResponse {
			return &protocol.StatusResponse{PID: 7, Ready: r.WaitReady, Calls: -1}
		}),
	}))
	exchanges := []struct{ request, reply string }{
		{`{"type":"Ping"}`, pong},
		{"\t\r\n  {\"type\" : \"Ping\"}\r", pong},
		{`{"type":"HookEvent","input":{"hook_event_name":"Stop"}}`, `{"type":"HookResponse","output":{"continue":true},"exit_code":0}`},
		{`{"type":"ToolsListRequest"}`, `…{"type":"ToolsListResponse","tools":[{"tdName":"find",`},
		{`{"type":"MCPToolCall","id":"a","tool_name":"find","arguments":{"x":1}}`,
			`{"type":"MCPToolResponse","id":"a","result":{"x":1},"error":null,"text":"found"}`},
		{`{"type":"MCPToolCall","id":"b","tool_name":"lose"}`,
			`{"type":"MCPToolResponse","id":"b","result":null,"error":{"code":-32601,"message":"unknown tool lose"}}`},
		{`{"type":"StatusRequest","wait_ready":true}`, `…"ready":true`},
		{`{"type":"StatusRequest"}`, `…"clients":0,"calls_in_flight":0,"calls":2`},
		{`{"type":"Attach","client":"test"}`, `…{"type":"Attached","pid":`},
		{`{"type":"StatusRequest"}`, `…"clients":1,`},
	}
	for _, e := range exchanges {
		c.send(e.request + "\n")
		c.expect(e.reply)
	}
}

// Without handlers a server still answers.
func TestNoHandlers(t *testing.T) {
	c := dial(t, serveOn(t, Options{Version: "1.2.3"}))
	for request, reply := range map[string]string{
		`{"type":"ToolsListRequest"}`:                     `{"type":"ToolsListResponse","tools":[]}`,
		`{"type":"MCPToolCall","id":"a","tool_name":"x"}`: `…"code":-32601`,
		`{"type":"StatusRequest"}`:                        `…"version":"1.2.3"`,
	} {
		c.send(request + "\n")
		c.expect(reply)
	}
}

func TestUnreadableLines(t *testing.T) {
	path := serveOn(t, Options{})
	tests := map[string]struct{ line, reply string }{
		"not JSON":        {`{"type":"Ping"`, `…"code":-32700`},
		"not an object":   {` [1]`, `…"code":-32700`},
		"no type":         {`{}`, `…"code":-32600`},
		"unknown type":    {`{"type":"Dance"}`, `…"code":-32601`},
		"does not fit":    {`{"type":"MCPToolCall","id":"a","tool_name":7}`, `…"code":-32602`},
		"20 MiB":          {`{"x":"` + strings.Repeat("y", 20<<20) + `"}`, `…16 MiB`},
		"20 MiB no JSON":  {"{" + strings.Repeat("z", 20<<20), `…16 MiB`},
		"no hook's input": {`{"type":"HookEvent"}`, `…"code":-32602`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := dial(t, path)
			c.send(test.line + "\n" + ping)
			got := c.receive()
			if !strings.HasPrefix(got, `{"type":"ErrorResponse","error":{"code":`) || !strings.Contains(got, strings.TrimPrefix(test.reply, "…")) {
				t.Errorf("got %s, want %s", got, test.reply)
			}
			c.expect(pong)
		})
	}
}

func TestOtherLanguages(t *testing.T) {
	c := dial(t, serveOn(t, Options{}))
	c.send("GET /health HTTP/1.1\r\n\r\n")
	c.expect(`…"code":-32700,"message":"this socket speaks lines of JSON`)
	if line, err := c.lines.ReadLine(); err == nil {
		t.Errorf("the connection goes on: %q", line)
	}
}

// A line that ends with the input instead of a newline is answered, or what is wrong with it.
func TestLastLineWithoutNewline(t *testing.T) {
	path := serveOn(t, Options{})
	for line, reply := range map[string]string{
		`{"type":"Ping"}`:   pong,
		`{"type":"Ping`:     `…"code":-32700`,
		ping + `  `:         pong,
		callLine("a", "no"): `…"id":"a"`,
	} {
		c := dial(t, path)
		c.send(strings.TrimSuffix(line, "\n"))
		c.closeWrite()
		c.expect(reply)
		c.expect("")
	}
}

func TestErrorsTellTheirHint(t *testing.T) {
	failing := func(err error) func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) {
		return func(context.Context, *protocol.MCPToolCall, Caller) (Result, error) { return Result{}, err }
	}
	c := dial(t, serveOn(t, Options{Tools: scripted{
		"plain":  failing(errors.New("gopls is missing")),
		"hinted": failing(&hinted{}),
		"coded":  failing(&protocol.Error{Code: protocol.CodeInvalidParams, Message: "name: is missing"}),
	}}))
	for tool, want := range map[string]string{
		"plain":  `"error":{"code":-32603,"message":"gopls is missing"}`,
		"hinted": `"error":{"code":-32603,"message":"gopls is missing: install it"}`,
		"coded":  `"error":{"code":-32602,"message":"name: is missing"}`,
	} {
		c.send(callLine("a", tool))
		c.expect("…" + want)
	}
}

type hinted struct{}

func (*hinted) Error() string { return "gopls is missing" }
func (*hinted) Hint() string  { return "install it" }

func TestShutdownBeforeServe(t *testing.T) {
	s := New(Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(l); err != nil {
		t.Errorf("serve after shutdown: %v", err)
	}
}
