package mcphttp

import (
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/dialog"
	"tidepool/protocol"
)

// maxSuspended bounds the calls that wait for their client's answer. The daemon ends each of them in time.
const maxSuspended = 128

// inputKey is the name of the one input that a call asks for.
const inputKey = "question"

// A suspended call has asked a client without a session for input. It continues when the client sends the call again with the input.
type suspended struct {
	call     *toolCall
	question protocol.Question
	since    time.Time
}

// suspendedCalls are the suspended calls by their state, which the client echoes.
type suspendedCalls struct {
	mu      sync.Mutex
	byState map[string]*suspended
	order   []string // the oldest first
}

var errForgotten = errors.New("too many calls wait for an answer of their client")

// add keeps a call, and returns the result that asks for input. If there are too many, it ends the oldest.
func (w *suspendedCalls) add(k *toolCall, q protocol.Question) *mcp.CallToolResult {
	form, state := dialog.ParamsFor(q), rand.Text()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byState == nil {
		w.byState = map[string]*suspended{}
	}
	w.byState[state] = &suspended{k, q, time.Now()}
	w.order = append(w.order, state)
	if len(w.order) > maxSuspended {
		w.byState[w.order[0]].call.cancel(errForgotten)
		w.remove(w.order[0])
	}
	return &mcp.CallToolResult{
		RequestState:  state,
		InputRequests: mcp.InputRequestMap{inputKey: &mcp.ElicitParams{Mode: form.Mode, Message: form.Message, RequestedSchema: form.Schema}},
	}
}

// take removes and returns a call of that tool; nil if there is none.
func (w *suspendedCalls) take(state, tool string) *suspended {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.byState[state]
	if c == nil || c.call.name != tool {
		return nil
	}
	w.remove(state)
	return c
}

// remove removes a call. Callers hold mu.
func (w *suspendedCalls) remove(state string) {
	delete(w.byState, state)
	w.order = slices.DeleteFunc(w.order, func(s string) bool { return s == state })
}

// close ends all of them.
func (w *suspendedCalls) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.byState {
		c.call.cancel(errClosed)
	}
	clear(w.byState)
	w.order = nil
}
