package mcp

import (
	"cmp"
	"encoding/json"
	"time"

	"tidepool/agent/internal/client"
	"tidepool/protocol"
)

// minDialogTime is the least time in which a person can have seen a dialog. Some
// clients decline without showing one.
const minDialogTime = 300 * time.Millisecond

// channel is the daemon's name for answers from an MCP client's dialog.
const channel = "elicitation"

// answerTimeout is how long the daemon may take to record an answer.
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

// A property is a text, or with enum one of several. Names in enumNames are older
// than oneOf with titles, and every revision understands them.
type property struct {
	Type  string   `json:"type"`
	Title string   `json:"title,omitempty"`
	Enum  []string `json:"enum,omitempty"`
	Names []string `json:"enumNames,omitempty"`
}

// elicitResult is the client's answer.
type elicitResult struct {
	Action  string `json:"action"` // accept, decline, cancel
	Content struct {
		Answer string `json:"answer"`
		Other  string `json:"other"`
	} `json:"content"`
}

// formFor returns the dialog of a question. A confirmation needs no field: accepting
// the dialog means yes, declining it no. Claude Code shows such a form with Accept
// selected, so one key answers it.
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
	if len(form.Schema.Properties) == 1 { // else either of the two is enough
		for name := range form.Schema.Properties {
			form.Schema.Required = []string{name}
		}
	}
	return form
}

// reportAnswer sends the daemon the outcome of a dialog, which was shown for so long.
func (s *server) reportAnswer(q protocol.Question, raw json.RawMessage, shown time.Duration) {
	var result elicitResult
	_ = json.Unmarshal(raw, &result) // anything but a result counts as none
	answer := &protocol.AnswerRequest{Question: q.ID, Channel: channel}
	switch {
	case result.Action == "accept" && q.Kind == protocol.ConfirmQuestion:
		answer.Choice = cmp.Or(result.Content.Answer, "yes")
	case result.Action == "accept":
		answer.QuestionReply = protocol.QuestionReply{Choice: result.Content.Answer, Text: result.Content.Other}
	case shown < minDialogTime:
		return // nobody can have read the dialog
	case result.Action == "decline" && q.Kind == protocol.ConfirmQuestion:
		answer.Choice = "no"
	}
	s.sendAnswer(answer)
}

// reportSeen tells the daemon that a person can have seen the dialog.
func (s *server) reportSeen(q protocol.Question) {
	s.sendAnswer(&protocol.AnswerRequest{Question: q.ID, Channel: channel})
}

// reportClosed tells the daemon that the dialog is closed.
func (s *server) reportClosed(q protocol.Question) {
	s.sendAnswer(&protocol.AnswerRequest{Question: q.ID, Channel: channel, Closed: true})
}

// sendAnswer sends an answer to the daemon. It ignores errors: a late or wrong answer
// leaves the question unchanged, and the call's own reply carries its end.
func (s *server) sendAnswer(answer *protocol.AnswerRequest) {
	_, _ = client.Ask(s.Locate(), answer, time.Now().Add(answerTimeout))
}
