package broker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tidepool/internal/policy"
	"tidepool/internal/session"
	"tidepool/internal/state"
	"tidepool/protocol"
	"tidepool/tools"
)

// A Toolset has one tool of each kind.
type Toolset struct {
	waiting chan struct{} // receives when wait runs, and again when its context has ended
}

// Descriptions has what each tool may do.
func (*Toolset) Descriptions() fs.FS {
	files := fstest.MapFS{}
	for name, hints := range map[string]string{
		"ask": "read-only", "wait": "read-only", "fail": "read-only", "change": "", "browse": "read-only open-world", "safe_read": "read-only", "remove": "destructive",
	} {
		files["desc/"+name+".md"] = &fstest.MapFile{Data: []byte("title: " + name + "\nhints: " + hints + "\n\nText.\n")}
	}
	return files
}

// In is what every tool takes.
type In struct {
	Name      string `json:"name,omitempty" jsonschema_description:"A name."`
	SessionID string `json:"session_id,omitempty" jsonschema_description:"A session."`
}

// Out says who called.
type Out struct {
	Tool    string `json:"tool"`
	Session string `json:"session"`
}

// Text is the same for a model.
func (o Out) Text() string { return o.Tool + " for " + o.Session }

// Ask answers.
func (*Toolset) Ask(_ context.Context, call tools.Call, _ In) (Out, error) {
	return Out{call.Tool, call.Caller.Session}, nil
}

// Fail panics.
func (*Toolset) Fail(context.Context, tools.Call, In) (Out, error) { panic("broken") }

// Wait waits for the end of its call.
func (t *Toolset) Wait(ctx context.Context, _ tools.Call, _ In) (Out, error) {
	t.waiting <- struct{}{}
	<-ctx.Done()
	t.waiting <- struct{}{}
	return Out{}, ctx.Err()
}

// Change is not read-only.
func (*Toolset) Change(context.Context, tools.Call, In) (Out, error) { panic("called") }

// Remove is destructive.
func (*Toolset) Remove(context.Context, tools.Call, In) (Out, error) { panic("called") }

// Browse reaches beyond the machine.
func (*Toolset) Browse(context.Context, tools.Call, In) (Out, error) { panic("called") }

// SafeRead reads files.
func (*Toolset) SafeRead(context.Context, tools.Call, In) (Out, error) { panic("called") }

// A bench is a broker with its tools.
type bench struct {
	*Broker
	tools   *Toolset
	trusted bool
	denied  string // a tool that the policy denies
	asked   string // a tool that it asks about
	dir     string
	kept    []string
}

// Decide is the policy.
func (b *bench) Decide(tool string, _ json.RawMessage) (policy.Verdict, bool) {
	switch tool {
	case "mcp__tidepool__" + b.denied:
		return policy.Verdict{Decision: protocol.Deny, Reason: "never"}, true
	case "mcp__tidepool__" + b.asked:
		return policy.Verdict{Decision: protocol.Ask, Reason: "perhaps"}, true
	}
	return policy.Verdict{Decision: protocol.Allow}, true
}

func newBench(t *testing.T, below ...string) *bench {
	t.Helper()
	b := &bench{tools: &Toolset{waiting: make(chan struct{})}, trusted: true, dir: filepath.Join(append([]string{t.TempDir()}, below...)...)}
	must(t, os.MkdirAll(b.dir, 0o700))
	must(t, state.Ensure(state.Of(b.dir)))
	dir, err := state.Open(state.Of(b.dir))
	must(t, err)
	t.Cleanup(func() { must(t, dir.Close()) })
	registry := tools.NewRegistry()
	must(t, registry.Discover(b.tools))
	b.Broker = New(Options{
		Dir: dir.Sub("exec").Sub("sockets"), Tools: registry, Policy: b, Trusted: func() bool { return b.trusted }, Untrusted: []string{"ask"},
		CallTimeout: time.Minute, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(b.Close) // after the sockets
	return b
}

// open opens the socket of a session's command, and closes it at the end of the test.
func (b *bench) open(t *testing.T, id string) *Socket {
	t.Helper()
	s, err := b.Open(Command{Caller: session.Conversation{ID: session.ID{Session: id}}, Keep: func(text []byte) (string, error) {
		b.kept = append(b.kept, string(text))
		return fmt.Sprint("ref_", len(b.kept)), nil
	}})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// dial connects to a socket, whose path may be long.
func dial(s *Socket) (net.Conn, error) {
	dir, err := os.Open(filepath.Dir(s.Path()))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return net.Dial("unix", fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), s.name))
}

// ask sends one request on a connection of its own.
func ask(t *testing.T, s *Socket, token, method, path, body string, headers ...string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://tools"+path, strings.NewReader(body))
	must(t, err)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) { return dial(s) }},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(r)
	must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode, string(text)
}

