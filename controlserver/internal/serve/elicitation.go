package serve

import (
	"context"
	"encoding/json"
	"strings"

	"tidepool/internal/ask"
	"tidepool/protocol"
)

// elicitation answers Claude Code's Elicitation hook, which runs before it opens a dialog. While a person watches every
// question in agent ui, the hook waits for the answer there and gives it in the dialog's place. nil opens the dialog: the
// question is not ours, nobody watches any more, or ctx has ended.
func (p *people) elicitation(ctx context.Context, in *protocol.HookInput) protocol.HookOutput {
	left := p.watched()
	if left == nil || !strings.Contains(in.MCPServerName, serverName) {
		return nil
	}
	id, home, release := p.hold(in.Message)
	if id == "" {
		return nil
	}
	defer release()
	for {
		_, changed := p.board.List()
		if r, _ := p.board.Find(id); r.State != protocol.QuestionOpen {
			return elicited(r)
		}
		select {
		case <-changed:
			continue
		case <-left:
		case <-ctx.Done():
		}
		p.board.SetHome(id, home)
		return nil
	}
}

// serverName is what Claude Code calls our MCP server, or the end of it.
const serverName = "tidepool"

// hold takes the oldest open question with a text that a dialog shows, and that no other hook holds. Until release it has
// no home; home is the one that it had. id is "" if there is none.
func (p *people) hold(message string) (id, home string, release func()) {
	list, _ := p.board.List()
	p.mu.Lock()
	for _, r := range list { // the newest first
		if r.State == protocol.QuestionOpen && r.Message() == message && !p.held[r.ID] {
			id, home = r.ID, r.Home
		}
	}
	if id != "" {
		p.held[id] = true
	}
	p.mu.Unlock()
	if id == "" {
		return "", "", nil
	}
	p.board.SetHome(id, "")
	return id, home, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.held, id)
	}
}

// elicited is what the hook says of a question that is over. A client that is told of a withdrawn one asks our MCP server
// again, which says why.
func elicited(r protocol.QuestionRecord) protocol.HookOutput {
	switch {
	case r.State != protocol.QuestionAnswered:
		return &protocol.ElicitationOutput{Action: protocol.Cancel}
	case r.Kind == protocol.ConfirmQuestion && r.Reply.Choice != ask.Yes:
		return &protocol.ElicitationOutput{Action: protocol.Decline}
	}
	content := map[string]string{}
	if r.Kind != protocol.ConfirmQuestion && r.Reply.Choice != "" {
		content["answer"] = r.Reply.Choice
	}
	if r.Reply.Text != "" && r.Free {
		content["other"] = r.Reply.Text
	}
	data, err := json.Marshal(content)
	if err != nil { // texts always can be encoded
		return &protocol.ElicitationOutput{Action: protocol.Cancel}
	}
	return &protocol.ElicitationOutput{Action: protocol.Accept, Content: data}
}
