package protocol

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// outputs makes one value of every output type, by event.
func outputs() map[Event]func() HookOutput {
	table := map[Event]func() HookOutput{}
	for _, make := range []func() HookOutput{
		func() HookOutput { return new(SessionStartOutput) }, func() HookOutput { return new(SetupOutput) },
		func() HookOutput { return new(UserPromptSubmitOutput) }, func() HookOutput { return new(UserPromptExpansionOutput) },
		func() HookOutput { return new(PreToolUseOutput) }, func() HookOutput { return new(PermissionRequestOutput) },
		func() HookOutput { return new(PermissionDeniedOutput) }, func() HookOutput { return new(PostToolUseOutput) },
		func() HookOutput { return new(PostToolUseFailureOutput) }, func() HookOutput { return new(PostToolBatchOutput) },
		func() HookOutput { return new(StopOutput) }, func() HookOutput { return new(StopFailureOutput) },
		func() HookOutput { return new(SubagentStartOutput) }, func() HookOutput { return new(SubagentStopOutput) },
		func() HookOutput { return new(PreCompactOutput) }, func() HookOutput { return new(PostCompactOutput) },
		func() HookOutput { return new(PreModelSwitchOutput) }, func() HookOutput { return new(PostModelSwitchOutput) },
		func() HookOutput { return new(NotificationOutput) }, func() HookOutput { return new(MessageDisplayOutput) },
		func() HookOutput { return new(TaskCreatedOutput) }, func() HookOutput { return new(TaskCompletedOutput) },
		func() HookOutput { return new(TeammateIdleOutput) }, func() HookOutput { return new(ElicitationOutput) },
		func() HookOutput { return new(ElicitationResultOutput) }, func() HookOutput { return new(ConfigChangeOutput) },
		func() HookOutput { return new(InstructionsLoadedOutput) }, func() HookOutput { return new(CwdChangedOutput) },
		func() HookOutput { return new(FileChangedOutput) }, func() HookOutput { return new(DirectoryAddedOutput) },
		func() HookOutput { return new(WorktreeCreateOutput) }, func() HookOutput { return new(WorktreeRemoveOutput) },
		func() HookOutput { return new(SessionEndOutput) },
	} {
		table[make().event()] = make
	}
	return table
}

// specificFields are the members each event's hookSpecificOutput may have, as
// Claude Code 2.1.328 checks them; an event that is absent may have none, and
// there hookSpecificOutput itself is refused.
var specificFields = map[Event]string{
	SessionStart:        "additionalContext sessionTitle watchPaths",
	Setup:               "additionalContext",
	UserPromptSubmit:    "additionalContext sessionTitle",
	UserPromptExpansion: "additionalContext",
	PreToolUse:          "permissionDecision permissionDecisionReason updatedInput additionalContext",
	PermissionRequest:   "decision",
	PermissionDenied:    "retry",
	PostToolUse:         "additionalContext updatedToolOutput",
	PostToolUseFailure:  "additionalContext",
	PostToolBatch:       "additionalContext",
	Stop:                "additionalContext",
	SubagentStart:       "additionalContext",
	SubagentStop:        "additionalContext",
	PreModelSwitch:      "permissionDecision permissionDecisionReason",
	PostModelSwitch:     "additionalContext",
	Notification:        "additionalContext",
	MessageDisplay:      "displayContent",
	Elicitation:         "action content",
	ElicitationResult:   "action content",
	CwdChanged:          "watchPaths",
	FileChanged:         "watchPaths",
}

func TestEveryEventHasAnOutput(t *testing.T) {
	table := outputs()
	for _, event := range Events() {
		make := table[event]
		if make == nil {
			t.Errorf("%s: no output type", event)
			continue
		}
		if got := string(EncodeHookOutput(make())); got != `{"continue":true}` {
			t.Errorf("%s: the zero output says %s", event, got)
		}
	}
	if len(table) != len(Events()) {
		t.Errorf("%d output types for %d events", len(table), len(Events()))
	}
}

// However an output is filled in, what comes out is valid.
func TestOutputsCannotBeInvalid(t *testing.T) {
	table := outputs()
	rapid.Check(t, func(t *rapid.T) {
		event := rapid.SampledFrom(Events()).Draw(t, "event")
		out := table[event]()
		scramble(t, reflect.ValueOf(out).Elem())
		checkOutput(t, event, EncodeHookOutput(out))
	})
}

