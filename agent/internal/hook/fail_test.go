package hook_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidepool/agent/internal/hook"
	"tidepool/agent/internal/peertest"
	"tidepool/protocol"
)

// records returns what the project keeps of failed hooks.
func records(t *testing.T, dir string) (list []map[string]any) {
	t.Helper()
	path := filepath.Join(dir, protocol.StateDir, protocol.FailuresName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		list = append(list, record)
	}
	return list
}

func TestOpenModeLetsPassVisibly(t *testing.T) {
	dir := peertest.Project(t)
	got := run(t, dir, "PreToolUse", sample(t, "PreToolUse.Bash.json"))
	if got.status != 0 || got.stdout != "" {
		t.Errorf("got %+v", got)
	}
	if strings.Count(got.stderr, "\n") != 1 || !strings.HasPrefix(got.stderr, "tidepool: PreToolUse passed unchecked: no daemon answers for "+dir) ||
		!strings.Contains(got.stderr, "run `controlserver serve` in "+dir) {
		t.Errorf("stderr: %s", got.stderr)
	}
	list := records(t, dir)
	if len(list) != 1 {
		t.Fatalf("%d records", len(list))
	}
	if _, err := time.Parse(time.RFC3339, list[0]["time"].(string)); err != nil {
		t.Error(err)
	}
	if list[0]["event"] != "PreToolUse" || list[0]["session_id"] == "" || !strings.Contains(list[0]["reason"].(string), "no such file") {
		t.Errorf("record: %v", list[0])
	}
	info, err := os.Stat(filepath.Join(dir, protocol.StateDir, protocol.FailuresName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Whatever is wrong with the daemon's side is a failure of the same kind.
func TestDaemonsThatAnswerWrong(t *testing.T) {
	for _, test := range []struct{ name, reply, stderr, recorded string }{
		{"refusal", `{"type":"ErrorResponse","error":{"code":-32600,"message":"no: SECRET"}}`, "no: SECRET", "error -32600"},
		{"refusal without reason", `{"type":"ErrorResponse"}`, "without a reason", "without a reason"},
		{"another message", `{"type":"Pong"}`, "answered the hook with", "answered the hook with"},
		{"no JSON", `hello`, "reply cannot be read", "reply cannot be read"},
		{"half a reply", `{"type":"HookResponse","output":{`, "reply cannot be read", "reply cannot be read"},
		{"unknown message", `{"type":"Later"}`, "reply cannot be read", "reply cannot be read"},
		{"output of the wrong type", `{"type":"HookResponse","output":"x","exit_code":0}`, "is no JSON object", "is no JSON object"},
		{"impossible status", `{"type":"HookResponse","output":{},"exit_code":256}`, "exit status 256", "exit status 256"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := peertest.Project(t)
			answer(t, dir, test.reply)
			got := run(t, dir, "PreToolUse", sample(t, "PreToolUse.json"))
			if got.status != 0 || got.stdout != "" || !strings.Contains(got.stderr, test.stderr) {
				t.Errorf("got %+v", got)
			}
			reason := records(t, dir)[0]["reason"].(string)
			if !strings.Contains(reason, test.recorded) || strings.Contains(reason, "SECRET") {
				t.Errorf("recorded %q", reason)
			}
		})
	}
}

func TestDaemonThatHangsUp(t *testing.T) {
	dir := peertest.Project(t)
	peertest.Start(t, dir, func(c *peertest.Conn, _ protocol.Request) { c.Close() })
	got := run(t, dir, "PreToolUse", `{"tool_name":"Bash"}`)
	if got.status != 0 || got.stdout != "" || !strings.Contains(got.stderr, "closed the connection before it answered") {
		t.Errorf("got %+v", got)
	}
}

func TestUnusableInput(t *testing.T) {
	for _, test := range []struct{ name, input, reason string }{
		{"empty", "", "input is empty"},
		{"blank", " \n", "is no JSON object"},
		{"cut", `{"session_id":"s","tool_input":{"command":"SECRET`, "is no JSON object: the input ends"},
		{"cut after a brace", `{"session_id":"s","tool_input":{"command":"SECRET"}`, "is no JSON object: the input ends"},
		{"braces", `{SECRET}`, "is no JSON object"},
		{"array", `["SECRET"]`, "is no JSON object"},
		{"text", `"SECRET"`, "is no JSON object"},
		{"two objects", `{} {"SECRET":1}`, "is no JSON object"},
		{"two objects without a space", `{"a":1}{"SECRET":1}`, "is no JSON object"},
		{"a member of the line", `{},"x":{"SECRET":1}`, "is no JSON object"},
		{"no tool", `{"hook_event_name":"PreToolUse","tool_input":{"command":"SECRET"}}`, "does not say which tool is called"},
		{"no name of a tool", `{"hook_event_name":"PreToolUse","tool_name":["SECRET"]}`, "does not say which tool is called"},
		{"no tool, and another event", `{"hook_event_name":"Stop","SECRET":1}`, "does not say which tool is called"},
		{"too large", `{"a":"` + strings.Repeat("S", 16<<20) + `"}`, "is larger than"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := peertest.Project(t)
			// Lines that are no JSON do not reach the handler, as in the daemon.
			answer(t, dir, `{"type":"HookResponse","output":{"systemMessage":"reached"},"exit_code":2}`)
			got := run(t, dir, "PreToolUse", test.input)
			if got.status != 0 || got.stdout != "" || !strings.Contains(got.stderr, test.reason) || strings.Contains(got.stderr, "SECRET") {
				t.Errorf("open: %+v", got)
			}
			record := records(t, dir)[0]
			if reason := record["reason"].(string); !strings.Contains(reason, test.reason) || strings.Contains(reason, "SECRET") {
				t.Errorf("recorded %q", reason)
			}
			got = run(t, dir, "PreToolUse", test.input, "TIDEPOOL_FAIL_MODE=closed")
			if got.status != 0 || !strings.Contains(got.stdout, `"permissionDecision":"deny"`) {
				t.Errorf("closed: %+v", got)
			}
		})
	}
}

// Claude Code's schema has a place for a refusal on these events; on the
// others only exit status 2 can be one.
func TestClosedModeRefuses(t *testing.T) {
	refusals := map[protocol.Event]string{
		"PreToolUse":          `"permissionDecision":"deny"`,
		"PermissionRequest":   `"decision":{"behavior":"deny"`,
		"PreModelSwitch":      `"permissionDecision":"deny"`,
		"Elicitation":         `"action":"decline"`,
		"ElicitationResult":   `"action":"decline"`,
		"UserPromptSubmit":    `"decision":"block"`,
		"UserPromptExpansion": `"decision":"block"`,
		"PostToolUse":         `"decision":"block"`,
		"PostToolBatch":       `"decision":"block"`,
		"PreCompact":          `"decision":"block"`,
		"ConfigChange":        `"decision":"block"`,
		"TaskCreated":         `"decision":"block"`,
		"TaskCompleted":       `"decision":"block"`,
		"Stop":                `"decision":"block"`,
		"SubagentStop":        `"decision":"block"`,
	}
	dir := peertest.Project(t)
	for _, event := range append(protocol.Events(), "BrandNew") {
		got := run(t, dir, event, `{"hook_event_name":"SomethingElse","tool_name":"Bash"}`, "TIDEPOOL_FAIL_MODE=closed")
		if want, ok := refusals[event]; ok {
			if got.status != 0 || !strings.Contains(got.stdout, want) || strings.Count(got.stdout, "\n") != 1 || !json.Valid([]byte(got.stdout)) {
				t.Errorf("%s: %+v", event, got)
			}
		} else if got.status != 2 || got.stdout != "" {
			t.Errorf("%s: %+v", event, got)
		}
		if !strings.Contains(got.stderr, string(event)+" refused") || !strings.Contains(got.stderr, "controlserver serve") {
			t.Errorf("%s: stderr %s", event, got.stderr)
		}
	}
	if list := records(t, dir); len(list) != 34 || list[0]["closed"] != true {
		t.Errorf("%d records, %v", len(list), list[0])
	}
}

// A turn that a Stop hook keeps going already must be able to end.
func TestClosedModeEndsATurn(t *testing.T) {
	dir := peertest.Project(t)
	got := run(t, dir, "Stop", sample(t, "Stop.active.json"), "TIDEPOOL_FAIL_MODE=closed")
	if got.status != 0 || got.stdout != "" || got.stderr == "" {
		t.Errorf("got %+v", got)
	}
}

func TestClosedModeForGemini(t *testing.T) {
	h := hook.Hook{Event: "PreToolUse", Runtime: "gemini", Start: time.Now(), Dir: peertest.Project(t), Stdin: stdin(t, `{}`)}
	got := runHook(h, "TIDEPOOL_FAIL_MODE=closed")
	if got.status != 2 || got.stdout != "" || got.stderr == "" {
		t.Errorf("got %+v", got)
	}
}

func TestFailMode(t *testing.T) {
	for _, test := range []struct {
		env    []string
		closed bool
		said   string
	}{
		{nil, false, ""},
		{[]string{"TIDEPOOL_FAIL_MODE=open"}, false, ""},
		{[]string{"TIDEPOOL_FAIL_MODE=closed"}, true, ""},
		{[]string{"MANTLE_FAIL_MODE=closed"}, true, ""},
		{[]string{"TIDEPOOL_FAIL_MODE=open", "MANTLE_FAIL_MODE=closed"}, false, ""},
		{[]string{"TIDEPOOL_FAIL_MODE=CLOSED"}, false, `TIDEPOOL_FAIL_MODE="CLOSED" is neither open nor closed: using open`},
	} {
		got := run(t, peertest.Project(t), "PreToolUse", `{}`, test.env...)
		if (got.stdout != "") != test.closed || !strings.Contains(got.stderr, test.said) {
			t.Errorf("%v: %+v", test.env, got)
		}
	}
}

func TestRecordsAreBounded(t *testing.T) {
	dir := peertest.Project(t)
	path := filepath.Join(dir, protocol.StateDir, protocol.FailuresName)
	if err := os.WriteFile(path, slices.Repeat([]byte("{}\n"), 100_000), 0o600); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 5000)
	run(t, dir, "Stop", `{"session_id":"`+long+`","hook_event_name":"`+long+`"}`)
	if list := records(t, dir); len(list) != 1 {
		t.Errorf("%d records", len(list))
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 1000 {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
	if _, err := os.Stat(path + ".1"); err != nil {
		t.Error(err)
	}
}

// A checkout may bring a state directory, with a link to anywhere in it.
func TestRecordsFollowNoLink(t *testing.T) {
	dir := peertest.Project(t)
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(dir, protocol.StateDir, protocol.FailuresName)); err != nil {
		t.Fatal(err)
	}
	got := run(t, dir, "Stop", `{}`)
	if got.status != 0 || !strings.Contains(got.stderr, "cannot record the failure") {
		t.Errorf("got %+v", got)
	}
	if info, err := os.Stat(victim); err != nil || info.Size() != 0 {
		t.Errorf("%d bytes were written through the link, %v", info.Size(), err)
	}
}

func TestNamedSocketWithoutAProject(t *testing.T) {
	dir := t.TempDir()
	got := run(t, dir, "Stop", `{}`, "TIDEPOOL_CONTROL_SOCKET="+filepath.Join(dir, "none.sock"))
	if got.status != 0 || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("got %+v", got)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left %v behind", entries)
	}
}
