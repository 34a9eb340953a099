package hook_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"tidepool/internal/hook"
	"tidepool/internal/policy"
	"tidepool/protocol"
)

// A policy is written for Claude Code's tools, and decides about those of other clients, each file of a patch included.
func TestPoliciesDecideForOtherClients(t *testing.T) {
	record := hook.NewRecord()
	h := hook.New(hook.Options{Record: record, Parts: []hook.Part{deciding(t, discard, false,
		policy.Rule{Tool: "Edit", Pattern: `/secret\.go$`, Decision: "deny", Reason: "not that file"},
		policy.Rule{Tool: "Bash", Pattern: `^git push`, Decision: "ask", Reason: "it pushes"},
	)}})
	tests := []struct{ runtime, input, want string }{
		{"codex", `{"hook_event_name":"PreToolUse","tool_name":"apply_patch","cwd":"/p","tool_input":{"command":"*** Begin Patch\n*** Add File: a\n+x\n*** Update File: secret.go\n@@\n-a\n+b\n*** End Patch\n"}}`,
			`"permissionDecision":"deny"`},
		{"codex", `{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/p","tool_input":{"command":"git push"}}`, `cannot ask`},
		{"codex", `{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/p","tool_input":{"command":"ls"}}`, ``},
		{"gemini", `{"hook_event_name":"BeforeTool","tool_name":"replace","cwd":"/p","tool_input":{"file_path":"secret.go"}}`, `{"decision":"deny"`},
		{"gemini", `{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","cwd":"/p","tool_input":{"command":"git push"}}`, `{"decision":"ask"`},
		{"cursor", `{"hook_event_name":"preToolUse","tool_name":"StrReplace","workspace_roots":["/p"],"tool_input":{"path":"secret.go"}}`, `"permission":"deny"`},
		{"cursor", `{"hook_event_name":"preToolUse","tool_name":"Shell","workspace_roots":["/p"],"tool_input":{"command":"ls"}}`, ``},
	}
	for _, test := range tests {
		response := h.Hook(context.Background(), &protocol.HookEvent{Input: json.RawMessage(test.input), Runtime: test.runtime})
		if got := string(response.Output); response.ExitCode != 0 || !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: %s is answered\n%s, want %s", test.runtime, test.input, got, test.want)
		}
	}
	if n := len(record.Outcomes()); n != len(tests)+1 {
		t.Errorf("%d outcomes: a patch of two files is two events", n)
	}
}

// An event of a client whose success is not known is kept out of what is remembered.
func TestUnsureEventsAreNotRemembered(t *testing.T) {
	var kept []bool
	h := hook.New(hook.Options{Parts: []hook.Part{{Name: "recall", Conduct: hook.Inline, Contributor: keeper(func(e *hook.Event) { kept = append(kept, !e.NoRecall) })}}})
	for _, input := range []string{
		`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"go test"},"tool_response":"ok"}`,
		`{"hook_event_name":"UserPromptSubmit","prompt":"p"}`,
	} {
		h.Hook(context.Background(), &protocol.HookEvent{Input: json.RawMessage(input), Runtime: "codex"})
	}
	if len(kept) != 2 || kept[0] || !kept[1] {
		t.Errorf("kept %v", kept)
	}
}

// A keeper is a contributor that says nothing.
type keeper func(*hook.Event)

func (keeper) Events() []protocol.Event { return nil }

func (k keeper) Hook(_ context.Context, e *hook.Event) hook.Answer {
	k(e)
	return hook.Answer{}
}
