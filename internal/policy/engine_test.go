package policy

import (
	"log/slog"
	"strings"
	"sync"
	"testing"

	"tidepool/internal/hook"
	"tidepool/protocol"
)

// Every event is decided by one policy, the old one or the new one, whole.
func TestSetPolicy(t *testing.T) {
	old := newPolicy(t, false, Rule{Decision: "deny", Reason: "old"})
	young := newPolicy(t, false, Rule{Decision: "ask", Reason: "young"})
	engine := NewEngine(old, slog.New(slog.DiscardHandler))
	ask := func() string {
		input := &protocol.HookInput{Event: protocol.PreToolUse, ToolName: "Bash"}
		return string(protocol.EncodeHookOutput(engine.Hook(t.Context(), &hook.Event{HookInput: input}).Output))
	}
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for range 200 {
				got := ask()
				isOld := strings.Contains(got, `"deny"`) && strings.Contains(got, "old")
				if !isOld && !(strings.Contains(got, `"ask"`) && strings.Contains(got, "young")) {
					t.Errorf("got %s", got)
				}
			}
		})
	}
	for range 100 {
		engine.Set(young)
		engine.Set(old)
	}
	clients.Wait()
	engine.Set(nil)
	if got := ask(); got != `{"continue":true}` {
		t.Errorf("without a policy: %s", got)
	}
}
