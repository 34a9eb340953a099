package session

import (
	"fmt"
	"testing"

	"tidepool/protocol"
)

func observe(c *Conversations, event protocol.Event, id, cwd string) {
	c.Observe(&protocol.HookInput{Event: event, SessionID: "s", AgentID: "a", Cwd: cwd, TranscriptPath: "/t", ToolUseID: id})
}

func TestConversationOfACall(t *testing.T) {
	c := New()
	observe(c, protocol.PreToolUse, "first", "/p")
	observe(c, protocol.PreToolUse, "second", "/p/.claude/worktrees/w")
	observe(c, protocol.PostToolUse, "third", "/elsewhere")
	observe(c, protocol.PreToolUse, "", "/elsewhere")
	for id, want := range map[string]string{"first": "/p", "second": "/p/.claude/worktrees/w", "third": "", "": "", "none": ""} {
		if got := c.OfCall(id).Dir; got != want {
			t.Errorf("%q came from %q, want %q", id, got, want)
		}
	}
	if got, want := c.OfCall("first"), (Conversation{ID{"s", "a"}, "/p", "/t"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for i := range 2 * maxCalls {
		observe(c, protocol.PreToolUse, fmt.Sprint(i), "/q")
	}
	if c.OfCall("second") != (Conversation{}) || c.OfCall(fmt.Sprint(2*maxCalls-1)).Dir != "/q" || len(c.call) != maxCalls {
		t.Errorf("%d are remembered, want the last %d", len(c.call), maxCalls)
	}
}

func TestSessions(t *testing.T) {
	c := New()
	for _, id := range []string{"a", "b", "", "a"} {
		c.Observe(&protocol.HookInput{Event: protocol.Stop, SessionID: id})
	}
	if got := c.Sessions(); got != 2 {
		t.Errorf("%d sessions", got)
	}
	if !c.Knows("a") || !c.Knows("b") || c.Knows("c") || c.Knows("") {
		t.Error("it does not know whose hooks have come")
	}
	for i := range maxSessions + 10 {
		c.Observe(&protocol.HookInput{SessionID: fmt.Sprint(i)})
	}
	if got := c.Sessions(); got != maxSessions {
		t.Errorf("%d sessions", got)
	}
}

func TestClients(t *testing.T) {
	var c Clients[int]
	if got := c.Of(1); got != "" {
		t.Errorf("a client that never called is of %q", got)
	}
	c.Note(1, "before")
	c.Note(1, "after")
	c.Note(2, "other")
	if c.Of(1) != "after" || c.Of(2) != "other" {
		t.Errorf("got %q and %q", c.Of(1), c.Of(2))
	}
	for i := range maxClients {
		c.Note(1000+i, "s")
	}
	if c.Of(1) != "" || c.Of(1000) != "s" || len(c.latest) != maxClients {
		t.Errorf("%d are remembered, want the last %d", len(c.latest), maxClients)
	}
}