// Everything that is not on the list is refused, with the token and without.
func TestWhatACommandReaches(t *testing.T) {
	b := newBench(t)
	s := b.open(t, "s1")
	for _, test := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/tools", "", 200, "ask(): ask\n"},
		{"GET", "/tools/ask", "", 200, "## ask\n\nText."},
		{"GET", "/tools/asks", "", 404, "did you mean ask?"},
		{"GET", "/tools/change", "", 404, `unknown tool \"change\"`},
		{"GET", "/guide", "", 200, "# Programs that call tools"},
		{"GET", "/guide/callers.py", "", 200, "#!/usr/bin/env python3"},
		{"GET", "/guide/guide.md", "", 404, "no program of this name"},
		{"GET", "/guide/..%2f..%2fcatalogue.go", "", 404, "no program of this name"},
		{"POST", "/tools/ask", "{}", 200, `{"tool":"ask","session":"s1"}`},
		{"POST", "/tools/ask", "", 200, `{"tool":"ask","session":"s1"}`},
		{"POST", "/tools/ask", `{"nam":"x"}`, 400, "nam"},
		{"POST", "/tools/ask", `[]`, 400, "the body is not a JSON object"},
		{"POST", "/tools/ask", `{"name"`, 400, "the body is not a JSON object"},
		{"POST", "/tools/ask", `{"name":"` + strings.Repeat("x", 64<<10) + `"}`, 413, "at most 64 KiB"},
		{"POST", "/tools/fail", "", 500, "internal error"},
		{"POST", "/tools/asks", "", 404, "did you mean ask?"},
		{"POST", "/tools/change", "", 403, "change is not reachable from a command"},
		{"POST", "/tools/remove", "", 403, "remove is not reachable from a command"},
		{"POST", "/tools/browse", "", 403, "browse is not reachable from a command"},
		{"POST", "/tools/safe_read", "", 403, "safe_read is not reachable from a command"},
		{"POST", "/tools/Change", "", 404, "unknown tool"},
		{"POST", "/tools/change%00", "", 404, "unknown tool"},
		{"POST", "/tools/ask/../change", "", 307, ""},
		{"POST", "/tools/ask%2f..%2fchange", "", 404, "unknown tool"},
		{"POST", "/refs", "text", 200, `{"ref":"ref_1"}`},
		{"GET", "/refs", "", 404, "a command reaches"},
		{"DELETE", "/tools/ask", "", 404, "a command reaches"},
		{"PUT", "/tools/ask", "{}", 404, "a command reaches"},
		{"POST", "/tools", "{}", 404, "a command reaches"},
		{"POST", "/guide", "", 404, "a command reaches"},
		{"GET", "/", "", 404, "a command reaches"},
		{"GET", "/health", "", 404, "a command reaches"},
		{"POST", "/recollect", `{"prompt":"x","sessionId":"s"}`, 404, "a command reaches"},
		{"POST", "/flush", `{"sessionId":"s"}`, 404, "a command reaches"},
		{"POST", "/api/call", `{"params":{"name":"ask"}}`, 404, "a command reaches"},
		{"POST", "/api/v1/safeexec/bash", `{"cmd":"true"}`, 404, "a command reaches"},
		{"POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 404, "a command reaches"},
		{"GET", "/sse", "", 404, "a command reaches"},
		{"POST", "/contextd.v1.SafeExec/Bash", "{}", 404, "a command reaches"},
		{"GET", "/debug/pprof/", "", 404, "a command reaches"},
	} {
		if status, got := ask(t, s, s.Token(), test.method, test.path, test.body); status != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s %s %.40s: %d %s, want %d %s", test.method, test.path, test.body, status, got, test.status, test.want)
		}
		if status, got := ask(t, s, "", test.method, test.path, test.body); status != 401 {
			t.Errorf("%s %s without a token: %d %s", test.method, test.path, status, got)
		}
	}
	if len(b.kept) != 1 || b.kept[0] != "text" {
		t.Errorf("kept %q", b.kept)
	}
	if got := s.Calls(); got != 4 {
		t.Errorf("%d calls", got)
	}
	if _, text := ask(t, s, s.Token(), "POST", "/tools/ask", "", "Accept", "text/plain"); text != "ask for s1" {
		t.Errorf("a model reads %q", text)
	}
}

