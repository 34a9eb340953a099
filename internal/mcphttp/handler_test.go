package mcphttp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tidepool/internal/daemontest"
	"tidepool/internal/server"
	"tidepool/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A door is a daemon with one tool, and what reaches it over HTTP.
type door struct {
	handler *Handler
	dir     string
	client  *http.Client
	stop    func()
	hanging chan *protocol.MCPToolCall // a call of the tool "hang" has begun
	ended   chan error                 // and has ended, for that reason
}

func open(t *testing.T, options server.Options) *door {
	t.Helper()
	d := &door{handler: New(Options{Version: "v1"}), dir: t.TempDir(), hanging: make(chan *protocol.MCPToolCall, 100), ended: make(chan error, 100)}
	t.Cleanup(d.handler.Close) // after the server
	options.Tools, options.HTTP, options.Advice = d, d.handler, "Use them."
	d.stop = daemontest.StartServer(t, d.dir, options)
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", daemontest.Socket(d.dir))
	}}
	t.Cleanup(transport.CloseIdleConnections)
	d.client = &http.Client{Transport: transport}
	return d
}

func (d *door) List() []protocol.ToolDefinition {
	schema := json.RawMessage(`{"type":"object"}`)
	return []protocol.ToolDefinition{{Name: "hang", Description: "Hangs.", InputSchema: schema}, {Name: "echo", Description: "Echoes.", InputSchema: schema}}
}

func (d *door) Call(ctx context.Context, call *protocol.MCPToolCall, _ server.Caller) (server.Result, error) {
	switch call.ToolName {
	case "echo":
		return server.Result{Text: string(call.Arguments)}, nil
	case "hang":
		d.hanging <- call
		<-ctx.Done()
		d.ended <- context.Cause(ctx)
		return server.Result{}, ctx.Err()
	}
	return server.Result{}, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "unknown tool " + call.ToolName + ": did you mean echo?"}
}

// send makes a request with headers, which come in pairs.
func (d *door) send(ctx context.Context, t *testing.T, method, path string, body io.Reader, headers ...string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, "http://tidepool"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return d.client.Do(r)
}

// post sends a message and returns the whole reply.
func (d *door) post(t *testing.T, message string, headers ...string) (status int, header http.Header, body string) {
	t.Helper()
	response, err := d.send(t.Context(), t, http.MethodPost, "/mcp", strings.NewReader(message), headers...)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(data)
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"a","version":"1"},"capabilities":{}}}`

// begin begins a session of the legacy era and returns its id.
func (d *door) begin(t *testing.T) string {
	t.Helper()
	status, header, body := d.post(t, initialize)
	if status != http.StatusOK || header.Get(sessionHeader) == "" {
		t.Fatalf("%d %s", status, body)
	}
	return header.Get(sessionHeader)
}

func call(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"a":1},"_meta":{"claudecode/toolUseId":"toolu_1"}}}`, id, tool)
}

// modern turns a request into one of the era without sessions.
func modern(message string) string {
	meta := `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"new","version":"2"},"io.modelcontextprotocol/clientCapabilities":{}`
	return strings.Replace(message, `"_meta":{`, `"_meta":{`+meta+`,`, 1)
}

var modernHeaders = []string{versionHeader, "2026-07-28", methodHeader, "tools/call", "Mcp-Name", "hang"}

