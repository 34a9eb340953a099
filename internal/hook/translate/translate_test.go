package translate

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"tidepool/protocol"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Each event in testdata/CLIENT.txtar is translated as testdata/CLIENT.golden says.
func TestInputs(t *testing.T) {
	for _, runtime := range []string{"codex", "gemini", "cursor"} {
		archive, err := txtar.ParseFile("testdata/" + runtime + ".txtar")
		if err != nil || len(archive.Files) < 8 {
			t.Fatal(err, archive)
		}
		var got txtar.Archive
		for _, f := range archive.Files {
			var text strings.Builder
			for _, in := range For(runtime).Inputs("", f.Data) {
				text.WriteString(describe(t, in))
			}
			got.Files = append(got.Files, txtar.File{Name: f.Name, Data: []byte(text.String())})
		}
		golden := "testdata/" + runtime + ".golden"
		if *update {
			if err := os.WriteFile(golden, txtar.Format(&got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(txtar.Format(&got))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", runtime, diff)
		}
	}
}

// describe returns an input as the daemon reads it.
func describe(t *testing.T, in Input) string {
	t.Helper()
	h, err := protocol.DecodeHookInput(in.Raw)
	if err != nil || h.Event != in.Event || h.SessionID == "" || h.Cwd != "/home/dev/demo" || h.TranscriptPath != "" {
		t.Errorf("%v: %+v", err, h)
	}
	unsure := ""
	if in.Unsure {
		unsure = " unsure"
	}
	return string(in.Event) + unsure + " " + string(in.Raw) + "\n"
}

// told returns the tools and arguments of an event's inputs.
func told(t *testing.T, runtime string, event map[string]any) (all []string) {
	t.Helper()
	event["session_id"], event["cwd"] = "s", "/p"
	input, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range For(runtime).Inputs("", input) {
		h, err := protocol.DecodeHookInput(in.Raw)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h.ToolName+" "+string(h.ToolInput))
	}
	return all
}

// Rules about commands and files hold however a client spells the arguments.
func TestLists(t *testing.T) {
	before := func(event, tool string, arguments any) map[string]any {
		return map[string]any{"hook_event_name": event, "tool_name": tool, "tool_input": arguments}
	}
	for _, tt := range []struct {
		runtime string
		event   map[string]any
		want    []string
	}{
		{"codex", before("PreToolUse", "Bash", map[string]any{"command": []string{"bash", "-lc", "git push"}}), []string{`Bash {"command":"bash -lc git push"}`}},
		{
			"codex", before("PreToolUse", "apply_patch", map[string]any{"command": []string{"apply_patch", "*** Begin Patch\n*** Delete File: a.go\n*** End Patch\n"}}),
			[]string{`Edit {"file_path":"/p/a.go","new_string":"","old_string":""}`},
		},
		{
			"gemini", before("BeforeTool", "read_many_files", map[string]any{"include": []string{".env", "/etc/**"}, "paths": []string{"b"}}),
			[]string{`Read {"file_path":"/p/.env"}`, `Read {"file_path":"/etc/**"}`, `Read {"file_path":"/p/b"}`},
		},
		{"gemini", before("BeforeTool", "read_many_files", map[string]any{"include": 1}), []string{`read_many_files {"include":1}`}},
	} {
		if got := told(t, tt.runtime, tt.event); !slices.Equal(got, tt.want) {
			t.Errorf("%s %v: %q, want %q", tt.runtime, tt.event, got, tt.want)
		}
	}
	event := before("AfterTool", "read_many_files", map[string]any{"include": []string{"a", "b"}})
	event["session_id"], event["cwd"], event["tool_response"] = "s", "/p", map[string]any{"llmContent": []string{"--- a ---", "x"}}
	input, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	in := For("gemini").Inputs("", input)
	if h, err := protocol.DecodeHookInput(in[0].Raw); err != nil || len(in) != 1 || h.ToolName != "Read" || !strings.Contains(string(h.ToolResponse), `"--- a ---\nx"`) {
		t.Errorf("%v, %d inputs: %s", err, len(in), in[0].Raw)
	}
}

// A patch is an event for each file in it, with absolute paths.
func TestPatch(t *testing.T) {
	const patch = "*** Begin Patch\r\n*** Add File: new.go\r\n+package a\r\n+\r\n*** Update File: dir/b.go\n*** Move to: /etc/c.go\n@@ func f\n context\n-old\n+new\n*** Delete File: d.go\n*** End Patch\n"
	input, err := json.Marshal(map[string]any{
		"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": map[string]string{"command": patch},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range For("codex").Inputs("", input) {
		h, err := protocol.DecodeHookInput(in.Raw)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, h.ToolName+" "+string(h.ToolInput))
	}
	want := []string{
		`Write {"content":"package a\n\n","file_path":"/p/new.go"}`,
		`Edit {"file_path":"/p/dir/b.go","new_string":"","old_string":""}`,
		`Edit {"file_path":"/etc/c.go","new_string":"context\nnew\n","old_string":"context\nold\n"}`,
		`Edit {"file_path":"/p/d.go","new_string":"","old_string":""}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What cannot be read passes as it is, and the router says that it cannot be read.
func TestUnreadable(t *testing.T) {
	for _, runtime := range []string{"codex", "gemini", "cursor"} {
		for _, input := range []string{"[]", "null", "{", `{"tool_name":7,"tool_input":"x","tool_response":[1]}`} {
			all := For(runtime).Inputs(protocol.PostToolUse, json.RawMessage(input))
			if len(all) != 1 {
				t.Errorf("%s: %q becomes %v", runtime, input, all)
			}
		}
	}
	if For("claude") != nil || For("") != nil {
		t.Error("Claude Code is translated")
	}
}

// What each client reads of an answer. Codex 0.169.0 was seen to run a command whose hook answered "ask", to take the
// reason of a block in the place of a tool's output, and to drop an output with updatedToolOutput.
func TestOutputs(t *testing.T) {
	ask := &protocol.PreToolUseOutput{Decision: protocol.Ask, Reason: "it pushes.", AdditionalContext: "so it is"}
	deny := &protocol.PreToolUseOutput{Decision: protocol.Deny, Reason: "no"}
	allow := &protocol.PreToolUseOutput{Decision: protocol.Allow, Reason: "yes"}
	block := protocol.Blocking{Block: "tests fail"}
	replaced := &protocol.PostToolUseOutput{UpdatedToolOutput: json.RawMessage(`{"stdout":"[REDACTED]","stderr":""}`), AdditionalContext: "a secret"}
	const unaskedText = ` This needs a person's yes, for which hooks of NAME cannot ask, so it is refused: ask the person to run it, or to change the policy.`
	tests := []struct {
		event                 protocol.Event
		outputs               []protocol.HookOutput
		codex, gemini, cursor string
	}{
		{protocol.PreToolUse, []protocol.HookOutput{nil}, "", "", ""},
		{protocol.PreToolUse, []protocol.HookOutput{allow}, "", "", ""},
		{protocol.PreToolUse, []protocol.HookOutput{allow, deny, ask},
			`{"hookSpecificOutput":{"additionalContext":"so it is","hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`,
			`{"decision":"deny","reason":"no"}`,
			`{"agent_message":"no","permission":"deny","user_message":"no"}`},
		{protocol.PreToolUse, []protocol.HookOutput{ask},
			`{"hookSpecificOutput":{"additionalContext":"so it is","hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"it pushes.` + strings.Replace(unaskedText, "NAME", "Codex", 1) + `"}}`,
			`{"decision":"ask","reason":"it pushes.","systemMessage":"it pushes."}`,
			`{"agent_message":"it pushes.` + strings.Replace(unaskedText, "NAME", "Cursor", 1) + `","permission":"deny","user_message":"it pushes.` + strings.Replace(unaskedText, "NAME", "Cursor", 1) + `"}`},
		{protocol.PreToolUse, []protocol.HookOutput{&protocol.PreToolUseOutput{Common: protocol.Common{Halt: "stop it"}}},
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"stop it"}}`,
			`{"continue":false,"stopReason":"stop it"}`,
			`{"agent_message":"stop it","permission":"deny","user_message":"stop it"}`},
		{protocol.PostToolUse, []protocol.HookOutput{replaced},
			`{"decision":"block","hookSpecificOutput":{"additionalContext":"a secret","hookEventName":"PostToolUse"},"reason":"[REDACTED]"}`,
			`{"decision":"deny","hookSpecificOutput":{"additionalContext":"a secret"},"reason":"[REDACTED]"}`,
			`{"additional_context":"a secret"}`},
		{protocol.PostToolUse, []protocol.HookOutput{&protocol.PostToolUseOutput{AdditionalContext: "one"}, &protocol.PostToolUseOutput{AdditionalContext: "one"}, &protocol.PostToolUseOutput{AdditionalContext: "two"}},
			`{"hookSpecificOutput":{"additionalContext":"one\ntwo","hookEventName":"PostToolUse"}}`,
			`{"hookSpecificOutput":{"additionalContext":"one\ntwo"}}`,
			`{"additional_context":"one\ntwo"}`},
		{protocol.PostToolUse, []protocol.HookOutput{&protocol.PostToolUseOutput{Blocking: block}},
			`{"decision":"block","reason":"tests fail"}`, `{"hookSpecificOutput":{"additionalContext":"tests fail"}}`, ``},
		{protocol.SessionStart, []protocol.HookOutput{&protocol.SessionStartOutput{AdditionalContext: "hello", WatchPaths: []string{"/a"}, SessionTitle: "t"}},
			`{"hookSpecificOutput":{"additionalContext":"hello","hookEventName":"SessionStart"}}`,
			`{"hookSpecificOutput":{"additionalContext":"hello"}}`, `{"additional_context":"hello"}`},
		{protocol.UserPromptSubmit, []protocol.HookOutput{&protocol.UserPromptSubmitOutput{Blocking: block}},
			`{"decision":"block","reason":"tests fail"}`, `{"decision":"deny","reason":"tests fail"}`, `{"continue":false,"user_message":"tests fail"}`},
		{protocol.UserPromptSubmit, []protocol.HookOutput{&protocol.UserPromptSubmitOutput{AdditionalContext: "it is known"}},
			`{"hookSpecificOutput":{"additionalContext":"it is known","hookEventName":"UserPromptSubmit"}}`,
			`{"hookSpecificOutput":{"additionalContext":"it is known"}}`, ``},
		{protocol.Stop, []protocol.HookOutput{&protocol.StopOutput{Blocking: block, AdditionalContext: "dropped"}},
			`{"decision":"block","reason":"tests fail"}`, `{"decision":"deny","reason":"tests fail"}`, `{"followup_message":"tests fail"}`},
		{protocol.SessionEnd, []protocol.HookOutput{nil}, "", "", ""},
	}
	for _, test := range tests {
		var answers []json.RawMessage
		for _, output := range test.outputs {
			answers = append(answers, protocol.EncodeHookOutput(output))
		}
		for runtime, want := range map[string]string{"codex": test.codex, "gemini": test.gemini, "cursor": test.cursor} {
			if got := string(For(runtime).Output(test.event, answers)); got != want {
				t.Errorf("%s reads of %s\n%s\nwant\n%s", runtime, test.event, got, want)
			}
		}
	}
}

// A decision to refuse or to ask never becomes one that passes, in whatever order the parts of an event are answered.
func TestNothingIsLetPass(t *testing.T) {
	refusals := []protocol.HookOutput{
		&protocol.PreToolUseOutput{Decision: protocol.Deny}, &protocol.PreToolUseOutput{Decision: protocol.Ask},
		&protocol.PreToolUseOutput{Common: protocol.Common{Halt: "h"}},
	}
	for _, refusal := range refusals {
		for _, outputs := range [][]protocol.HookOutput{{refusal}, {nil, refusal}, {refusal, nil}, {&protocol.PreToolUseOutput{Decision: protocol.Allow}, refusal}} {
			var answers []json.RawMessage
			for _, output := range outputs {
				answers = append(answers, protocol.EncodeHookOutput(output))
			}
			for _, runtime := range []string{"codex", "gemini", "cursor"} {
				got := string(For(runtime).Output(protocol.PreToolUse, answers))
				if !strings.Contains(got, `"deny"`) && !strings.Contains(got, `"ask"`) && !strings.Contains(got, `"continue":false`) {
					t.Errorf("%s reads %s of %+v", runtime, got, refusal)
				}
			}
		}
	}
}

func FuzzInputs(f *testing.F) {
	f.Add([]byte(`{"tool_name":"apply_patch","tool_input":{"command":"*** Add File: a\n+b"},"cwd":"/p"}`))
	f.Add([]byte(`{"tool_name":"run_shell_command","tool_response":{"llmContent":"Exit Code: 3"}}`))
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, runtime := range []string{"codex", "gemini", "cursor"} {
			for _, event := range []protocol.Event{"", protocol.PreToolUse, protocol.PostToolUse} {
				for _, in := range For(runtime).Inputs(event, input) {
					if json.Valid(input) && !json.Valid(in.Raw) {
						t.Errorf("%s: %q becomes %q", runtime, input, in.Raw)
					}
				}
			}
		}
	})
}
