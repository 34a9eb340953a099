package hook

import (
	"fmt"
	"testing"

	"tidepool/protocol"
)

func TestDirOfACall(t *testing.T) {
	h := New(Options{})
	hook := func(event protocol.Event, id, cwd string) {
		input := fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s","cwd":%q,"tool_name":"mcp__tidepool__scout","tool_use_id":%q,"tool_input":{}}`, event, cwd, id)
		h.Hook(t.Context(), &protocol.HookEvent{Input: []byte(input)})
	}
	hook(protocol.PreToolUse, "first", "/p")
	hook(protocol.PreToolUse, "second", "/p/.claude/worktrees/w")
	hook(protocol.PostToolUse, "third", "/elsewhere")
	hook(protocol.PreToolUse, "", "/elsewhere")
	for id, want := range map[string]string{"first": "/p", "second": "/p/.claude/worktrees/w", "third": "", "": "", "none": ""} {
		if got := h.Caller(id).Dir; got != want {
			t.Errorf("%q came from %q, want %q", id, got, want)
		}
	}
	for i := range 2 * maxCallers {
		hook(protocol.PreToolUse, fmt.Sprint(i), "/q")
	}
	if h.Caller("second") != (Caller{}) || h.Caller(fmt.Sprint(2*maxCallers-1)).Dir != "/q" || len(h.callers.byID) != maxCallers {
		t.Errorf("%d are remembered, want the last %d", len(h.callers.byID), maxCallers)
	}
}
