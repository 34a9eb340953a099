package protocol

import (
	"strings"
	"testing"
)

func TestDecodeHookInputOfEveryRecordedEvent(t *testing.T) {
	seen := map[Event]bool{}
	for name, raw := range hookSamples(t) {
		in, err := DecodeHookInput(raw)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		event, _, _ := strings.Cut(name, ".")
		if string(in.Event) != event || in.SessionID == "" || in.Cwd == "" {
			t.Errorf("%s: event %q, session %q, cwd %q", name, in.Event, in.SessionID, in.Cwd)
		}
		seen[in.Event] = true
	}
	unrecorded := map[Event]bool{TeammateIdle: true, WorktreeRemove: true} // no client was seen to send them
	for _, event := range Events() {
		if !seen[event] && !unrecorded[event] {
			t.Errorf("%s: no recorded sample", event)
		}
	}
}

func TestDecodeHookInputFields(t *testing.T) {
	samples := hookSamples(t)
	decode := func(raw []byte) *HookInput {
		in, err := DecodeHookInput(raw)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	in := decode(samples["PreToolUse.Bash.json"])
	check("tool_name", in.ToolName, "Bash")
	check("tool_input", string(in.ToolInput), `{"command":"cd src && pwd","description":"cd"}`)
	check("effort", string(in.Field("effort")), `{"level":"medium"}`)
	check("absent", string(in.Field("nothing")), "")
	in = decode(samples["Stop.json"])
	check("last_assistant_message", in.LastAssistantMessage, "All done: the work is finished.")
	if in.StopHookActive || !decode(samples["Stop.active.json"]).StopHookActive {
		t.Error("stop_hook_active is not read")
	}
	check("old_cwd", decode(samples["CwdChanged.json"]).OldCwd, "/home/dev/demo")
	if in := decode(samples["PostToolUse.Edit.json"]); in.DurationMS == 0 || in.ToolResponse == nil {
		t.Errorf("duration_ms %d, tool_response %s", in.DurationMS, in.ToolResponse)
	}
	check("worktree_path", decode([]byte(`{"hook_event_name":"WorktreeRemove","worktree_path":"/w"}`)).WorktreePath, "/w")
	check("teammate_name", decode([]byte(`{"hook_event_name":"TeammateIdle","teammate_name":"t"}`)).TeammateName, "t")
}

func TestDecodeHookInputToleratesForeignTypes(t *testing.T) {
	in, err := DecodeHookInput([]byte(`{"session_id":7,"cwd":null,"hook_event_name":"New","stop_hook_active":"yes","duration_ms":1.5,"prompt":"p"}`))
	if err != nil {
		t.Fatal(err)
	}
	if in.SessionID != "" || in.Cwd != "" || in.Event != "New" || in.StopHookActive || in.DurationMS != 0 || in.Prompt != "p" {
		t.Errorf("got %+v", in)
	}
	for _, raw := range []string{``, `[]`, `"x"`, `null`, `{"session_id":"s"`, `{} {}`} {
		if _, err := DecodeHookInput([]byte(raw)); err == nil {
			t.Errorf("%q: accepted", raw)
		}
	}
}

func TestParseEvent(t *testing.T) {
	for _, event := range Events() {
		if got := ParseEvent(event.Kebab()); got != event {
			t.Errorf("%s → %s → %s", event, event.Kebab(), got)
		}
		if got := ParseEvent(string(event)); got != event {
			t.Errorf("%s → %s", event, got)
		}
	}
	if got := ParseEvent("brand-new-event"); got != "BrandNewEvent" {
		t.Errorf("got %s", got)
	}
	if len(Events()) != 33 {
		t.Errorf("%d events", len(Events()))
	}
}

// KindOfHook is DecodeHookInput for those who want the kind alone.
func TestKindOfHookIsThatOfTheInput(t *testing.T) {
	inputs := []string{
		`{}`, `[]`, ``, `{"a":1}{"hook_event_name":"Stop"}`, `{"a":1} 2`, `{"tool_name":["Bash"],"hook_event_name":7}`,
		`{"tool_name":"Read","tool_name":"Bash"}`, `{"hook_event_name":"Pre\u0054oolUse"}`, `{"tool_input":{"tool_name":"x"}}`,
		`{` + strings.Repeat(`"":0,`, 1024) + `"a":1}`,
	}
	for _, raw := range hookSamples(t) {
		inputs = append(inputs, string(raw))
	}
	for _, input := range inputs {
		kind, err := KindOfHook([]byte(input))
		in, decodeErr := DecodeHookInput([]byte(input))
		if (err == nil) != (decodeErr == nil) {
			t.Errorf("%.60s: %v, but decoding says %v", input, err, decodeErr)
		}
		if err == nil && (kind.Event != in.Event || kind.ToolName != in.ToolName) {
			t.Errorf("%.60s: got %+v, want %q and %q", input, kind, in.Event, in.ToolName)
		}
	}
}
