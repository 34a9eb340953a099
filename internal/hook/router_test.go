package hook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/changes"
	"tidepool/internal/hook"
	"tidepool/internal/policy"
	"tidepool/protocol"
)

// recorded reads an input that the real client has sent.
func recorded(t testing.TB, name string) json.RawMessage {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "protocol", "testdata", "hooks", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// deciding is a policy as a router asks it.
func deciding(t testing.TB, log *slog.Logger, allowRest bool, rules ...policy.Rule) hook.Part {
	t.Helper()
	p, err := policy.New(rules, allowRest)
	if err != nil {
		t.Fatal(err)
	}
	return hook.Part{Name: "policy", Contributor: policy.NewEngine(p, log), Conduct: hook.Deciding}
}

var discard = slog.New(slog.DiscardHandler)

// ask returns the output for an input.
func ask(t testing.TB, h *hook.Router, input json.RawMessage) string {
	t.Helper()
	response := h.Hook(context.Background(), &protocol.HookEvent{Input: input})
	if response.ExitCode != 0 {
		t.Errorf("exit code %d", response.ExitCode)
	}
	return string(response.Output)
}

const passes = `{"continue":true}`

func TestEverythingPasses(t *testing.T) {
	record := hook.NewRecord()
	h := hook.New(hook.Options{Record: record})
	files, err := filepath.Glob(filepath.Join("..", "..", "protocol", "testdata", "hooks", "*.json"))
	if err != nil || len(files) < 50 {
		t.Fatalf("%d recorded inputs, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if got := ask(t, h, recorded(t, name)); got != passes {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, event := range append(protocol.Events(), "SomethingNew") {
		input := `{"session_id":"s","hook_event_name":"` + string(event) + `","tool_name":"Bash","tool_input":{"command":"ls"}}`
		if got := ask(t, h, json.RawMessage(input)); got != passes {
			t.Errorf("%s: %s", event, got)
		}
	}
	counts := record.Counts()
	for _, event := range protocol.Events() {
		if counts[string(event)] == 0 {
			t.Errorf("no %s was counted", event)
		}
		delete(counts, string(event))
	}
	if !maps.Equal(counts, map[string]int64{hook.Other: 1}) {
		t.Errorf("also counted: %v", counts)
	}
}

func TestMalformedInputPasses(t *testing.T) {
	inputs := []string{
		``, ` `, `null`, `[]`, `"PreToolUse"`, `7`, `{`, `{"hook_event_name":`, `{}`, `{"hook_event_name":null}`, `{"hook_event_name":7}`,
		`{"hook_event_name":"PreToolUse"}`,
		`{"hook_event_name":"PreToolUse","tool_name":7,"tool_input":{"command":"rm"}}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":"no object"}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":["no","text"]}}`,
		`{"hook_event_name":"FileChanged"}`,
	}
	deny := policy.Rule{Decision: "deny", Pattern: "rm"}
	for _, input := range inputs {
		var log bytes.Buffer
		files := new(noted)
		logger := slog.New(slog.NewTextHandler(&log, nil))
		h := hook.New(hook.Options{Log: logger, Parts: []hook.Part{
			deciding(t, logger, true, deny),
			{Name: "changes", Contributor: changes.Contributor{Files: files}, Conduct: hook.Inline},
		}})
		if got := ask(t, h, json.RawMessage(input)); got != passes {
			t.Errorf("%q: %s", input, got)
		}
		if files.paths != nil {
			t.Errorf("%q changed %v", input, files.paths)
		}
		isToolDone := strings.Contains(input, "PostToolUse") || strings.Contains(input, "FileChanged")
		if !isToolDone && !strings.Contains(log.String(), "passes") {
			t.Errorf("%q: the log has no reason: %s", input, log.String())
		}
	}
}

func TestAllow(t *testing.T) {
	h := hook.New(hook.Options{Parts: []hook.Part{
		deciding(t, discard, true, policy.Rule{Decision: "deny", Tool: "Bash", Pattern: `\bpwd\b`, Reason: "You know where you are."}),
	}})
	tests := map[string]string{
		"PreToolUse.Edit":   `{"continue":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"Allowed by Tidepool"}}`,
		"PreToolUse.Bash":   `{"continue":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"You know where you are."}}`,
		"PermissionRequest": passes,
		"PostToolUse.Bash":  passes,
	}
	for name, want := range tests {
		if got := ask(t, h, recorded(t, name)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

// noted are Files that remember.
type noted struct{ paths []string }

func (n *noted) FilesChanged(paths ...string) { n.paths = append(n.paths, paths...) }

// What users and models write stays out of the log at every level that is on by default.
func TestLogHasNoContents(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	h := hook.New(hook.Options{Log: logger, Parts: []hook.Part{
		deciding(t, logger, false, policy.Rule{Decision: "ask", Tool: "Bash"}, policy.Rule{Decision: "deny", Tool: "Write"}),
	}})
	secret := "hunter2"
	for _, event := range protocol.Events() {
		for _, tool := range []string{"Bash", "Write", "Edit"} {
			input, err := json.Marshal(map[string]any{
				"hook_event_name": event, "tool_name": tool, "session_id": "s1", "prompt": secret, "message": secret,
				"tool_input": map[string]string{"command": secret, "content": secret}, "tool_response": secret, "last_assistant_message": secret,
			})
			if err != nil {
				t.Fatal(err)
			}
			ask(t, h, input)
		}
	}
	ask(t, h, json.RawMessage(`"`+secret+`"`))
	ask(t, h, json.RawMessage(`{"prompt":"`+secret+`"`))
	if strings.Contains(log.String(), secret) {
		t.Errorf("the log has contents:\n%s", log.String())
	}
	for _, want := range []string{"decision=ask rule=1 tool=Bash session=s1", "decision=deny rule=2", "event=Stop session=s1"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not have %q", want)
		}
	}
}

func TestCountsStartEmpty(t *testing.T) {
	record := hook.NewRecord()
	h := hook.New(hook.Options{Record: record})
	if got := record.Counts(); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	ask(t, h, recorded(t, "Stop.active"))
	ask(t, h, recorded(t, "Stop"))
	if got := slices.Collect(maps.Values(record.Counts())); !slices.Equal(got, []int64{2}) {
		t.Errorf("got %v", got)
	}
}

// BenchmarkHook is one recorded PreToolUse, of 590 bytes, that passes three rules.
func BenchmarkHook(b *testing.B) {
	h := hook.New(hook.Options{Parts: []hook.Part{deciding(b, discard, false,
		policy.Rule{Decision: "deny", Tool: "Bash", Pattern: `rm -rf /`},
		policy.Rule{Decision: "ask", Tool: "Edit|Write", Field: "file_path", Pattern: `\.env$`},
		policy.Rule{Decision: "allow", Tool: "mcp__.*"},
	)}})
	event := &protocol.HookEvent{Input: recorded(b, "PreToolUse.Bash")}
	b.ReportAllocs()
	for b.Loop() {
		h.Hook(context.Background(), event)
	}
}

// The client knows which event it is, whatever the input says of it or does not.
func TestClientSaysWhichEvent(t *testing.T) {
	h := hook.New(hook.Options{Parts: []hook.Part{deciding(t, discard, false, policy.Rule{Decision: "deny", Tool: "Bash", Pattern: "rm"})}})
	for _, input := range []string{
		`{"tool_name":"Bash","tool_input":{"command":"rm x"}}`,
		`{"hook_event_name":"Stop","tool_name":"Bash","tool_input":{"command":"rm x"}}`,
		`{"hook_event_name":7,"tool_name":"Bash","tool_input":{"command":"rm x"}}`,
	} {
		if got := ask(t, h, json.RawMessage(input)); got != passes {
			t.Errorf("%s, alone: %s", input, got)
		}
		event := &protocol.HookEvent{Input: json.RawMessage(input), Event: protocol.PreToolUse}
		if got := h.Hook(t.Context(), event); !strings.Contains(string(got.Output), `"permissionDecision":"deny"`) {
			t.Errorf("%s, as PreToolUse: %s", input, got.Output)
		}
	}
}
