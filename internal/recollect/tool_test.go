package recollect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/recall/extract"
	"tidepool/protocol"
)

// eventOf returns an event, recorded or written here.
func eventOf(t testing.TB, name string) *hook.Event {
	t.Helper()
	raw := []byte(name)
	if name[0] != '{' {
		var err error
		if raw, err = os.ReadFile(filepath.Join("..", "..", "protocol", "testdata", "hooks", name+".json")); err != nil {
			t.Fatal(err)
		}
	}
	in, err := protocol.DecodeHookInput(json.RawMessage(raw))
	if err != nil {
		t.Fatal(err)
	}
	return &hook.Event{HookInput: in}
}

func TestUseOf(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	const bash = `"tool_name":"Bash","tool_input":{"command":"make"}`
	for name, want := range map[string]extract.ToolUse{
		"PostToolUse.Bash":   {Name: "Bash", Command: "cd src && pwd", Output: "/home/dev/demo/src"},
		"PostToolUse.Edit":   {Name: "Edit", File: "/home/dev/demo/made.txt"},
		"PostToolUse.Write":  {Name: "Write", File: "/home/dev/demo/made.txt"},
		"PostToolUse.mcp":    {Name: "mcp__probe__echo"},
		"PostToolUseFailure": {Name: "Bash", Command: "echo out; echo err >&2; exit 3", Output: "out\nerr", Failed: true, Exit: 3},
		`{"hook_event_name":"PostToolUse",` + bash + `,"tool_response":{"stdout":"a","stderr":"b","interrupted":true}}`:       {Name: "Bash", Command: "make", Output: "a\nb", Exit: -1},
		`{"hook_event_name":"PostToolUseFailure",` + bash + `,"error":"Command timed out after 2m"}`:                          {Name: "Bash", Command: "make", Output: "Command timed out after 2m", Failed: true, Exit: -1},
		`{"hook_event_name":"PostToolUseFailure",` + bash + `,"error":"Exit code 137\nkilled","is_interrupt":true}`:           {Name: "Bash", Command: "make", Output: "killed", Failed: true, Exit: -1},
		`{"hook_event_name":"PostToolUseFailure",` + bash + `,"error":"Exit code 1"}`:                                         {Name: "Bash", Command: "make", Failed: true, Exit: 1},
		`{"hook_event_name":"PostToolUse","tool_name":"Edit","cwd":"/p","tool_input":{"file_path":"a.go"},"tool_response":7}`: {Name: "Edit", File: "/p/a.go"},
	} {
		want.At = now
		if got, ended := useOf(eventOf(t, name), now); !ended || got != want {
			t.Errorf("%s\n got %+v, %t\nwant %+v", name, got, ended, want)
		}
	}
	for _, running := range []string{
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make","run_in_background":true},"tool_response":{"stdout":""}}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":{"backgroundTaskId":"b1"}}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":"make","tool_response":{}}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":"ok"}`,
	} {
		if use, ended := useOf(eventOf(t, running), now); ended {
			t.Errorf("%s: it ended as %+v", running, use)
		}
	}
}

func TestIsTyped(t *testing.T) {
	for input, want := range map[string]bool{
		`{"prompt":"fix the test"}`:                            true,
		`{"prompt":"fix the test","source":"user"}`:            true,
		`{"prompt":"fix the test","source":"loop_wakeup"}`:     false,
		`{"prompt":"fix the test","source":"schedule_wakeup"}`: false,
		`{"prompt":"fix the test","source":"poll_event"}`:      false,
		`{"prompt":"fix the test","source":"something newer"}`: false,
		`{"prompt":" \n"}`:                                     false,
		`{}`:                                                   false,
		`{"prompt":"/review the diff"}`:                        false,
		`{"prompt":" /compact"}`:                               false,
		`{"prompt":"/mcp:server:prompt x"}`:                    false,
		`{"prompt":"/home/dev/x.go is broken"}`:                true,
		`{"prompt":"/ is not a good place"}`:                   true,
	} {
		if got := isTyped(eventOf(t, input)); got != want {
			t.Errorf("%s: %t", input, got)
		}
	}
}

func TestIsSession(t *testing.T) {
	for id, want := range map[string]bool{
		"88682d2e-9656-4593-b4c5-54ffe4449267": true, "s_1": true, "": false, "../x": false, "a b": false, "ü": false, "a\x00": false,
	} {
		if isSession(id) != want {
			t.Errorf("%q: %t", id, !want)
		}
	}
}

func TestWithoutNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"drain_test.go:41: got 2,\n want 13": "drain_test.go:#: got #, want #",
		"--- FAIL: TestX (0.00s)":            "--- FAIL: TestX (#.#s)",
		"":                                   "",
	} {
		if got := withoutNumbers(text); got != want {
			t.Errorf("%q is %q", text, got)
		}
	}
}
