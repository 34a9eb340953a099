package server

import (
	"context"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// A caller is what a tool may do with the client of its call.
type caller struct{ *call }

// Progress sends how far the call is, if the client asked for progress.
func (k caller) Progress(done, total float64, message string) {
	if r := k.tool(); r.Progress {
		k.sendInterim(&protocol.MCPToolProgress{ID: r.ID, Done: done, Total: total, Message: message})
	}
}

// Show sends a question for the client's user, if the client can show one.
func (k caller) Show(q protocol.Question) {
	if r := k.tool(); r.Elicit {
		k.sendInterim(&protocol.MCPToolQuestion{ID: r.ID, Question: q})
	}
}

// Await gives the call's slot back for good: a person answers one question after the other, and tools must not wait for that.
func (k caller) Await(ctx context.Context) (waiting context.Context, release func()) {
	k.leave()
	return k.conn.server.untilQuit(ctx)
}

// tool returns the request of a call that is a tool call.
func (k *call) tool() *protocol.MCPToolCall { return k.request.(*protocol.MCPToolCall) }

// sendInterim sends a message that precedes the reply. After the reply it sends nothing.
func (k *call) sendInterim(r protocol.Response) {
	c := k.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case k.answered:
	case k.interim != nil:
		k.interim(r)
	case k.replies == nil:
		c.send(r)
	}
}

// observe reports a tool call that has ended to Options.Observe.
func (k *call) observe(start time.Time, err error) {
	observe := k.conn.server.options.Observe
	if observe == nil {
		return
	}
	a := protocol.Activity{At: time.Now(), Kind: "tool", Name: k.tool().ToolName}
	a.TookMS = float64(a.At.Sub(start).Microseconds()) / 1000
	if err != nil {
		a.Failed = wording.ClipBytes(err.Error(), maxForeign)
	}
	observe(a)
}
