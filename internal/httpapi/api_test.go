package httpapi_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tidepool/internal/daemontest"
	"tidepool/internal/httpapi"
	"tidepool/internal/server"
	"tidepool/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// remembered are memories of a test. A prompt that contains "wait" waits for the end of its time.
type remembered struct {
	told    chan string // session and prompt
	flushed chan string
	err     error
}

func (m *remembered) Recollect(ctx context.Context, session, prompt string) ([]httpapi.Bite, error) {
	if strings.Contains(prompt, "wait") {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if m.err != nil || strings.Contains(prompt, "nothing") {
		return nil, m.err
	}
	m.told <- session + ": " + prompt
	return []httpapi.Bite{{ID: "mem_1", Bite: "Use <pnpm>.", Date: "2026-11-22", Importance: "high", Type: "preference"}}, nil
}

func (m *remembered) Flush(ctx context.Context, session string) error {
	if session == "slow" {
		<-ctx.Done()
		return ctx.Err()
	}
	m.flushed <- session
	return m.err
}

func (m *remembered) State(context.Context) (state, reason string) { return "building", "half of it" }

// tools answer by their name.
type tools struct{ called chan *protocol.MCPToolCall }

func (*tools) List() []protocol.ToolDefinition { return nil }

func (s *tools) Call(ctx context.Context, call *protocol.MCPToolCall, _ server.Caller) (server.Result, error) {
	switch call.ToolName {
	case "echo":
		s.called <- call
		return server.Result{JSON: append(json.RawMessage{}, cmp.Or(string(call.Arguments), "{}")...)}, nil
	case "text":
		return server.Result{JSON: json.RawMessage(`"a text"`)}, nil
	case "picky":
		return server.Result{}, &protocol.Error{Code: protocol.CodeInvalidParams, Message: "name: is missing"}
	case "lost":
		return server.Result{}, &protocol.Error{Code: protocol.CodeNotFound, Message: "no memory mem_0"}
	case "broken":
		return server.Result{}, errors.New("no disk")
	case "wait":
		s.called <- call
		<-ctx.Done()
		s.called <- call
		return server.Result{}, ctx.Err()
	}
	return server.Result{}, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "unknown tool"}
}

// A service is the API on a real socket, below a server's.
type service struct {
	remembered
	tools
	project string
	client  *http.Client
}

func serve(t *testing.T) *service {
	t.Helper()
	s := &service{
		remembered: remembered{told: make(chan string, 10), flushed: make(chan string, 10)},
		tools:      tools{make(chan *protocol.MCPToolCall, 10)},
		project:    daemontest.Project(t),
	}
	more := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "more of "+r.PathValue("name"))
	})
	api := httpapi.New(httpapi.Options{
		Recall: &s.remembered, Do: server.Do, Started: time.Now().Add(-1500 * time.Millisecond), More: map[string]http.Handler{"GET /more/{name}": more},
	})
	daemontest.StartServer(t, s.project, server.Options{Tools: &s.tools, HTTP: api})
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", daemontest.Socket(s.project))
	}}
	t.Cleanup(transport.CloseIdleConnections)
	s.client = &http.Client{Transport: transport}
	return s
}

