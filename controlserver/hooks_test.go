package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// hook sends one event and returns what its process would print.
func (r running) hook(t *testing.T, input string) string {
	t.Helper()
	response := daemontest.As[*protocol.HookResponse](t, r.Ask(t, &protocol.HookEvent{Input: json.RawMessage(input)}))
	if response.ExitCode != 0 {
		t.Errorf("exit code %d for %s", response.ExitCode, input)
	}
	return string(response.Output)
}

func TestHooks(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, `{"policy": [{"decision": "deny", "tool": "Bash", "pattern": "push.*--force", "reason": "not by a machine"}]}`)
	d := startDaemon(t, dir, nil)
	const event = `{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": %q}}`

	if got := d.hook(t, fmt.Sprintf(event, "git push --force # hunter2")); !strings.Contains(got, `"permissionDecision":"deny"`) || !strings.Contains(got, "not by a machine") {
		t.Errorf("a forbidden command gives %s", got)
	}
	if got := d.hook(t, fmt.Sprintf(event, "git status")); got != `{"continue":true}` {
		t.Errorf("any other command gives %s", got)
	}
	if got := d.hook(t, `{"hook_event_name": "UserPromptSubmit", "prompt": "hunter2"}`); got != `{"continue":true}` {
		t.Errorf("a prompt gives %s", got)
	}
	if hooks := d.Status(t).Hooks; hooks["PreToolUse"] != 2 || hooks["UserPromptSubmit"] != 1 {
		t.Errorf("hooks served: %v", hooks)
	}
	runProgram(t, dir, nil, "status").want(t, 0, "PreToolUse 2, UserPromptSubmit 1\n", "")

	log, err := os.ReadFile(filepath.Join(dir, ".tidepool", "logs", "controlserver.log"))
	if err != nil || !strings.Contains(string(log), `"decision":"deny"`) {
		t.Errorf("the log does not say what was denied: %v\n%s", err, log)
	}
	if strings.Contains(string(log), "hunter2") {
		t.Errorf("a command or a prompt is in the log:\n%s", log)
	}
}

func TestPreToolUseAllow(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, `{"pre_tool_use": "allow"}`)
	d := startDaemon(t, dir, nil)
	if got := d.hook(t, `{"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {}}`); !strings.Contains(got, `"permissionDecision":"allow"`) {
		t.Errorf("PreToolUse gives %s", got)
	}
}

func TestHangupReloads(t *testing.T) {
	denyAll := func(reason string) string {
		return `{"policy": [{"decision": "deny", "tool": "Bash", "reason": "` + reason + `"}]}`
	}
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, denyAll("the first"))
	d := startDaemon(t, dir, nil)
	daemontest.WriteConfig(t, dir, `{"policy": [{"decision": "deny", "pattern": "("}]}`)
	d.Signal(t, syscall.SIGHUP)
	daemontest.Eventually(t, "the fault is told", func() bool { return d.Status(t).Settings.Ignored != nil })
	if got := d.hook(t, bash); !strings.Contains(got, "the first") {
		t.Errorf("after a fault: %s", got)
	}
	daemontest.WriteConfig(t, dir, denyAll("the repaired"))
	d.Signal(t, syscall.SIGHUP)
	daemontest.Eventually(t, "the repaired policy", func() bool { return d.Status(t).Settings.Ignored == nil })
	if got := d.hook(t, bash); !strings.Contains(got, "the repaired") {
		t.Errorf("after the repair: %s", got)
	}
	log, err := os.ReadFile(filepath.Join(dir, ".tidepool", "logs", "controlserver.log"))
	if err != nil || strings.Count(string(log), "settings are not taken") != 1 || strings.Count(string(log), "settings taken") != 1 {
		t.Errorf("the log says (%v)\n%s", err, log)
	}
}
