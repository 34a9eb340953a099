package hook

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/protocol"
)

func event(name protocol.Event, tool, session string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"hook_event_name":%q,"tool_name":%q,"session_id":%q,"tool_input":{"command":"hunter2"}}`, name, tool, session))
}

func TestOutcomes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // whose time stands still
		now := time.Now()
		h := New(Options{Policy: newPolicy(t, false, Rule{Decision: "ask", Tool: "Read"}, Rule{Decision: "deny", Tool: "Bash", Pattern: "hunter", Reason: "Not that."})})
		ask(t, h, event(protocol.PreToolUse, "Bash", "a"))
		ask(t, h, event(protocol.PreToolUse, "Edit", "a"))
		ask(t, h, event(protocol.Stop, "", "b"))
		ask(t, h, json.RawMessage(`hunter2`))
		ask(t, h, json.RawMessage(`{"hook_event_name":"PreToolUse"}`))
		want := []Outcome{
			{Time: now, Event: protocol.PreToolUse, Tool: "Edit", Session: "a", Decision: "pass"},
			{Time: now, Event: protocol.Stop, Session: "b", Decision: "pass"},
			{Time: now, Event: protocol.PreToolUse, Tool: "Bash", Session: "a", Decision: "deny", Rule: 2, Reason: "Not that."},
			{Time: now, Decision: "pass", Reason: "its input is no JSON object"},
			{Time: now, Event: protocol.PreToolUse, Decision: "pass", Reason: "its input has no tool_name"},
		}
		if diff := cmp.Diff(want, h.Outcomes()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

func TestCallsJoinTheirHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		h := New(Options{Policy: newPolicy(t, false, Rule{Decision: "allow", Tool: "mcp__tidepool__scout", Reason: "Go."})})
		for _, tool := range []string{"find_callers", "scout"} {
			ask(t, h, json.RawMessage(`{"hook_event_name":"PreToolUse","tool_name":"mcp__tidepool__`+tool+`","tool_use_id":"toolu_`+tool+`"}`))
		}
		ask(t, h, event(protocol.Stop, "", "a"))
		h.CallEnded("toolu_find_callers", time.Millisecond, false)
		h.CallEnded("toolu_scout", time.Second, true)
		h.CallEnded("toolu_unknown", time.Hour, true)
		h.CallEnded("", time.Hour, true)
		want := []Outcome{
			{Time: now, Event: protocol.PreToolUse, Tool: "mcp__tidepool__find_callers", Decision: "pass", ToolUseID: "toolu_find_callers", CallTook: time.Millisecond},
			{Time: now, Event: protocol.Stop, Session: "a", Decision: "pass"},
			{Time: now, Event: protocol.PreToolUse, Tool: "mcp__tidepool__scout", Decision: "allow", Rule: 1, Reason: "Go.", ToolUseID: "toolu_scout", CallTook: time.Second, CallFailed: true},
		}
		if diff := cmp.Diff(want, h.Outcomes()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// Hundreds of events that pass do not push out the few that decided, and nothing grows.
func TestOutcomesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New(Options{Policy: newPolicy(t, false, Rule{Decision: "deny", Tool: "Bash"})})
		for i := range 100 {
			time.Sleep(time.Second)
			ask(t, h, event(protocol.PreToolUse, "Bash", "a"))
			for range 10 {
				ask(t, h, event(protocol.PostToolUse, strings.Repeat("x", 1000), fmt.Sprint(i)))
			}
		}
		outcomes := h.Outcomes()
		if len(outcomes) != keptPasses+keptDecisions {
			t.Fatalf("%d are kept", len(outcomes))
		}
		denied := 0
		for i, o := range outcomes {
			if i > 0 && o.Time.Before(outcomes[i-1].Time) {
				t.Errorf("number %d is older than the one before", i)
			}
			if o.Decision == "deny" {
				denied++
			}
			if len(o.Tool) > 100 {
				t.Errorf("the name of a tool has %d bytes", len(o.Tool))
			}
		}
		if oldest := time.Since(outcomes[0].Time); denied != keptDecisions || oldest != (keptDecisions-1)*time.Second {
			t.Errorf("%d denials, the oldest %v ago", denied, oldest)
		}
	})
}

// Every event is decided by one policy, the old one or the new one, whole.
func TestSetPolicy(t *testing.T) {
	old := newPolicy(t, false, Rule{Decision: "deny", Reason: "old"})
	young := newPolicy(t, false, Rule{Decision: "ask", Reason: "young"})
	h := New(Options{Policy: old})
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for range 200 {
				got := ask(t, h, event(protocol.PreToolUse, "Bash", "a"))
				isOld := strings.Contains(got, `"deny"`) && strings.Contains(got, "old")
				if !isOld && !(strings.Contains(got, `"ask"`) && strings.Contains(got, "young")) {
					t.Errorf("got %s", got)
				}
			}
		})
	}
	for range 100 {
		h.SetPolicy(young)
		h.SetPolicy(old)
	}
	clients.Wait()
	h.SetPolicy(nil)
	if got := ask(t, h, event(protocol.PreToolUse, "Bash", "a")); got != passes {
		t.Errorf("without a policy: %s", got)
	}
}
