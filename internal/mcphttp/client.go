package mcphttp

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tidepool/internal/dialog"
	"tidepool/internal/server"
	"tidepool/protocol"
)

// A client is who makes a call, for the time of one request.
type client struct {
	ctx     context.Context // of the call; it ends when the client cancels it
	request *request
	session *mcp.ServerSession
	params  *mcp.CallToolParamsRaw
	token   any    // for progress; nil: the client wants none
	name    string // and version
	modern  bool   // it has no session
	shows   bool   // it can show questions, and may

	reported bool    // progress
	last     float64 // that was reported
}

func newClient(ctx context.Context, request *request, r *mcp.CallToolRequest) *client {
	c := &client{ctx: ctx, request: request, session: r.Session, params: r.Params, token: r.Params.GetProgressToken()}
	c.modern = r.ProtocolVersion() >= sessionless
	if info := r.ClientInfo(); info != nil {
		c.name = strings.TrimSpace(info.Name + " " + info.Version)
	}
	if can := r.ClientCapabilities(); can != nil && can.Elicitation != nil {
		c.shows = (can.Elicitation.Form != nil || can.Elicitation.URL == nil) && server.PeerPID(request.ctx) != 0
	}
	return c
}

// meta returns where the call comes from.
func (c *client) meta() *protocol.CallMeta {
	toolUse, _ := c.params.Meta["claudecode/toolUseId"].(string)
	return &protocol.CallMeta{ToolUseID: toolUse, Client: c.name, Session: c.session.ID()}
}

// report sends how far the call is. MCP requires progress to grow with each.
func (c *client) report(p *protocol.MCPToolProgress) {
	if c.reported && p.Done <= c.last {
		return
	}
	c.reported, c.last = true, p.Done
	_ = c.session.NotifyProgress(c.ctx, &mcp.ProgressNotificationParams{ // the call's own reply shows that the client is gone
		ProgressToken: c.token, Progress: p.Done, Total: p.Total, Message: p.Message,
	})
}

// show shows a question in the client's dialog until it is answered there, or ctx ends, which closes the dialog.
func (c *client) show(ctx context.Context, q protocol.Question) {
	form, begin := dialog.ParamsFor(q), time.Now()
	seen := time.AfterFunc(dialog.MinTime, func() { c.send(dialog.Seen(q)) })
	defer seen.Stop()
	result, err := c.session.Elicit(ctx, &mcp.ElicitParams{Mode: form.Mode, Message: form.Message, RequestedSchema: form.Schema})
	if ctx.Err() != nil { // the call has ended
		c.request.awaitClose()
		return
	}
	var raw json.RawMessage
	if err == nil {
		raw, _ = json.Marshal(result) // the SDK has decoded it
	}
	if answer := dialog.Answer(q, raw, time.Since(begin)); answer != nil {
		c.send(answer)
	}
}

// answer tells the daemon what a client without a session says to a question that it was told to show.
func (c *client) answer(w *suspended, responses mcp.InputResponseMap) {
	raw, _ := json.Marshal(responses[inputKey]) // the SDK has decoded it
	shown := time.Since(w.since)
	if answer := dialog.Answer(w.question, raw, shown); answer != nil {
		c.send(answer)
	}
	if shown >= dialog.MinTime {
		c.send(dialog.Seen(w.question))
	}
	c.send(dialog.Closed(w.question))
}

// send sends the daemon an answer. It ignores errors: a late or wrong answer leaves the question unchanged, and the call's own reply
// carries its end.
func (c *client) send(answer *protocol.AnswerRequest) { server.Follow(c.request.ctx, answer, nil) }
