package mcp

import (
	"context"
	"fmt"
	"sync"

	"tidepool/protocol"
)

// maxCalls bounds the requests that run at once, each with its goroutine and
// its connection.
const maxCalls = 256

// calls are the requests that run now, by id.
type calls struct {
	mu      sync.Mutex
	running map[string]context.CancelFunc
	closed  bool
	group   sync.WaitGroup
}

// begin enters a request, which must end with leave and, when it has been
// answered, with group.Done.
func (c *calls) begin(id string, cancel context.CancelFunc) *rpcError {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, taken := c.running[id]; {
	case taken:
		return invalid("a request with this id is still running")
	case c.closed || len(c.running) >= maxCalls:
		message := fmt.Sprintf("%d requests are running: wait for one of them", len(c.running))
		return &rpcError{Code: protocol.CodeInternal, Message: message}
	case c.running == nil:
		c.running = map[string]context.CancelFunc{}
	}
	c.running[id] = cancel
	c.group.Add(1)
	return nil
}

// leave frees the id of a request, before the client can see the answer and
// use the id again.
func (c *calls) leave(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.running, id)
}

// cancel ends a request; one that is not running, or no more, is left alone.
func (c *calls) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.running[id]; ok {
		cancel()
	}
}

// finish lets no more begin and waits for all that run; their contexts are
// done by then.
func (c *calls) finish() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.group.Wait()
}
