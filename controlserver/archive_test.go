package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// search calls search_conversations until it says that it is complete, and returns its text.
func (r running) search(t *testing.T, query string) (text string) {
	t.Helper()
	daemontest.Eventually(t, "a complete answer", func() bool {
		text = r.Call(t, "search_conversations", fmt.Sprintf(`{"query": %q}`, query)).Text
		return strings.Contains(text, "; complete.")
	})
	return text
}

// A model finds a turn by the code of its answer, reads it, and finds what the live session has said since, which only the
// watch or a hook can have told. A session whose transcript is deleted stays.
func TestModelSearchesConversations(t *testing.T) {
	h := newHome(t)
	d := startDaemon(t, h.project, h.vars)
	if text := d.search(t, "backoffWithJitter"); !strings.Contains(text, "3f2a91c0 turn 0") {
		t.Errorf("the code of an answer: %s", text)
	}
	if text := d.Call(t, "read_turn", `{"session_id": "3f2a91c0", "turn_number": 0}`).Text; !strings.Contains(text, "func backoffWithJitter(attempt int)") {
		t.Errorf("the turn: %s", text)
	}
	if err := os.Remove(h.transcript(goneSession)); err != nil {
		t.Fatal(err)
	}
	daemontest.Eventually(t, "a session without a transcript", func() bool {
		return strings.Contains(d.search(t, "turnstile"), "can only be read")
	})
	h.says(tillSession, h.project, [][2]string{{"Is the quokka fixed?", "Yes."}})
	daemontest.Eventually(t, "a turn that was added", func() bool { return strings.Contains(d.search(t, "quokka"), "77aa01b2 turn 1") })

	h.says(otherSession, h.project, [][2]string{{"Where is the axolotl?", "In pond.go."}})
	d.hook(t, fmt.Sprintf(`{"hook_event_name": "Stop", "session_id": %q, "transcript_path": %q}`, otherSession, h.transcript(otherSession)))
	daemontest.Eventually(t, "a session that a hook has named", func() bool { return strings.Contains(d.search(t, "axolotl"), "0ddba11e turn 0") })

	state := d.Status(t).Conversations
	if state == nil || state.State != "complete" || state.Sessions != 4 || state.Turns != 6 || state.Gone != 1 {
		t.Errorf("the status is %+v", state)
	}
	h.run("status").want(t, 0, "complete: 6 turns of 4 sessions, 1 without a transcript", "")
}

// A caller does not find the turn that it asks from.
func TestSearchLeavesOutTheAskingTurn(t *testing.T) {
	h := newHome(t)
	d := startDaemon(t, h.project, h.vars)
	if text := d.search(t, "till"); !strings.Contains(text, "77aa01b2 turn 0") {
		t.Fatalf("another session's turn: %s", text)
	}
	d.hook(t, fmt.Sprintf(`{"hook_event_name": "PreToolUse", "session_id": %q, "cwd": %q, "tool_name": "mcp__tidepool__search_conversations", "tool_use_id": "toolu_1", "tool_input": {}}`, tillSession, h.project))
	call := &protocol.MCPToolCall{ID: "1", ToolName: "search_conversations", Arguments: []byte(`{"query": "till"}`), Meta: &protocol.CallMeta{ToolUseID: "toolu_1"}}
	if text := daemontest.As[*protocol.MCPToolResponse](t, d.Ask(t, call)).Text; strings.Contains(text, "77aa01b2") {
		t.Errorf("its own turn: %s", text)
	}
}

// Without an archive the tools say why, the status has no row, and no transcript is read.
func TestConversationsSwitchedOff(t *testing.T) {
	h := newHome(t)
	daemontest.WriteConfig(t, h.project, `{"conversations": {"enabled": false}}`)
	d := startDaemon(t, h.project, h.vars)
	if text := d.Call(t, "search_conversations", `{"query": "retries"}`).Text; !strings.Contains(text, "0 of 0 matching turns; partial: conversations.enabled is false") {
		t.Errorf("the answer is %s", text)
	}
	if s := d.Status(t).Conversations; s != nil {
		t.Errorf("the status has %+v", s)
	}
}

// An archive that cannot be kept stops no daemon.
func TestArchiveThatCannotBeKept(t *testing.T) {
	h := newHome(t)
	h.vars = append(h.vars, "HOME=", "XDG_STATE_HOME=relative")
	d := startDaemon(t, h.project, h.vars)
	answer := d.Call(t, "search_conversations", `{"query": "retries"}`)
	if answer.Error == nil || !strings.Contains(answer.Error.Message, "there is no place to keep conversations") {
		t.Errorf("the answer is %+v", answer)
	}
	if s := d.Status(t).Conversations; s == nil || s.State != "partial" || !strings.Contains(s.Why, "no place") {
		t.Errorf("the status has %+v", s)
	}
}
