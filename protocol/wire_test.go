package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func lines(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "wire", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// Every golden line decodes and encodes to the same bytes, and every member of
// both unions has at least one.
func TestWireGolden(t *testing.T) {
	seen := map[string]bool{}
	for _, line := range lines(t, "requests.jsonl") {
		m, err := DecodeRequest([]byte(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		seen[m.requestType()] = true
		checkLine(t, string(AppendRequest(nil, m)), line)
	}
	for _, line := range lines(t, "responses.jsonl") {
		m, err := DecodeResponse([]byte(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		seen[m.responseType()] = true
		checkLine(t, string(AppendResponse(nil, m)), line)
	}
	for name, make := range requests {
		if got := make().requestType(); got != name || !seen[name] {
			t.Errorf("request %s: makes %s, golden line %t", name, got, seen[name])
		}
	}
	for name, make := range responses {
		if got := make().responseType(); got != name || !seen[name] {
			t.Errorf("response %s: makes %s, golden line %t", name, got, seen[name])
		}
	}
}

func checkLine(t *testing.T, got, want string) {
	t.Helper()
	if got != want+"\n" {
		t.Errorf("encoded\n\t%swant\n\t%s", got, want)
	}
}

// A peer one release newer, or a person with nc, writes things we do not.
func TestDecodeIsTolerant(t *testing.T) {
	for _, line := range []string{
		"{\"arguments\":null,\"id\":null,\"tool_name\":\"x\",\"new\":{\"a\":[1]},\"type\":\"MCPToolCall\"}",
		" { \"type\" : \"MCPToolCall\" ,\t\"tool_name\":\"x\",\"progress\":null,\"meta\":null}\r",
		`{"type":"MCPToolCall","tool_name":"\u0078"}`,
	} {
		m, err := DecodeRequest([]byte(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		want := `{"type":"MCPToolCall","id":"","tool_name":"x","arguments":{}}`
		checkLine(t, string(AppendRequest(nil, m)), want)
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct {
		line string
		code int
		says string
	}{
		{`hello`, CodeParse, `unexpected 'h'`},
		{`{"type":"Ping"`, CodeParse, "the input ends"},
		{`[]`, CodeParse, "object should begin"},
		{`{}`, CodeInvalidRequest, "type: is missing"},
		{`{"type":7}`, CodeInvalidRequest, "type: expected a string, got the number 7"},
		{`{"type":"Pong"}`, CodeMethodNotFound, `unknown request type "Pong": this side knows AnswerRequest, Attach, HookEvent`},
		{`{"type":"\u001b[31m"}`, CodeMethodNotFound, `"\x1b[31m"`},
		{`{"type":"HookEvent","input":{},"type":"Ping","runtime":"claude"}`, CodeInvalidRequest, `"type" is given twice`},
		{`{"type":"HookEvent","input":{},"input":{"a":1}}`, CodeInvalidRequest, `"input" is given twice`},
		{`{"type":"Ping"` + strings.Repeat(`,"x":1`, 64) + `}`, CodeInvalidRequest, "it has too many fields: send at most 64"},
		{`{"type":"HookEvent"}`, CodeInvalidParams, "input: is required"},
		{`{"type":"HookEvent","input":null}`, CodeInvalidParams, "input: is required"},
		{`{"type":"HookEvent","input":{},"runtime":"emacs"}`, CodeInvalidParams, `runtime: expected "claude", "codex", "cursor" or "gemini"`},
		{`{"type":"MCPToolCall"}`, CodeInvalidParams, "tool_name: is required"},
		{`{"type":"MCPToolCall","tool_name":[]}`, CodeInvalidParams, "tool_name: expected a string, got an array"},
		{`{"type":"MCPToolCall","tool_name":"x","progress":1}`, CodeInvalidParams, "progress: expected a boolean, got the number 1"},
		{`{"type":"MCPToolCall","tool_name":"x","timeout_ms":1.5}`, CodeInvalidParams, "timeout_ms: expected an integer"},
		{`{"type":"MCPToolCall","tool_name":"x","meta":{"cwd":1}}`, CodeInvalidParams, "cwd: expected string, got number"},
		{`{"type":"LSPAttach","cwd":"/"}`, CodeInvalidParams, "language: is required"},
		{`{"type":"StatusRequest","wait_ready":"yes"}`, CodeInvalidParams, "wait_ready: expected bool, got string"},
	}
	for _, test := range tests {
		_, err := DecodeRequest([]byte(test.line))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v, want an *Error", test.line, err)
			continue
		}
		if e.Code != test.code || !strings.Contains(e.Message, test.says) {
			t.Errorf("%s: got %d %s, want %d …%s…", test.line, e.Code, e.Message, test.code, test.says)
		}
	}
}

// Every recorded hook passes through byte for byte, and as one line.
func TestHookInputPassesThroughWhole(t *testing.T) {
	for _, raw := range hookSamples(t) {
		raw = bytes.TrimSpace(raw)
		line := AppendRequest(nil, &HookEvent{Input: raw, Runtime: "claude"})
		m, err := DecodeRequest(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.(*HookEvent).Input; !bytes.Equal(got, raw) {
			t.Errorf("got\n%s\nwant\n%s", got, raw)
		}
	}
}

func TestLineBreaksInRawJSONBecomeSpaces(t *testing.T) {
	line := AppendRequest(nil, &HookEvent{Input: json.RawMessage("{\r\n\"a\":\n\"b\\n\"}")})
	if want := `{"type":"HookEvent","input":{  "a": "b\n"}}` + "\n"; string(line) != want {
		t.Errorf("got %q, want %q", line, want)
	}
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"requests.jsonl", "responses.jsonl"} {
		for _, line := range lines(f, name) {
			f.Add([]byte(line))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if m, err := DecodeRequest(line); err == nil {
			again := AppendRequest(nil, m)
			if _, err := DecodeRequest(oneLine(t, again)); err != nil {
				t.Fatalf("%q encoded to %q: %v", line, again, err)
			}
		}
		if m, err := DecodeResponse(line); err == nil {
			again := AppendResponse(nil, m)
			if _, err := DecodeResponse(oneLine(t, again)); err != nil {
				t.Fatalf("%q encoded to %q: %v", line, again, err)
			}
		}
	})
}

func oneLine(t *testing.T, data []byte) []byte {
	t.Helper()
	line, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok || len(rest) > 0 {
		t.Fatalf("not one line: %q", data)
	}
	return line
}

func BenchmarkDecodeHookEvent(b *testing.B) {
	input := bytes.TrimSpace(hookSamples(b)["PostToolBatch.json"]) // about 1 KB
	line := AppendRequest(nil, &HookEvent{Input: input, Runtime: "claude"})
	line = line[:len(line)-1]
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		m, err := DecodeRequest(line)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := DecodeHookInput(m.(*HookEvent).Input); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecodeHookEventWithEncodingJSON is the same envelope and input
// through the standard library.
func BenchmarkDecodeHookEventWithEncodingJSON(b *testing.B) {
	input := bytes.TrimSpace(hookSamples(b)["PostToolBatch.json"])
	line := AppendRequest(nil, &HookEvent{Input: input, Runtime: "claude"})
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		var m struct {
			Type    string          `json:"type"`
			Input   json.RawMessage `json:"input"`
			Runtime string          `json:"runtime"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			b.Fatal(err)
		}
		var in struct {
			SessionID     string          `json:"session_id"`
			HookEventName string          `json:"hook_event_name"`
			ToolName      string          `json:"tool_name"`
			ToolInput     json.RawMessage `json:"tool_input"`
		}
		if err := json.Unmarshal(m.Input, &in); err != nil {
			b.Fatal(err)
		}
	}
}

func hookSamples(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "hooks", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded hooks: %v", err)
	}
	samples := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		samples[filepath.Base(file)] = data
	}
	return samples
}
