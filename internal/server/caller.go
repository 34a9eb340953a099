package server

import (
	"context"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// A caller is a call as its handler sees it.
type caller struct{ *call }

// Progress tells the client how far the call is, if it wants to know.
func (k caller) Progress(done, total float64, message string) {
	if r := k.tool(); r.Progress {
		k.tell(&protocol.MCPToolProgress{ID: r.ID, Done: done, Total: total, Message: message})
	}
}

// Show shows a question to the client's user, if the client can.
func (k caller) Show(q protocol.Question) {
	if r := k.tool(); r.Elicit {
		k.tell(&protocol.MCPToolQuestion{ID: r.ID, Question: q})
	}
}

// Await lets another call run in this one's place, for good: people answer one question after the other.
func (k caller) Await(ctx context.Context) (waiting context.Context, release func()) {
	k.leave()
	return k.conn.server.untilQuit(ctx)
}

func (k *call) tool() *protocol.MCPToolCall { return k.request.(*protocol.MCPToolCall) }

// tell sends what comes before the answer; nothing comes behind it.
func (k *call) tell(r protocol.Response) {
	c := k.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if !k.answered {
		c.send(r)
	}
}

// observe tells of a tool call that has ended.
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
