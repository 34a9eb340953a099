package mcp

import (
	"context"
	"fmt"
	"sync"

	"tidepool/protocol"
)

// maxCalls bounds the requests that run at once. Each has a goroutine and a
// connection.
const maxCalls = 256

// A runningRequest is one request in flight.
type runningRequest struct {
	id     string
	log    int // severity from which on the client wants messages while it runs; -1 = none
	cancel context.CancelFunc
}

// calls are the requests in flight, by id.
type calls struct {
	mu     sync.Mutex
	byID   map[string]*runningRequest
	closed bool
	group  sync.WaitGroup
}

// begin registers a request. It must end with freeID and, once it is answered, with
// group.Done.
func (c *calls) begin(id string, log int, cancel context.CancelFunc) (*runningRequest, *rpcError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, taken := c.byID[id]; {
	case taken:
		return nil, invalid("a request with this id is still running")
	case c.closed || len(c.byID) >= maxCalls:
		message := fmt.Sprintf("%d requests are running: wait for one of them", len(c.byID))
		return nil, &rpcError{Code: protocol.CodeInternal, Message: message}
	case c.byID == nil:
		c.byID = map[string]*runningRequest{}
	}
	r := &runningRequest{id, log, cancel}
	c.byID[id] = r
	c.group.Add(1)
	return r, nil
}

// wantLog reports whether a request in flight wants messages of a severity.
func (c *calls) wantLog(severity int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.byID {
		if r.log >= 0 && severity >= r.log {
			return true
		}
	}
	return false
}

// freeID frees the id of a request, before the client can see the answer and reuse
// the id.
func (c *calls) freeID(r *runningRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID[r.id] == r { // after a cancel another request may have the id
		delete(c.byID, r.id)
	}
}

// cancel cancels a request and frees its id at once. It ignores an id that is not in
// flight.
func (c *calls) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r, ok := c.byID[id]; ok {
		r.cancel()
		delete(c.byID, id)
	}
}

// finish accepts no more requests and waits for those in flight. The caller has
// cancelled their contexts, or lets them end by themselves.
func (c *calls) finish() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.group.Wait()
}
