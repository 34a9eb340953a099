package hook

import (
	"sync"

	"tidepool/protocol"
)

// maxCallers bounds how many tool calls are remembered.
const maxCallers = 256

// callers remember where the latest tool calls came from. Safe for concurrent use.
type callers struct {
	mu   sync.Mutex
	dirs map[string]string // by id of the tool use
	ids  []string          // a ring of those in dirs
	next int               // place of the next, once it is full
}

// note remembers a call before it is made.
func (c *callers) note(in *protocol.HookInput) {
	if in.Event != protocol.PreToolUse || in.ToolUseID == "" || in.Cwd == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dirs == nil {
		c.dirs = make(map[string]string, maxCallers)
	}
	if _, known := c.dirs[in.ToolUseID]; !known {
		c.remember(in.ToolUseID)
	}
	c.dirs[in.ToolUseID] = in.Cwd
}

// remember puts an id in the place of the oldest.
func (c *callers) remember(id string) {
	if len(c.ids) < maxCallers {
		c.ids = append(c.ids, id)
		return
	}
	delete(c.dirs, c.ids[c.next])
	c.ids[c.next] = id
	c.next = (c.next + 1) % maxCallers
}

// Dir is the working directory of the conversation that made a tool call, which may be a subagent's. "" if its hook
// did not come, or is long ago.
func (h *Handler) Dir(toolUseID string) string {
	h.callers.mu.Lock()
	defer h.callers.mu.Unlock()
	return h.callers.dirs[toolUseID]
}