// scramble sets every exported field to something a careless caller might.
func scramble(t *rapid.T, v reflect.Value) {
	for i := range v.NumField() {
		field, name := v.Field(i), v.Type().Field(i).Name
		switch value := field.Interface().(type) {
		case string:
			field.SetString(rapid.OneOf(rapid.String(), rapid.Just(strings.Repeat("ü😀", 9000)), rapid.Just("\xff\x00\u2028")).Draw(t, name))
		case bool:
			field.SetBool(rapid.Bool().Draw(t, name))
		case json.RawMessage:
			field.SetBytes([]byte(rapid.SampledFrom([]string{``, `null`, `{"a":1}`, `[1]`, `{"a":`, "{\n}", `"s"`, `x`}).Draw(t, name)))
		case []string:
			field.Set(reflect.ValueOf(rapid.SliceOf(rapid.String()).Draw(t, name)))
		case Permission, Answer:
			field.SetUint(uint64(rapid.Uint8().Draw(t, name)))
		case Common, Blocking:
			scramble(t, field)
		default:
			t.Fatalf("%s has a type this test does not know: %T", name, value)
		}
	}
}

func checkOutput(t *rapid.T, event Event, raw json.RawMessage) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(raw, &top); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	checkValues(t, raw)
	if d, ok := top["decision"]; ok && (string(d) != `"block"` || top["reason"] == nil) {
		t.Fatalf("half a decision: %s", raw)
	}
	if (string(top["continue"]) == "false") != (top["stopReason"] != nil) {
		t.Fatalf("continue and stopReason disagree: %s", raw)
	}
	specific, ok := top["hookSpecificOutput"]
	if !ok {
		return
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(specific, &members); err != nil {
		t.Fatal(err)
	}
	if string(members["hookEventName"]) != `"`+string(event)+`"` {
		t.Fatalf("wrong hookEventName: %s", raw)
	}
	delete(members, "hookEventName")
	for key := range members {
		if !strings.Contains(" "+specificFields[event]+" ", " "+key+" ") {
			t.Fatalf("%s may not have %s: %s", event, key, raw)
		}
	}
	if len(members) == 0 {
		t.Fatalf("an empty hookSpecificOutput: %s", raw)
	}
	checkEnum(t, members["permissionDecision"], "allow", "deny", "ask")
	checkEnum(t, members["action"], "accept", "decline", "cancel")
}

func checkEnum(t *rapid.T, value json.RawMessage, allowed ...string) {
	if value == nil {
		return
	}
	for _, a := range allowed {
		if string(value) == `"`+a+`"` {
			return
		}
	}
	t.Fatalf("got %s, want one of %v", value, allowed)
}

// checkValues finds a null that is ours and a text that is too long.
func checkValues(t *rapid.T, raw json.RawMessage) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case nil:
			t.Fatalf("null in %s", raw)
		case string:
			if n := len(utf16.Encode([]rune(v))); n > MaxHookText {
				t.Fatalf("a text of %d characters", n)
			}
		case map[string]any:
			for _, member := range v {
				walk(member)
			}
		}
	}
	walk(v)
}

func TestEncodeHookOutput(t *testing.T) {
	tests := []struct {
		out  HookOutput
		want string
	}{
		{nil, `{"continue":true}`},
		{&PreToolUseOutput{Decision: Deny, Reason: "no <rm>"}, `{"continue":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no <rm>"}}`},
		{&PreToolUseOutput{UpdatedInput: json.RawMessage(`{"a":1}`)}, `{"continue":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"a":1}}}`},
		{&PermissionRequestOutput{Decision: Allow}, `{"continue":true,"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`},
		{&PermissionRequestOutput{Decision: Deny, Message: "m", Interrupt: true}, `{"continue":true,"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"m","interrupt":true}}}`},
		{&StopOutput{Blocking: Blocking{"r"}}, `{"continue":true,"decision":"block","reason":"r"}`},
		{&SessionEndOutput{Common{Halt: "h", SystemMessage: "s"}}, `{"continue":false,"stopReason":"h","systemMessage":"s"}`},
	}
	for _, test := range tests {
		if got := string(EncodeHookOutput(test.out)); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestLongTextIsCutAndSaysSo(t *testing.T) {
	exact := strings.Repeat("x", MaxHookText)
	if got := clipText(exact); got != exact {
		t.Errorf("cut a text that fits")
	}
	if got := clipText(exact + "xy"); len(got) > MaxHookText || !strings.HasSuffix(got, "characters]") {
		t.Errorf("got …%q", got[len(got)-60:])
	}
}

func TestRefuse(t *testing.T) {
	for _, event := range Events() {
		out := Refuse(event, "because")
		if out == nil {
			continue
		}
		if out.event() != event {
			t.Errorf("%s: refused by an output of %s", event, out.event())
		}
		if got := string(EncodeHookOutput(out)); got == `{"continue":true}` {
			t.Errorf("%s: the refusal says nothing", event)
		}
	}
}
