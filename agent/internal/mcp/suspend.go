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

// maxSuspended bounds the calls that wait for their client's answer. The daemon has
// a lower bound, and ends each of them in time.
const maxSuspended = 128

// A suspended call has asked the client for input. It continues when the client sends
// the call again with the input.
type suspended struct {
	call     *daemonCall
	question protocol.Question
	since    time.Time
}

// suspendedCalls are the suspended calls by their state, which the client echoes.
type suspendedCalls struct {
	mu      sync.Mutex
	count   int
	byState map[string]*suspended
	order   []string
}

// add keeps a call. If there are too many, it drops the oldest.
func (w *suspendedCalls) add(c *suspended) (state string) {
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
		w.byState[w.order[0]].call.close()
		delete(w.byState, w.order[0])
		w.order = w.order[1:]
	}
	return state
}

// take removes and returns a call; nil if there is none.
func (w *suspendedCalls) take(state string) *suspended {
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

// clear closes all of them.
func (w *suspendedCalls) clear() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for state, c := range w.byState {
		c.call.close()
		delete(w.byState, state)
	}
	w.order = nil
}

// inputParams are the params by which a call continues a suspended one.
type inputParams struct {
	State     string                     `json:"requestState"`
	Responses map[string]json.RawMessage `json:"inputResponses"`
}

// inputKey is the name of the one input that a call asks for.
const inputKey = "question"

// callModern answers tools/call of the modern era, in which the server cannot send
// requests: it answers that it needs input, and the client sends the call again with
// the input. Format: MCP 2026-07-28, SEP-2322.
func (s *server) callModern(capable bool) runFunc {
	return func(ctx context.Context, raw json.RawMessage) (json.RawMessage, *rpcError) {
		var input inputParams
		_ = json.Unmarshal(raw, &input) // params that are no object are refused below
		waiting := s.waiting.take(input.State)
		if waiting == nil {
			return s.modernResult(s.beginCall(ctx, raw, era{capable: capable, modern: true}))
		}
		s.reportAnswer(waiting.question, input.Responses[inputKey], time.Since(waiting.since))
		if time.Since(waiting.since) >= dialog.MinTime {
			s.sendAnswer(dialog.Seen(waiting.question))
		}
		s.sendAnswer(dialog.Closed(waiting.question))
		return s.modernResult(s.resume(ctx, waiting.call))
	}
}

// modernResult returns the result of a call, or its request for input.
func (s *server) modernResult(result json.RawMessage, asks *suspended, err *rpcError) (json.RawMessage, *rpcError) {
	switch {
	case err != nil:
		return nil, err
	case asks == nil:
		return join(completed(resultMeta{Server: s.info()}), result), nil
	}
	type request struct {
		Method string        `json:"method"`
		Params dialog.Params `json:"params"`
	}
	return marshal(struct {
		ResultType    string             `json:"resultType"`
		Meta          resultMeta         `json:"_meta"`
		InputRequests map[string]request `json:"inputRequests"`
		RequestState  string             `json:"requestState"`
	}{
		"input_required", resultMeta{Server: s.info()},
		map[string]request{inputKey: {"elicitation/create", dialog.ParamsFor(asks.question)}}, s.waiting.add(asks),
	}), nil
}
