package mcptest

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidepool/protocol"
)

// A step is one line of a recording: what the client sent, what a server
// answered, or the signal that ended it.
type step struct {
	Way string          `json:"way"`
	Msg json.RawMessage `json:"msg"`
}

func recording(t *testing.T, path string) (steps []step) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var s step
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, s)
	}
	return steps
}

// A recorded is a conversation that Claude Code 2.1.328 had with another
// server, and what this one says to its side of it.
type recorded struct {
	file    string
	tools   []string
	answers map[string][]string // what each answer holds, by the method of the request
}

func recordings() []recorded {
	const discovered = `"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"tidepool","version":"` + agentVersion + `"}},`
	const echo = `{"name":"echo","description":"Does echo.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},` +
		`"annotations":{"title":"echo","readOnlyHint":true},"_meta":{"anthropic/alwaysLoad":true}}`
	return []recorded{
		{"legacy.jsonl", []string{"echo"}, map[string][]string{
			"server/discover": {`{"jsonrpc":"2.0","id":"server-discover-probe-1",` + discovered},
			"initialize":      {`{"jsonrpc":"2.0","id":0,"result":{"capabilities":{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true},"tools":{"listChanged":true}},"instructions":"` + advice + `","protocolVersion":"2025-11-25"`},
			"tools/list":      {`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + echo + `]}}`},
			"prompts/list":    {`{"jsonrpc":"2.0","id":2,"result":{"prompts":[{"name":"explain","title":"Explain how it works",`},
			"resources/list":  {`{"jsonrpc":"2.0","id":3,"result":{"resources":[{"uri":"tidepool://status","name":"status",`},
			"tools/call":      {`{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"ECHO:from the model"}]}}`},
		}},
		{"modern.jsonl", []string{"echo", "add_tool", "always", "added"}, map[string][]string{
			"server/discover": {
				`{"jsonrpc":"2.0","id":"server-discover-probe-1",` + discovered,
				`{"jsonrpc":"2.0","id":0,` + discovered + `"cacheScope":"private","capabilities":{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true},"tools":{"listChanged":true}},"instructions":"` + advice +
					`","supportedVersions":["2026-07-28",`,
			},
			"subscriptions/listen": {`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":` +
				`{"io.modelcontextprotocol/subscriptionId":"listen:0"},"notifications":{"toolsListChanged":true}}}`},
			"prompts/list":   {`{"jsonrpc":"2.0","id":1,` + discovered + `"ttlMs":0,"cacheScope":"private","prompts":[{"name":"explain",`},
			"resources/list": {`{"jsonrpc":"2.0","id":2,` + discovered + `"ttlMs":0,"cacheScope":"private","resources":[{"uri":"tidepool://status",`},
			"tools/list":     {`"id":3,` + discovered + `"ttlMs":0,"cacheScope":"private","tools":[` + echo, `{"jsonrpc":"2.0","id":5,` + discovered},
			"tools/call": {
				`{"jsonrpc":"2.0","id":4,` + discovered + `"content":[{"type":"text","text":"add_tool"}]}}`,
				`{"jsonrpc":"2.0","id":6,` + discovered + `"content":[{"type":"text","text":"always"}]}}`,
				`{"jsonrpc":"2.0","id":7,` + discovered + `"content":[{"type":"text","text":"added"}]}}`,
			},
		}},
	}
}

func TestRecordedClaudeCode(t *testing.T) {
	for _, r := range recordings() {
		t.Run(r.file, func(t *testing.T) {
			dir, agent := project(t)
			startDaemon(t, dir, &scripted{names: r.tools})
			r.play(t, agent)
			for method, left := range r.answers {
				if len(left) > 0 {
					t.Errorf("%s was not asked for %d times", method, len(left))
				}
			}
		})
	}
}

// play speaks the client's side, one request after the other.
func (r *recorded) play(t *testing.T, agent *exec.Cmd) {
	stdin, err := agent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	lines := protocol.NewReader(stdout)
	for _, s := range recording(t, "testdata/mcp/"+r.file) {
		switch s.Way {
		case "in":
			if _, err := stdin.Write(append(s.Msg, '\n')); err != nil {
				t.Fatal(err)
			}
			r.check(t, s.Msg, lines)
		case "signal":
			endsAtOnce(t, agent.Process, stdout, agent.Wait)
		}
	}
}

// check reads the answer to what was sent.
func (r *recorded) check(t *testing.T, sent json.RawMessage, lines *protocol.Reader) {
	t.Helper()
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if err := json.Unmarshal(sent, &m); err != nil {
		t.Fatal(err)
	}
	if m.ID == nil {
		return
	}
	line, err := lines.ReadLine()
	if err != nil || len(r.answers[m.Method]) == 0 {
		t.Fatalf("%s: %s, %v", m.Method, line, err)
	}
	if want := r.answers[m.Method][0]; !strings.Contains(string(line), want) {
		t.Errorf("%s:\ngot  %s\nwant …%s…", m.Method, line, want)
	}
	r.answers[m.Method] = r.answers[m.Method][1:]
}

// endsAtOnce sends SIGINT. Claude Code follows with SIGTERM after 100 ms and
// with SIGKILL 400 ms later.
func endsAtOnce(t *testing.T, process *os.Process, stdout io.Reader, wait func() error) {
	t.Helper()
	start := time.Now()
	if err := process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(stdout); len(rest) > 0 || err != nil {
		t.Errorf("said %q, %v", rest, err)
	}
	if err := wait(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v to end", took)
	}
}
