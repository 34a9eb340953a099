package questions

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
func (s *Service) elicitation(ctx context.Context, in *protocol.HookInput) protocol.HookOutput {
	left := s.watched()
	if left == nil || !strings.Contains(in.MCPServerName, serverName) {
		return nil
	}
	id, home, release := s.hold(in.Message)
	if id == "" {
		return nil
	}
	defer release()
	for {
		_, changed := s.board.List()
		if r, _ := s.board.Find(id); r.State != protocol.QuestionOpen {
			return elicited(r)
		}
		select {
		case <-changed:
			continue
		case <-left:
		case <-ctx.Done():
		}
		s.board.SetHome(id, home)
		return nil
	}
}

// serverName is what Claude Code calls our MCP server, or the end of it.
const serverName = "tidepool"

// hold takes the oldest open question with a text that a dialog shows, and that no other hook holds. Until release it has
// no home; home is the one that it had. id is "" if there is none.
func (s *Service) hold(message string) (id, home string, release func()) {
	list, _ := s.board.List()
	s.mu.Lock()
	for _, r := range list { // the newest first
		if r.State == protocol.QuestionOpen && r.Message() == message && !s.held[r.ID] {
			id, home = r.ID, r.Home
		}
	}
	if id != "" {
		s.held[id] = true
	}
	s.mu.Unlock()
	if id == "" {
		return "", "", nil
	}
	s.board.SetHome(id, "")
	return id, home, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.held, id)
	}
}

// elicited returns what the hook says of a question that is over. A client that is told of a withdrawn one asks our MCP server
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
