package hook

import (
	"sync"

	"tidepool/protocol"
)

// maxCallers bounds how many tool calls are remembered.
const maxCallers = 256

// A Caller is the conversation that made a tool call, which may be a subagent's.
type Caller struct {
	Dir     string // its working directory
	Session string
}

// callers remember where the latest tool calls came from. Safe for concurrent use.
type callers struct {
	mu   sync.Mutex
	byID map[string]Caller // by id of the tool use
	ids  []string          // a ring of those in byID
	next int               // place of the next, once it is full
}

// note remembers a call before it is made.
func (c *callers) note(in *protocol.HookInput) {
	if in.Event != protocol.PreToolUse || in.ToolUseID == "" || in.Cwd == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil {
		c.byID = make(map[string]Caller, maxCallers)
	}
	if _, known := c.byID[in.ToolUseID]; !known {
		c.remember(in.ToolUseID)
	}
	c.byID[in.ToolUseID] = Caller{Dir: in.Cwd, Session: in.SessionID}
}

// remember puts an id in the place of the oldest.
func (c *callers) remember(id string) {
	if len(c.ids) < maxCallers {
		c.ids = append(c.ids, id)
		return
	}
	delete(c.byID, c.ids[c.next])
	c.ids[c.next] = id
	c.next = (c.next + 1) % maxCallers
}

// Caller is the conversation that made a tool call. The zero one if its hook did not come, or is long ago.
func (h *Handler) Caller(toolUseID string) Caller {
	h.callers.mu.Lock()
	defer h.callers.mu.Unlock()
	return h.callers.byID[toolUseID]
}