// post returns the status and the body.
func (s *service) post(t *testing.T, route, body string) (status int, answer string) {
	t.Helper()
	response, err := s.client.Post("http://x"+route, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if origin := response.Header.Get("Access-Control-Allow-Origin"); origin != "" {
		t.Errorf("%s lets %s in", route, origin)
	}
	return response.StatusCode, strings.TrimSuffix(string(data), "\n")
}

// The command of the README.
func TestCurl(t *testing.T) {
	s := serve(t)
	out, err := exec.Command("curl", "--silent", "--show-error", "--fail", "--unix-socket", filepath.Join(s.project, ".tidepool", "control.sock"), "http://x/health").Output()
	if err != nil {
		t.Fatal(err)
	}
	var health struct {
		Status, Memory, Reason string
		PID                    int
		Uptime, UptimeMs       int64
	}
	if err := json.Unmarshal(out, &health); err != nil {
		t.Fatal(err)
	}
	if health.Status != "ok" || health.PID != os.Getpid() || health.Memory != "building" || health.Reason != "half of it" || health.UptimeMs < 1500 || health.Uptime < 1 {
		t.Errorf("got %s", out)
	}
	large := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(large, slices.Repeat([]byte("x"), 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err = exec.Command("curl", "--silent", "--unix-socket", daemontest.Socket(s.project), "--data-binary", "@"+large, "http://x/recollect").Output()
	if err != nil || !strings.Contains(string(out), `larger than 1 MiB`) {
		t.Errorf("2 MiB: %s, %v", out, err)
	}
}

// The routes of others stand beside those of the package.
func TestFurtherRoutes(t *testing.T) {
	response, err := serve(t).client.Get("http://x/more/it")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != "more of it" {
		t.Errorf("%s, %v", body, err)
	}
}

func TestRecollect(t *testing.T) {
	s := serve(t)
	status, body := s.post(t, "/recollect", `{"prompt":"which package manager?","sessionId":"8f-A_1"}`)
	var got struct {
		Bites     []httpapi.Bite
		Timestamp int64
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != 200 || len(got.Bites) != 1 || got.Bites[0].Bite != "Use <pnpm>." {
		t.Errorf("%d %s %v", status, body, err)
	}
	if age := time.Since(time.UnixMilli(got.Timestamp)); age < 0 || age > daemontest.Patience {
		t.Errorf("it is %v old", age)
	}
	if told := <-s.told; told != "8f-A_1: which package manager?" {
		t.Errorf("asked %s", told)
	}
	long := strings.Repeat("word ", 100_000)
	if status, body := s.post(t, "/recollect", `{"prompt":"`+long+`","sessionId":"s"}`); status != 200 || <-s.told != "s: "+long {
		t.Errorf("half a megabyte: %d %.200s", status, body)
	}
	for in, want := range map[string]struct {
		status int
		answer string
	}{
		`{"prompt":"nothing","sessionId":"s"}`:                          {200, `{"bites":[],"timestamp":`},
		`{"prompt":" ","sessionId":"s"}`:                                {400, `{"bites":[],"error":"Missing prompt or sessionId"}`},
		`{"prompt":"x"}`:                                                {400, `{"bites":[],"error":"Missing prompt or sessionId"}`},
		`{"prompt":"x","sessionId":"../../etc/passwd"}`:                 {400, `{"bites":[],"error":"sessionId is no id`},
		`{"prompt":"x","sessionId":"` + strings.Repeat("a", 129) + `"}`: {400, `{"bites":[],"error":"sessionId is no id`},
		`{"prompt":7,"sessionId":"s"}`:                                  {400, `{"bites":[],"error":"Invalid JSON: Prompt is a number"}`},
		`{"prompt":"x"`:                                                 {400, `{"bites":[],"error":"Invalid JSON: unexpected end of JSON input"}`},
		``:                                                              {400, `{"bites":[],"error":"Invalid JSON: `},
		`[]`:                                                            {400, `{"bites":[],"error":"Invalid JSON: the request is a array"}`},
		`{"prompt":"wait","sessionId":"s"}`:                             {500, `{"bites":[],"error":"`},
		`{"prompt":"` + strings.Repeat("x", 1<<20) + `","sessionId":"s"}`:              {413, `{"bites":[],"error":"the request is larger than 1 MiB: send less"}`},
		`{"prompt":"` + strings.Repeat("[", 1<<19) + `","sessionId":"../` + "x" + `"}`: {400, `{"bites":[],"error":"sessionId is no id`},
	} {
		if status, answer := s.post(t, "/recollect", in); status != want.status || !strings.HasPrefix(answer, want.answer) {
			t.Errorf("%.60s: %d %s", in, status, answer)
		}
	}
	s.err = errors.New("the disk is full")
	if status, body := s.post(t, "/recollect", `{"prompt":"x","sessionId":"s"}`); status != 500 || body != `{"bites":[],"error":"the disk is full"}` {
		t.Errorf("%d %s", status, body)
	}
}

func TestFlush(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for in, want := range map[string]struct {
		status int
		answer string
	}{
		`{"sessionId":"unknown"}`: {200, "OK"},
		`{"sessionId":"slow"}`:    {202, "not on the disk yet"},
		`{}`:                      {400, `{"error":"Missing sessionId"}`},
		`{"sessionId":"a b"}`:     {400, `{"error":"sessionId is no id`},
	} {
		if status, answer := s.post(t, "/flush", in); status != want.status || !strings.HasPrefix(answer, want.answer) {
			t.Errorf("%s: %d %s", in, status, answer)
		}
	}
	if session := <-s.flushed; session != "unknown" {
		t.Errorf("flushed %s", session)
	}
	s.err = errors.New("the disk is full")
	if status, body := s.post(t, "/flush", `{"sessionId":"s"}`); status != 500 || body != `{"error":"the disk is full"}` {
		t.Errorf("%d %s", status, body)
	}
}

// Both forms of a request, each with the results and errors that their clients know.
func TestCall(t *testing.T) {
	s := serve(t)
	for in, want := range map[string]struct {
		status int
		answer string
	}{
		`{"method":"tools/call","params":{"name":"echo","arguments":{"a":[1]}}}`: {200, `{"a":[1]}`},
		`{"params":{"name":"echo"}}`:    {200, `{}`},
		`{"params":{"name":"text"}}`:    {200, `{"result":"a text"}`},
		`{"params":{"name":"picky"}}`:   {400, `{"error":"Invalid arguments for picky: name: is missing"}`},
		`{"params":{"name":"lost"}}`:    {404, `{"error":"Tool error: no memory mem_0"}`},
		`{"params":{"name":"no_such"}}`: {404, `{"error":"Unknown tool: no_such"}`},
		`{"params":{"name":"broken"}}`:  {500, `{"error":"Tool error: no disk"}`},
		`{"params":null}`:               {400, `{"error":"Missing tool name in params.name"}`},
		`{"params":{"name":7}}`:         {400, `{"error":"Missing tool name in params.name"}`},
		`{"params":[]}`:                 {400, `{"error":"Missing tool name in params.name"}`},
		`{}`:                            {400, `{"error":"Missing tool name in params.name"}`},
		`[{"params":{"name":"echo"}}]`:  {400, `{"error":"Request body must be a JSON object"}`},
		`"echo"`:                        {400, `{"error":"Request body must be a JSON object"}`},
		`{"params"`:                     {400, `{"error":"Invalid JSON: unexpected end of JSON input"}`},
		`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"echo","arguments":{"a":"<\""}}}`: {200,
			`{"jsonrpc":"2.0","id":"x","result":{"content":[{"type":"text","text":"{\"a\":\"\u003c\\\"\"}"}]}}`},
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"broken"}}`: {200,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"error\":\"Tool error: no disk\"}"}],"isError":true}}`},
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_such"}}`: {200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Unknown tool: no_such"}}`},
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`:                 {200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,`},
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`:                             {200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,`},
		`{"jsonrpc":"1.0","id":1,"method":"tools/call"}`:                             {200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,`},
		`{"jsonrpc":"2.0","id":{},"method":"tools/call"}`:                            {200, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"text"}}`:           {204, ``},
	} {
		if status, answer := s.post(t, "/api/call", in); status != want.status || !strings.HasPrefix(answer, want.answer) {
			t.Errorf("%s: %d %s", in, status, answer)
		}
	}
	for len(s.called) > 0 {
		<-s.called
	}
	s.post(t, "/api/call", `{"params":{"name":"echo","_meta":{"claudecode/toolUseId":"toolu_1"}}}`)
	if call := <-s.called; call.Meta.ToolUseID != "toolu_1" {
		t.Errorf("the call has %+v", call.Meta)
	}
	s.post(t, "/api/call", `{"params":{"name":"echo","session_id":"8f-A_1"}}`)
	if call := <-s.called; call.Meta.Session != "8f-A_1" {
		t.Errorf("the call of a session has %+v", call.Meta)
	}
	if status, answer := s.post(t, "/api/call", `{"params":{"name":"echo","session_id":"../x"}}`); status != 400 || !strings.Contains(answer, "is no id") {
		t.Errorf("a call of no session: %d %s", status, answer)
	}
}

// A client that hangs up cancels its call.
// Services have the names of other systems; the body is the arguments.
func TestServices(t *testing.T) {
	s := serve(t)
	for _, test := range []struct {
		route, body string
		status      int
		want        string
	}{
		{"/api/v1/tool/call", `{"name":"echo","arguments":"{\"a\":1}","session_id":"s"}`, 200, `"result":"{\"a\":1}"`},
		{"/api/v1/tool/call", `{"name":"picky","session_id":"s"}`, 400, `{"code":"invalid_argument","message":"name: is missing"}`},
		{"/api/v1/safeexec/none", `{}`, 404, `there is no method of safeexec \"none\": there are bash, read, write`},
		{"/api/v1/safeexec", `{}`, 404, "there is no method of safeexec"},
		{"/api/v1/a/b/c", `{}`, 404, "there is no service"},
	} {
		if status, got := s.post(t, test.route, test.body); status != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s %s: %d %s", test.route, test.body, status, got)
		}
	}
}

func TestCallIsCancelled(t *testing.T) {
	s := serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://x/api/call", strings.NewReader(`{"params":{"name":"wait"}}`))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := s.client.Do(request)
		ended <- err
	}()
	<-s.called
	cancel()
	<-s.called
	if err := <-ended; err == nil {
		t.Error("there was an answer")
	}
}

func TestRoutes(t *testing.T) {
	s := serve(t)
	for route, want := range map[string]int{"/": 404, "/sse": 404, "/health": 405, "/mcp": 404} {
		if status, body := s.post(t, route, "{}"); status != want || strings.Contains(body, "panic") {
			t.Errorf("%s: %d %s", route, status, body)
		}
	}
	response, err := s.client.Get("http://x/recollect")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 405 || response.Header.Get("Allow") != "POST" {
		t.Errorf("GET /recollect: %d, %v", response.StatusCode, response.Header)
	}
}
