package mcptest

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
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

// TestRecordedClaudeCode plays the client's side of a conversation that
// Claude Code 2.1.328 had with another server.
func TestRecordedClaudeCode(t *testing.T) {
	dir, agent := project(t)
	startDaemon(t, dir, &scripted{names: []string{"echo"}})
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
	answers := map[string]string{ // by the client's method; the others are told apart below
		"server/discover": `{"jsonrpc":"2.0","id":"server-discover-probe-1","error":{"code":-32601,"message":"Method not found: server/discover"}}`,
		"tools/list": `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","description":"Does echo.",` +
			`"inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"annotations":{"title":"echo","readOnlyHint":true}}]}}`,
		"prompts/list":   `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found: prompts/list"}}`,
		"resources/list": `{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found: resources/list"}}`,
		"tools/call":     `{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"ECHO:from the model"}]}}`,
	}
	seen := 0
	for _, s := range recording(t, "testdata/mcp/legacy.jsonl") {
		switch s.Way {
		case "in":
			if _, err := stdin.Write(append(s.Msg, '\n')); err != nil {
				t.Fatal(err)
			}
			var sent struct {
				ID     json.RawMessage `json:"id"`
				Method string          `json:"method"`
			}
			if err := json.Unmarshal(s.Msg, &sent); err != nil {
				t.Fatal(err)
			}
			if sent.ID == nil {
				continue
			}
			line, err := lines.ReadLine()
			if err != nil {
				t.Fatalf("%s: %v", sent.Method, err)
			}
			seen++
			if want, ok := answers[sent.Method]; ok && string(line) != want {
				t.Errorf("%s:\ngot  %s\nwant %s", sent.Method, line, want)
			}
			if sent.Method == "initialize" && !bytes.Contains(line, []byte(`"id":0,"result":{"capabilities":{"tools":{"listChanged":true}},"protocolVersion":"2025-11-25"`)) {
				t.Errorf("initialize: %s", line)
			}
		case "signal":
			endsAtOnce(t, agent.Process, stdout, agent.Wait)
		}
	}
	if seen != len(answers)+1 {
		t.Errorf("%d answers", seen)
	}
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
	if took := time.Since(start); took > 400*time.Millisecond {
		t.Errorf("took %v to end", took)
	}
}
