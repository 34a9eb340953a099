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

// A running is one request that runs now.
type running struct {
	id     string
	cancel context.CancelFunc
}

// calls are the requests that run now, by id.
type calls struct {
	mu     sync.Mutex
	byID   map[string]*running
	closed bool
	group  sync.WaitGroup
}

// begin enters a request, which must end with leave and, when it has been
// answered, with group.Done.
func (c *calls) begin(id string, cancel context.CancelFunc) (*running, *rpcError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, taken := c.byID[id]; {
	case taken:
		return nil, invalid("a request with this id is still running")
	case c.closed || len(c.byID) >= maxCalls:
		message := fmt.Sprintf("%d requests are running: wait for one of them", len(c.byID))
		return nil, &rpcError{Code: protocol.CodeInternal, Message: message}
	case c.byID == nil:
		c.byID = map[string]*running{}
	}
	r := &running{id, cancel}
	c.byID[id] = r
	c.group.Add(1)
	return r, nil
}

// leave frees the id of a request, before the client can see the answer and
// use the id again.
func (c *calls) leave(r *running) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID[r.id] == r { // a cancelled one may have a successor
		delete(c.byID, r.id)
	}
}

// cancel ends a request, which frees its id at once; one that is not running,
// or no more, is left alone.
func (c *calls) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.byID[id]; ok {
		r.cancel()
		delete(c.byID, id)
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
