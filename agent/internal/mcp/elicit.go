package mcp

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"tidepool/internal/dialog"
	"tidepool/protocol"
)

// asked are the unanswered requests of this server to the client.
type asked struct {
	mu    sync.Mutex
	count int
	byID  map[string]chan json.RawMessage // capacity 1: the result, nil for an error
}

// begin registers a request and returns its id.
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

// end delivers the result of a request. It reports whether anybody waited for it.
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

// elicit shows a question in the client's dialog until it is answered there, or ctx
// ends, which closes the dialog. Legacy era only: there the server sends the request.
func (s *server) elicit(ctx context.Context, q protocol.Question) {
	id, answer := s.asked.begin()
	s.write(requestLine(id, "elicitation/create", dialog.ParamsFor(q)))
	begin := time.Now()
	seen := time.NewTimer(dialog.MinTime)
	defer seen.Stop()
	for {
		select {
		case result := <-answer:
			s.reportAnswer(q, result, time.Since(begin))
			return
		case <-seen.C:
			s.sendAnswer(dialog.Seen(q))
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

// requestLine returns a request of the server to the client.
func requestLine(id json.RawMessage, method string, params any) []byte {
	return marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  any             `json:"params"`
	}{"2.0", id, method, params})
}