// A request gets what is wrong with it, with a status that says so.
func TestBadInput(t *testing.T) {
	d := open(t, server.Options{})
	session := d.begin(t)
	for name, test := range map[string]struct {
		body    string
		headers []string
		status  int
		want    string
	}{
		"too long":        {call(2, strings.Repeat("x", maxBody)), nil, 413, "larger than 4 MiB: send less"},
		"no JSON":         {"{", []string{sessionHeader, session}, 400, "malformed"},
		"empty":           {"", []string{sessionHeader, session}, 400, "non-empty"},
		"other type":      {initialize, []string{"Content-Type", "text/plain"}, 415, "application/json"},
		"unknown session": {call(2, "echo"), []string{sessionHeader, "none"}, 404, "session not found"},
		"no session":      {call(2, "echo"), nil, 200, "invalid during session initialization"},
		"unknown version": {call(2, "echo"), []string{sessionHeader, session, versionHeader, "2020-01-01"}, 400, "Unsupported protocol version"},
		"version missing": {modern(call(2, "echo")), nil, 400, "-32020"},
		"unknown tool":    {call(2, "ecoh"), []string{sessionHeader, session}, 200, `"code":-32602,"message":"unknown tool ecoh: did you mean echo?"`},
		"arguments":       {strings.Replace(call(2, "echo"), `{"a":1}`, "7", 1), []string{sessionHeader, session}, 200, "arguments must be an object"},
		"unknown method":  {`{"jsonrpc":"2.0","id":2,"method":"sing"}`, []string{sessionHeader, session}, 400, "sing"},
	} {
		status, _, body := d.post(t, test.body, test.headers...)
		if status != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%s: %d %.300s", name, status, body)
		}
	}
}

