package mcp

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"tidepool/protocol"
)

// asked are the requests that this server has made of the client and that are
// not answered.
type asked struct {
	mu    sync.Mutex
	count int
	byID  map[string]chan json.RawMessage // capacity 1: the result, nil for an error
}

// begin makes an id for a request.
func (a *asked) begin() (id json.RawMessage, answer <-chan json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.count++
	id = marshal("tidepool-" + strconv.Itoa(a.count))
	if a.byID == nil {
		a.byID = map[string]chan json.RawMessage{}
	}
	waiting := make(chan json.RawMessage, 1)
	a.byID[key(id)] = waiting
	return id, waiting
}

// end takes the result of a request; it reports whether it was waited for.
func (a *asked) end(id, result json.RawMessage) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	waiting, is := a.byID[key(id)]
	if is {
		delete(a.byID, key(id))
		waiting <- result
	}
	return is
}

// elicit shows a question in the client's dialog until it is answered there or
// ctx ends, which takes the dialog away. Legacy era: the server asks.
func (s *server) elicit(ctx context.Context, q protocol.Question) {
	id, answer := s.asked.begin()
	s.write(requestLine(id, "elicitation/create", formFor(q)))
	begin := time.Now()
	seen := time.NewTimer(glance)
	defer seen.Stop()
	for {
		select {
		case result := <-answer:
			s.tell(q, result, time.Since(begin))
			return
		case <-seen.C:
			s.saw(q)
		case <-ctx.Done():
			if s.asked.end(id, nil) {
				s.notify("notifications/cancelled", struct {
					RequestID json.RawMessage `json:"requestId"`
					Reason    string          `json:"reason"`
				}{id, "the question has been answered or withdrawn"})
			}
			return
		}
	}
}

// requestLine is a request of the server's own.
func requestLine(id json.RawMessage, method string, params any) []byte {
	return marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  any             `json:"params"`
	}{"2.0", id, method, params})
}
