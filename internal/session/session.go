// Package session knows who calls: the conversations in the sessions of a coding agent, and which of them made a tool call.
// A session of a language server is something else, in lsp/internal/session.
//
// A conversation is that of a session with its user, or of one subagent within the session. Hooks name it; an MCP client
// does not, because all conversations of a session share one client. So hooks feed this package, and who needs to know
// its caller asks it by the id of the tool use, which the client and the hooks both have.
//
// Everything is kept in memory, bounded, and gone with the process. The package starts no goroutines.
package session

import (
	"sync"

	"tidepool/protocol"
)

// maxCalls bounds how many tool calls are remembered.
const maxCalls = 256

// An ID names a conversation.
type ID struct {
	Session string
	Agent   string // of a subagent; "" is the session's own conversation
}

// A Conversation is who sent a hook or made a tool call. The zero value is nobody that is known.
type Conversation struct {
	ID
	Dir        string // its working directory, absolute
	Transcript string // path of the session's transcript
}

// Of returns the conversation that a hook comes from.
func Of(in *protocol.HookInput) Conversation {
	return Conversation{ID: ID{in.SessionID, in.AgentID}, Dir: in.Cwd, Transcript: in.TranscriptPath}
}

// Conversations are those whose hooks have come. The zero value is not usable: see New. Safe for concurrent use.
type Conversations struct {
	sessions *counter

	mu   sync.Mutex
	call map[string]Conversation // by id of the tool use
	ids  []string                // a ring of those in call
	next int                     // place of the next, once it is full
}

// New returns one that knows nobody yet.
func New() *Conversations {
	return &Conversations{sessions: newCounter(), call: make(map[string]Conversation, maxCalls)}
}

// Observe takes in a hook, and reports whether it is the first of its session. The hook before a tool call says which
// conversation makes it.
func (c *Conversations) Observe(in *protocol.HookInput) (first bool) {
	first = c.sessions.note(in.SessionID)
	if in.Event != protocol.PreToolUse || in.ToolUseID == "" || in.Cwd == "" {
		return first
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.call[in.ToolUseID]; !known {
		c.remember(in.ToolUseID)
	}
	c.call[in.ToolUseID] = Of(in)
	return first
}

// remember puts an id in the place of the oldest.
func (c *Conversations) remember(id string) {
	if len(c.ids) < maxCalls {
		c.ids = append(c.ids, id)
		return
	}
	delete(c.call, c.ids[c.next])
	c.ids[c.next] = id
	c.next = (c.next + 1) % maxCalls
}

// OfCall returns the conversation that made a tool call: the zero one if the call's hook did not come, or came before
// those of the last 256 calls.
func (c *Conversations) OfCall(toolUseID string) Conversation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.call[toolUseID]
}

// Sessions returns how many different sessions there have been; it ends at 4,096.
func (c *Conversations) Sessions() int { return c.sessions.count() }

// Knows reports whether a hook has named a session since the start of the process, among the first 4,096.
func (c *Conversations) Knows(session string) bool { return c.sessions.has(session) }
