package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidepool/protocol"
)

// judging decides about one tool as a policy does, and about a call of none.
func judging(tool string, v Verdict) Part {
	return Part{Name: "policy", Conduct: Deciding, Contributor: fake{[]protocol.Event{protocol.PreToolUse}, func(_ context.Context, e *Event) Answer {
		switch e.ToolName {
		case tool:
			return Answer{Verdict: v}
		case "":
			return Answer{Verdict: Verdict{Reason: "its input has no tool_name"}}
		}
		return Answer{}
	}}}
}

func event(name protocol.Event, tool, session string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"hook_event_name":%q,"tool_name":%q,"session_id":%q,"tool_input":{"command":"hunter2"}}`, name, tool, session))
}

func TestOutcomes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // whose time stands still
		now := time.Now()
		record := NewRecord()
		h := New(Options{Record: record, Parts: []Part{judging("Bash", Verdict{"deny", 2, "Not that."})}})
		ask(t, h, event(protocol.PreToolUse, "Bash", "a"))
		ask(t, h, event(protocol.PreToolUse, "Edit", "a"))
		ask(t, h, event(protocol.Stop, "", "b"))
		ask(t, h, json.RawMessage(`hunter2`))
		ask(t, h, json.RawMessage(`{"hook_event_name":"PreToolUse"}`))
		want := []Outcome{
			{Time: now, Event: protocol.PreToolUse, Tool: "Edit", Session: "a", Verdict: Verdict{Decision: "pass"}},
			{Time: now, Event: protocol.Stop, Session: "b", Verdict: Verdict{Decision: "pass"}},
			{Time: now, Event: protocol.PreToolUse, Tool: "Bash", Session: "a", Verdict: Verdict{Decision: "deny", Rule: 2, Reason: "Not that."}},
			{Time: now, Verdict: Verdict{Decision: "pass", Reason: "its input is no JSON object"}},
			{Time: now, Event: protocol.PreToolUse, Verdict: Verdict{Decision: "pass", Reason: "its input has no tool_name"}},
		}
		if diff := cmp.Diff(want, record.Outcomes()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

func TestCallsJoinTheirHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		record := NewRecord()
		h := New(Options{Record: record, Parts: []Part{judging("mcp__tidepool__scout", Verdict{"allow", 1, "Go."})}})
		for _, tool := range []string{"find_callers", "scout"} {
			ask(t, h, json.RawMessage(`{"hook_event_name":"PreToolUse","tool_name":"mcp__tidepool__`+tool+`","tool_use_id":"toolu_`+tool+`"}`))
		}
		ask(t, h, event(protocol.Stop, "", "a"))
		record.CallEnded("toolu_find_callers", time.Millisecond, false)
		record.CallEnded("toolu_scout", time.Second, true)
		record.CallEnded("toolu_unknown", time.Hour, true)
		record.CallEnded("", time.Hour, true)
		want := []Outcome{
			{Time: now, Event: protocol.PreToolUse, Tool: "mcp__tidepool__find_callers", Verdict: Verdict{Decision: "pass"}, ToolUseID: "toolu_find_callers", CallTook: time.Millisecond},
			{Time: now, Event: protocol.Stop, Session: "a", Verdict: Verdict{Decision: "pass"}},
			{Time: now, Event: protocol.PreToolUse, Tool: "mcp__tidepool__scout", Verdict: Verdict{Decision: "allow", Rule: 1, Reason: "Go."}, ToolUseID: "toolu_scout", CallTook: time.Second, CallFailed: true},
		}
		if diff := cmp.Diff(want, record.Outcomes()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// Hundreds of events that pass do not push out the few that decided, and nothing grows.
func TestOutcomesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		record := NewRecord()
		h := New(Options{Record: record, Parts: []Part{
			judging("Bash", Verdict{"deny", 1, ""}),
			{Name: "comment", Contributor: fake{[]protocol.Event{protocol.PostToolUseFailure}, saying("Again?").hook}},
		}})
		for i := range 100 {
			time.Sleep(time.Second)
			ask(t, h, event(protocol.PreToolUse, "Bash", "a"))
			ask(t, h, event(protocol.PostToolUseFailure, "Bash", "a"))
			for range 10 {
				ask(t, h, event(protocol.PostToolUse, strings.Repeat("x", 1000), fmt.Sprint(i)))
			}
		}
		outcomes := record.Outcomes()
		if len(outcomes) != keptPasses+keptContributions+keptDecisions {
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
