package mcp

import (
	"cmp"
	"encoding/json"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// glance is how long a person needs at the least to have seen a dialog. Clients
// are known to decline without showing one.
const glance = 300 * time.Millisecond

// channel is what the daemon calls answers from an MCP client's dialog.
const channel = "elicitation"

// answerTimeout is how long the daemon may take to note an answer.
const answerTimeout = 5 * time.Second

// elicitParams are the params of elicitation/create in form mode. Format: MCP
// 2025-11-25, "Elicitation".
type elicitParams struct {
	Mode    string `json:"mode"`
	Message string `json:"message"`
	Schema  schema `json:"requestedSchema"`
}

// A schema is a JSON schema of an object with flat properties.
type schema struct {
	Type       string              `json:"type"`
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required,omitempty"`
}

// A property is a text, or one of several by enum. Names in enumNames are older
// than oneOf with titles, and understood in every revision.
type property struct {
	Type  string   `json:"type"`
	Title string   `json:"title,omitempty"`
	Enum  []string `json:"enum,omitempty"`
	Names []string `json:"enumNames,omitempty"`
}

// elicitResult is what the client answers.
type elicitResult struct {
	Action  string `json:"action"` // accept, decline, cancel
	Content struct {
		Answer string `json:"answer"`
		Other  string `json:"other"`
	} `json:"content"`
}

// formFor is the dialog of a question. Whether something may be done needs no
// field: to accept the dialog is the yes, and to decline it the no. Claude Code
// shows such a form with Accept selected, so that one key answers.
func formFor(q protocol.Question) elicitParams {
	form := elicitParams{Mode: "form", Message: q.Message(), Schema: schema{Type: "object", Properties: map[string]property{}}}
	if q.Kind == protocol.ConfirmQuestion {
		return form
	}
	if len(q.Options) > 0 {
		answer := property{Type: "string", Title: "Answer"}
		for _, o := range q.Options {
			answer.Enum, answer.Names = append(answer.Enum, o.ID), append(answer.Names, o.Label)
		}
		form.Schema.Properties["answer"] = answer
	}
	if q.Free {
		form.Schema.Properties["other"] = property{Type: "string", Title: "In your own words"}
	}
	if len(form.Schema.Properties) == 1 { // else either of the two will do
		for name := range form.Schema.Properties {
			form.Schema.Required = []string{name}
		}
	}
	return form
}

// tell notes at the daemon what became of a dialog that was shown so long.
func (s *server) tell(q protocol.Question, raw json.RawMessage, shown time.Duration) {
	var result elicitResult
	_ = json.Unmarshal(raw, &result) // what is no result is as good as none
	answer := &protocol.AnswerRequest{Question: q.ID, Channel: channel}
	switch {
	case result.Action == "accept" && q.Kind == protocol.ConfirmQuestion:
		answer.Choice = cmp.Or(result.Content.Answer, "yes")
	case result.Action == "accept":
		answer.QuestionReply = protocol.QuestionReply{Choice: result.Content.Answer, Text: result.Content.Other}
	case shown < glance:
		return // nobody can have read it
	case result.Action == "decline" && q.Kind == protocol.ConfirmQuestion:
		answer.Choice = "no"
	}
	s.note(answer)
}

// saw notes at the daemon that a person can have seen the dialog.
func (s *server) saw(q protocol.Question) {
	s.note(&protocol.AnswerRequest{Question: q.ID, Channel: channel})
}

// closed notes at the daemon that the dialog is not shown any more.
func (s *server) closed(q protocol.Question) {
	s.note(&protocol.AnswerRequest{Question: q.ID, Channel: channel, Closed: true})
}

// note tells the daemon. An answer that comes too late, or that does not fit,
// leaves the question as it is: the call's own reply says how it ends.
func (s *server) note(answer *protocol.AnswerRequest) {
	_, _ = client.Ask(s.Locate(), answer, time.Now().Add(answerTimeout))
}