// A token is its command's alone, and of no form but the one.
func TestToken(t *testing.T) {
	b := newBench(t)
	s, other := b.open(t, "s1"), b.open(t, "s2")
	for _, token := range []string{other.Token(), s.Token()[1:], s.Token() + "x", strings.ToLower(s.Token()), "x"} {
		if status, got := ask(t, s, token, "POST", "/tools/ask", "{}"); status != 401 || !strings.Contains(got, "another command's") {
			t.Errorf("%s: %d %s", token, status, got)
		}
	}
	for _, header := range []string{s.Token(), "Basic " + s.Token(), "bearer" + s.Token()} {
		if status, _ := ask(t, s, "", "POST", "/tools/ask", "{}", "Authorization", header); status != 401 {
			t.Errorf("%s: %d", header, status)
		}
	}
	if status, _ := ask(t, s, "", "POST", "/tools/ask?token="+s.Token(), "{}"); status != 401 {
		t.Errorf("a token in the query: %d", status)
	}
}

// The socket carries HTTP/1 only. A line of the daemon's protocol gets no reply of that protocol.
func TestOtherProtocols(t *testing.T) {
	s := newBench(t).open(t, "s1")
	for _, line := range []string{
		`{"type":"Ping"}`, `{"type":"MCPToolCall","id":"1","tool_name":"ask","arguments":{}}`, `{"type":"ToolsListRequest"}`, `{"type":"StatusRequest"}`,
		`{"type":"HookEvent","input":{"hook_event_name":"SessionStart"},"runtime":"claude"}`, `{"type":"Attach"}`, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01",
	} {
		c, err := dial(s)
		must(t, err)
		_, err = io.WriteString(c, line+"\n")
		must(t, err)
		must(t, c.(*net.UnixConn).CloseWrite())
		got, err := io.ReadAll(c)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", line, err)
		}
		if text := string(got); text != "" && !strings.HasPrefix(text, "HTTP/1.1 4") && !strings.HasPrefix(text, "HTTP/1.1 5") {
			t.Errorf("%s: %s", line, text)
		}
		must(t, c.Close())
	}
}

// What the user has not trusted, denied, or wants to be asked about, a command does not call.
func TestPermission(t *testing.T) {
	b := newBench(t)
	s := b.open(t, "s1")
	go func() { <-b.tools.waiting; <-b.tools.waiting }()
	b.trusted = false
	if status, got := ask(t, s, s.Token(), "POST", "/tools/wait", ""); status != 403 || !strings.Contains(got, "agent trust") {
		t.Errorf("without trust: %d %s", status, got)
	}
	if status, _ := ask(t, s, s.Token(), "POST", "/tools/ask", ""); status != 200 {
		t.Errorf("a tool about the code, without trust: %d", status)
	}
	b.trusted, b.denied = true, "ask"
	if status, got := ask(t, s, s.Token(), "POST", "/tools/ask", ""); status != 403 || !strings.Contains(got, "refused by a rule: never") {
		t.Errorf("denied: %d %s", status, got)
	}
	b.denied, b.asked = "", "ask"
	if status, got := ask(t, s, s.Token(), "POST", "/tools/ask", ""); status != 403 || !strings.Contains(got, "perhaps") {
		t.Errorf("asked about: %d %s", status, got)
	}
}

// The safe tools let callers of HTTP name their session. A command cannot.
func TestSessionIsTheCommands(t *testing.T) {
	d := tools.Definition{Toolset: "execution"}
	for arguments, want := range map[string]bool{`{"session_id":"x"}`: true, `{"SESSION_ID":""}`: true, `{"ref":"x"}`: false, ``: false} {
		if namesSession(d, json.RawMessage(arguments)) != want {
			t.Errorf("%s", arguments)
		}
	}
}

