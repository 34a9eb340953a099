package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/config"
	"tidepool/internal/daemontest"
)

// bash is a tool call that the rules of these tests decide about.
const bash = `{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "make"}}`

const rulesOfTest = `{"policy": [
	{"decision": "allow", "tool": "Read"},
	{"decision": "deny", "tool": "Bash", "pattern": "\\bgit  push\\b", "reason": "Pushing is for people: ask for it."},
	{"decision": "ask", "tool": "Edit|Write", "field": "edits.new_string", "pattern": "secret"},
	{"decision": "ask", "field": "*", "pattern": "\u001b|hunter2"}
]}`

// tryPolicy runs policy test on an event.
func tryPolicy(t *testing.T, dir, event string, args ...string) result {
	t.Helper()
	file := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(file, []byte(event), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out, errs strings.Builder
	cmd := program(t, dir, nil, append([]string{"policy", "test"}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &errs
	_ = cmd.Run()
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// A tested is what policy test --json prints.
type tested struct {
	Decision, Field string
	Rule, Rules     int
	Output          json.RawMessage
}

func TestPolicyTest(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, rulesOfTest)
	const edit = `{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"edits":[{"new_string":"a"},{"new_string":"my secret"}]}}`
	for event, want := range map[string]string{
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git  push"}}`: `event         PreToolUse of Bash
rule          2 of 4: deny
matched       tool_input.command
reason        Pushing is for people: ask for it.
answer        {"continue":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Pushing is for people: ask for it."}}
`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}`: `event         PreToolUse of Bash
rule          none of 4 decides
answer        none: Claude Code goes on as its own permissions say
`,
		`{"hook_event_name":"Stop"}`: `event         Stop
rule          none: the policy decides about PreToolUse only
answer        none: Claude Code goes on as its own permissions say
`,
		`{"hook_event_name":"PreToolUse"}`: `event         PreToolUse
rule          none: the event has no tool_name: closed mode refuses it
answer        none: Claude Code goes on as its own permissions say
`,
	} {
		r := tryPolicy(t, dir, event)
		if diff := cmp.Diff(want, r.out); diff != "" || r.code != 0 || r.err != "" {
			t.Errorf("%s: %d, %s (-want +got)\n%s", event, r.code, r.err, diff)
		}
	}
	r := tryPolicy(t, dir, edit, "--json")
	var got tested
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Rule != 3 || got.Decision != "ask" || got.Field != "edits.1.new_string" || got.Rules != 4 || !strings.Contains(string(got.Output), `"permissionDecision":"ask"`) {
		t.Errorf("got %s", r.out)
	}
}

func TestPolicyTestOfTheRest(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, `{"pre_tool_use": "allow"}`)
	tryPolicy(t, dir, bash).want(t, 0, "none of 0 decides; pre_tool_use does: allow\n", "")
	runProgram(t, dir, nil, "policy", "list").want(t, 0, "no rules      every tool call is allowed (pre_tool_use is allow)\n", "")
}

func TestPolicyTestOfNoEvent(t *testing.T) {
	dir := daemontest.Project(t)
	for event, want := range map[string]string{
		"":                     "error: this is no hook event: decoding hook input",
		"[]":                   "error: this is no hook event: decoding hook input",
		`{"tool_name":"Bash"}`: "error: this is no hook event: it has no hook_event_name\nhint: give it on stdin",
	} {
		tryPolicy(t, dir, event).want(t, 1, "", want)
	}
}

// What the daemon answers and what the test of the policy says are the same.
func TestPolicyTestIsRight(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, rulesOfTest)
	d := startDaemon(t, dir, nil)
	for _, tool := range []string{"Read", "Bash", "Edit"} {
		event := `{"hook_event_name":"PreToolUse","tool_name":"` + tool + `","tool_input":{"command":"git  push","x":"hunter2"}}`
		var got tested
		if err := json.Unmarshal([]byte(tryPolicy(t, dir, event, "--json").out), &got); err != nil {
			t.Fatal(err)
		}
		if answer := d.hook(t, event); answer != string(got.Output) || got.Rule == 0 {
			t.Errorf("%s: the daemon says %s, the test %+v", tool, answer, got)
		}
	}
}

func TestPolicyList(t *testing.T) {
	dir := daemontest.Project(t)
	runProgram(t, dir, nil, "policy", "list").want(t, 0, "no rules      every tool call is left to Claude Code's own permissions", "")
	daemontest.WriteConfig(t, dir, rulesOfTest)
	r := runProgram(t, dir, nil, "policy", "list")
	want := `1 allow       Read
2 deny        Bash, if its command, path or address matches \bgit  push\b
              Pushing is for people: ask for it.
3 ask         Edit|Write, if edits.new_string matches secret
4 ask         every tool, if any text of its input matches \x1b|hunter2
else          what no rule decides is left to Claude Code's own permissions
              (pre_tool_use is pass)
from          `
	if !strings.HasPrefix(r.out, want) || r.code != 0 {
		t.Errorf("%d, %s (-want +got)\n%s", r.code, r.err, cmp.Diff(want, r.out))
	}
	var listed struct {
		PreToolUse string `json:"pre_tool_use"`
		Source     string
		Rules      []config.Rule `json:"policy"`
	}
	if err := json.Unmarshal([]byte(runProgram(t, dir, nil, "policy", "list", "--json").out), &listed); err != nil {
		t.Fatal(err)
	}
	if listed.PreToolUse != "pass" || len(listed.Rules) != 4 || listed.Source != dir+"/.tidepool/config.json:1" {
		t.Errorf("got %+v", listed)
	}
}

// A rule that cannot be used is told with its line and why, before anything is decided by half of the rules.
func TestPolicyWithABadPattern(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, "{\"policy\": [\n{\"decision\": \"allow\"},\n{\"decision\": \"deny\", \"pattern\": \"(x\"}]}")
	want := `config.json:3: policy[1].pattern: expected a regular expression, got "(x": missing closing ): ` + "`(x`" + "\nhint: patterns are Go regular expressions"
	runProgram(t, dir, nil, "policy", "list").want(t, 1, "", want)
	tryPolicy(t, dir, bash).want(t, 1, "", want)
	runProgram(t, dir, nil, "serve").want(t, 1, "", want)
}

// What a clone brings may forbid, not allow; who asks is told.
func TestPolicyOfAClone(t *testing.T) {
	dir := daemontest.Project(t)
	daemontest.WriteConfig(t, dir, `{"policy": [{"decision": "allow"}, {"decision": "deny", "tool": "Bash"}]}`)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", ".tidepool/config.json"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	runProgram(t, dir, nil, "policy", "list").want(t, 0, "1 deny        Bash\n", "warning: "+dir+"/.tidepool/config.json:1: policy is refused")
	tryPolicy(t, dir, bash).want(t, 0, "1 of 1: deny\n", "policy is refused")
	if f := examined(t, dir, nil)["settings"]; f.OK || !strings.Contains(f.Text, "policy is refused") || !strings.Contains(f.Fix, "version control") {
		t.Errorf("the doctor says %+v", f)
	}
}