// A body that does not end is refused in time.
func TestUnfinishedBody(t *testing.T) {
	d := open(t, server.Options{})
	d.handler.bodies.limit = 50 * time.Millisecond
	for name, body := range map[string]string{"cut": "Content-Length: 100\r\n\r\n{", "chunked": "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"} {
		conn, err := net.Dial("unix", daemontest.Socket(d.dir))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: */*\r\n"+body)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || response.StatusCode != http.StatusRequestTimeout {
			t.Errorf("%s: %v, %v", name, response, err)
		}
		conn.Close()
	}
}

// The daemon sees who calls, and a client that hangs up or ends its session cancels its calls, in both eras and on both transports.
func TestHangUp(t *testing.T) {
	d := open(t, server.Options{})
	session := d.begin(t)
	for name, test := range map[string]struct {
		body    string
		headers []string
		meta    protocol.CallMeta
	}{
		"legacy": {call(2, "hang"), []string{sessionHeader, session}, protocol.CallMeta{ToolUseID: "toolu_1", Client: "a 1", Session: session}},
		"modern": {modern(call(2, "hang")), modernHeaders, protocol.CallMeta{ToolUseID: "toolu_1", Client: "new 2"}},
	} {
		ctx, hangUp := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			response, err := d.send(ctx, t, http.MethodPost, "/mcp", strings.NewReader(test.body), test.headers...)
			if err == nil {
				response.Body.Close()
			}
		}()
		if begun := <-d.hanging; *begun.Meta != test.meta || string(begun.Arguments) != `{"a":1}` {
			t.Errorf("%s: got %+v %s", name, begun.Meta, begun.Arguments)
		}
		hangUp()
		<-d.ended
		<-done
	}
}

// A call that waits when the daemon stops is answered, and streams of events end at once.
func TestShutdownEndsStreams(t *testing.T) {
	d := open(t, server.Options{DrainTimeout: time.Minute})
	session := d.begin(t)
	ends := make(chan error, 2)
	for _, path := range []string{"/mcp", "/sse"} {
		response, err := d.send(t.Context(), t, http.MethodGet, path, nil, sessionHeader, session)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v, %v", path, response, err)
		}
		go func() {
			_, err := io.Copy(io.Discard, response.Body)
			response.Body.Close()
			ends <- err
		}()
	}
	begin := time.Now()
	d.stop()
	<-ends
	<-ends
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("the streams held the shutdown up for %v", took)
	}
}

// A daemon whose only clients follow streams of events is idle, and evicts such a connection for another one.
func TestStreamsAreNotAwaited(t *testing.T) {
	handler := New(Options{})
	dir := t.TempDir()
	listener, err := net.Listen("unix", dir+"/socket")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{HTTP: handler, MaxConnections: 2})
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	defer handler.Close()
	defer func() {
		if err := s.Shutdown(t.Context()); err != nil || <-served != nil {
			t.Error(err)
		}
	}()
	stream := func() net.Conn {
		conn, err := net.Dial("unix", dir+"/socket")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "GET /sse HTTP/1.1\r\nHost: x\r\n\r\n")
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("%v, %v", response, err)
		}
		return conn
	}
	first, second := stream(), stream()
	defer second.Close()
	if err := s.AwaitIdle(t.Context(), 50*time.Millisecond); err != nil {
		t.Error(err)
	}
	defer stream().Close()
	if _, err := io.Copy(io.Discard, first); err != nil {
		t.Errorf("the oldest stream ends with %v", err)
	}
	first.Close()
}

// There are at most maxSessions: the one that nobody has used for the longest time ends, and those in use stay.
func TestSessionsAreBounded(t *testing.T) {
	d := open(t, server.Options{})
	first, second := d.begin(t), d.begin(t)
	ctx, hangUp := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		response, err := d.send(ctx, t, http.MethodPost, "/mcp", strings.NewReader(call(2, "hang")), sessionHeader, first)
		if err == nil {
			response.Body.Close()
		}
	}()
	<-d.hanging
	for range 2 * maxSessions {
		d.begin(t)
	}
	if n := len(d.handler.made.sessions.byID); n != maxSessions {
		t.Errorf("%d sessions", n)
	}
	if status, _, body := d.post(t, call(3, "echo"), sessionHeader, second); status != http.StatusNotFound {
		t.Errorf("the unused session: %d %s", status, body)
	}
	if status, _, body := d.post(t, call(3, "echo"), sessionHeader, first); status != http.StatusOK || !strings.Contains(body, `{\"a\":1}`) {
		t.Errorf("the used session: %d %s", status, body)
	}
	hangUp()
	<-done
	<-d.ended
}

// /sse has at most maxStreams sessions, and a batch at most maxRunning calls.
func TestStreamsAndBatchesAreBounded(t *testing.T) {
	d := open(t, server.Options{})
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	for i := range maxStreams + 1 {
		response, err := d.send(ctx, t, http.MethodGet, "/sse", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if want := i < maxStreams; (response.StatusCode == http.StatusOK) != want {
			t.Errorf("stream %d: %s", i, response.Status)
		}
	}
	session := d.begin(t)
	var batch []string
	for i := range maxRunning + 1 {
		batch = append(batch, call(i+10, "hang"))
	}
	response, err := d.send(ctx, t, http.MethodPost, "/mcp", strings.NewReader("["+strings.Join(batch, ",")+"]"), sessionHeader, session, versionHeader, "2025-03-26")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	line, err := bufio.NewReader(response.Body).ReadString('}')
	if err != nil || !strings.Contains(line, "24 requests are running") {
		t.Errorf("%s, %v", line, err)
	}
}

// A client that does not read its reply holds up nobody, and is cut off at the shutdown.
func TestClientThatNeverReads(t *testing.T) {
	d := open(t, server.Options{DrainTimeout: time.Millisecond})
	session := d.begin(t)
	conn, err := net.Dial("unix", daemontest.Socket(d.dir))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	long := fmt.Sprintf(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo","arguments":{"text":%q}}}`, strings.Repeat("x", 3<<20))
	var message bytes.Buffer
	fmt.Fprintf(&message, "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: */*\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s", sessionHeader, session, len(long), long)
	if _, err := conn.Write(message.Bytes()); err != nil {
		t.Fatal(err)
	}
	if status, _, body := d.post(t, call(6, "echo"), sessionHeader, d.begin(t)); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	begin := time.Now()
	conn.Close()
	d.stop()
	if took := time.Since(begin); took > 9*time.Second {
		t.Errorf("the shutdown took %v", took)
	}
}
