package questions

import (
	"context"
	"encoding/json"
	"strings"

	"tidepool/internal/ask"
	"tidepool/protocol"
)

// elicitation answers Claude Code's Elicitation hook, which runs before Claude Code opens a dialog. While agent ui shows all questions
// to a person, the hook waits for the answer there and returns it instead of a dialog's. nil opens the dialog: the question is not
// tidepool's, nobody watches any more, or ctx has ended.
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
		_, changed := s.store.List()
		if r, _ := s.store.Find(id); r.State != protocol.QuestionOpen {
			return elicited(r)
		}
		select {
		case <-changed:
			continue
		case <-left:
		case <-ctx.Done():
		}
		s.store.SetHome(id, home)
		return nil
	}
}

// serverName is the name of tidepool's MCP server in Claude Code, or the end of it.
const serverName = "tidepool"

// hold reserves the oldest open question with the text of a dialog that no other hook has reserved. Until release the question has
// no home; home is its previous one. id is "" if there is no such question.
func (s *Service) hold(message string) (id, home string, release func()) {
	list, _ := s.store.List()
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
	s.store.SetHome(id, "")
	return id, home, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.held, id)
	}
}

// elicited returns the hook's output for a closed question. After a withdrawn one the client asks the MCP server again, which
// returns the reason.
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
