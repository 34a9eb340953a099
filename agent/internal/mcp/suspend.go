package mcp

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"tidepool/protocol"
)

// maxSuspended bounds the calls that wait for their client to come back with an
// answer. The daemon ends each of them in time, and lets fewer be open.
const maxSuspended = 128

// A suspended call has asked the client for input, and goes on when the client
// makes it again with that.
type suspended struct {
	dialogue *dialogue
	question protocol.Question
	since    time.Time
}

// A waitingRoom holds suspended calls by their state, which the client echoes.
type waitingRoom struct {
	mu      sync.Mutex
	count   int
	byState map[string]*suspended
	order   []string
}

// enter keeps a call; the oldest leaves if there are too many.
func (w *waitingRoom) enter(c *suspended) (state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	state = strconv.Itoa(w.count)
	if w.byState == nil {
		w.byState = map[string]*suspended{}
	}
	w.byState[state] = c
	w.order = append(w.order, state)
	if len(w.byState) > maxSuspended {
		w.byState[w.order[0]].dialogue.close()
		delete(w.byState, w.order[0])
		w.order = w.order[1:]
	}
	return state
}

// leave takes a call out; nil if there is none.
func (w *waitingRoom) leave(state string) *suspended {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.byState[state]
	delete(w.byState, state)
	for i, s := range w.order {
		if s == state {
			w.order = append(w.order[:i], w.order[i+1:]...)
			break
		}
	}
	return c
}

// clear hangs up on all of them.
func (w *waitingRoom) clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for state, c := range w.byState {
		c.dialogue.close()
		delete(w.byState, state)
	}
	w.order = nil
}

// inputParams are what a call has of the one before that asked for input.
type inputParams struct {
	State     string                     `json:"requestState"`
	Responses map[string]json.RawMessage `json:"inputResponses"`
}

// inputKey names the one thing that a call asks for.
const inputKey = "question"

// callModern answers tools/call of the modern era, where the server cannot ask:
// it answers that it needs input, and the client calls again with that. Format:
// MCP 2026-07-28, SEP-2322.
func (s *server) callModern(capable bool) runFunc {
	return func(ctx context.Context, raw json.RawMessage) (json.RawMessage, *rpcError) {
		var input inputParams
		_ = json.Unmarshal(raw, &input) // other params than objects are refused below
		waiting := s.waiting.leave(input.State)
		if waiting == nil {
			return s.modernResult(s.beginCall(ctx, raw, era{capable: capable, modern: true}))
		}
		s.tell(waiting.question, input.Responses[inputKey], time.Since(waiting.since))
		if time.Since(waiting.since) >= glance {
			s.saw(waiting.question)
		}
		s.closed(waiting.question)
		return s.modernResult(s.goOn(ctx, waiting.dialogue))
	}
}

// modernResult is the result of a call, or what it needs.
func (s *server) modernResult(result json.RawMessage, asks *suspended, err *rpcError) (json.RawMessage, *rpcError) {
	switch {
	case err != nil:
		return nil, err
	case asks == nil:
		return join(completed(resultMeta{Server: s.info()}), result), nil
	}
	type request struct {
		Method string       `json:"method"`
		Params elicitParams `json:"params"`
	}
	return marshal(struct {
		ResultType    string             `json:"resultType"`
		Meta          resultMeta         `json:"_meta"`
		InputRequests map[string]request `json:"inputRequests"`
		RequestState  string             `json:"requestState"`
	}{
		"input_required", resultMeta{Server: s.info()},
		map[string]request{inputKey: {"elicitation/create", formFor(asks.question)}}, s.waiting.enter(asks),
	}), nil
}