// When the command has ended nothing answers, and nothing of the socket is left.
func TestEnd(t *testing.T) {
	b := newBench(t)
	s := b.open(t, "s1")
	idle, err := dial(s)
	must(t, err)
	calling, err := dial(s)
	must(t, err)
	fmt.Fprintf(calling, "POST /tools/wait HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", s.Token())
	<-b.tools.waiting
	must(t, s.Close())
	<-b.tools.waiting // the call's context has ended
	b.Close()
	for _, c := range []net.Conn{idle, calling} {
		fmt.Fprintf(c, "GET /tools HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", s.Token())
		if line, err := bufio.NewReader(c).ReadString('\n'); err == nil {
			t.Errorf("an answer after the end: %s", line)
		}
		must(t, c.Close())
	}
	if _, err := dial(s); err == nil {
		t.Error("somebody listens after the end")
	}
	if left, err := os.ReadDir(filepath.Dir(s.Path())); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	must(t, s.Close())
}

// One command cannot hold more than its share.
func TestBounds(t *testing.T) {
	b := newBench(t)
	s := b.open(t, "s1")
	var open []net.Conn
	for range connections {
		c, err := dial(s)
		must(t, err)
		fmt.Fprint(c, "GET /tools HTTP/1.1\r\n") // and no end of the header
		open = append(open, c)
	}
	answered := make(chan int)
	go func() {
		status, _ := ask(t, s, s.Token(), "GET", "/tools", "")
		answered <- status
	}()
	select {
	case status := <-answered:
		t.Fatalf("a connection too many is answered: %d", status)
	case <-time.After(100 * time.Millisecond): // that nothing happens can only be waited for
	}
	must(t, open[0].Close())
	if status := <-answered; status != 200 {
		t.Errorf("%d", status)
	}
	for _, c := range open[1:] {
		must(t, c.Close())
	}
	if status, _ := ask(t, s, s.Token(), "GET", "/tools", "", "X-Long", strings.Repeat("x", 16<<10)); status != 431 {
		t.Errorf("a long header: %d", status)
	}
	if status, got := ask(t, s, s.Token(), "POST", "/refs", strings.Repeat("x", maxKept+1)); status != 413 {
		t.Errorf("a long text: %d %s", status, got)
	}
	for range mostKept - 1 {
		if status, got := ask(t, s, s.Token(), "POST", "/refs", "x"); status != 200 {
			t.Errorf("%d %s", status, got)
		}
	}
	if status, got := ask(t, s, s.Token(), "POST", "/refs", "x"); status != 429 || !strings.Contains(got, "16 texts") {
		t.Errorf("one text too many: %d %s", status, got)
	}
}

// A project's path may be longer than the address of a socket.
func TestLongPath(t *testing.T) {
	b := newBench(t, strings.Repeat("deep/", 40))
	s := b.open(t, "s1")
	if status, got := ask(t, s, s.Token(), "GET", "/tools", ""); status != 200 {
		t.Errorf("%d %s", status, got)
	}
}

// A daemon that is killed leaves its sockets; the first command of the next one removes them, and later commands remove nothing.
func TestSocketsOfKilledDaemon(t *testing.T) {
	b := newBench(t)
	dir := filepath.Join(state.Of(b.dir), "exec", "sockets")
	must(t, os.MkdirAll(dir, 0o700))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "sLEFT"), Net: "unix"})
	must(t, err)
	l.SetUnlinkOnClose(false)
	must(t, l.Close())
	first, second := b.open(t, "s1"), b.open(t, "s2")
	var names []string
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		names = append(names, filepath.Join(dir, e.Name()))
	}
	want := []string{first.Path(), second.Path()}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("%v, not %v", names, want)
	}
}

// A directory that somebody has put a link in the place of is not used.
func TestLinkedDirectory(t *testing.T) {
	b := newBench(t)
	outside := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(state.Of(b.dir), "exec"), 0o700))
	must(t, os.Symlink(outside, filepath.Join(state.Of(b.dir), "exec", "sockets")))
	if s, err := b.Open(Command{}); err == nil {
		t.Errorf("a socket at %s", s.Path())
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 0 {
		t.Errorf("outside: %v, %v", left, err)
	}
}
