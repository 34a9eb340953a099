// Package dialog translates a question to MCP's elicitation and the client's result to an answer for the daemon, for both
// servers of MCP: the one on stdio and the one over HTTP.
package dialog

import (
	"cmp"
	"encoding/json"
	"time"

	"tidepool/protocol"
)

// MinTime is the least time in which a person can have seen a dialog. Some clients decline without showing one.
const MinTime = 300 * time.Millisecond

// channel is the daemon's name for answers from an MCP client's dialog.
const channel = "elicitation"

// Params are the params of elicitation/create in form mode. Format: MCP 2025-11-25, "Elicitation".
type Params struct {
	Mode    string `json:"mode"`
	Message string `json:"message"`
	Schema  Schema `json:"requestedSchema"`
}

// A Schema is a JSON schema of an object with flat properties.
type Schema struct {
	Type       string              `json:"type"`
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required,omitempty"`
}

// A property is a text, or with enum one of several. Names in enumNames are older than oneOf with titles, and every revision
// understands them.
type property struct {
	Type  string   `json:"type"`
	Title string   `json:"title,omitempty"`
	Enum  []string `json:"enum,omitempty"`
	Names []string `json:"enumNames,omitempty"`
}

// ParamsFor returns the dialog of a question. A confirmation needs no field: accepting the dialog means yes, declining it no. Claude
// Code shows such a form with Accept selected, so one key answers it.
func ParamsFor(q protocol.Question) Params {
	form := Params{Mode: "form", Message: q.Message(), Schema: Schema{Type: "object", Properties: map[string]property{}}}
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

// CanShow reports whether a client with these capabilities shows forms to its user. One that says no more than that it elicits,
// does.
func CanShow(capabilities json.RawMessage) bool {
	var c struct {
		Elicitation map[string]json.RawMessage `json:"elicitation"`
	}
	if json.Unmarshal(capabilities, &c) != nil || c.Elicitation == nil {
		return false
	}
	return len(c.Elicitation) == 0 || c.Elicitation["form"] != nil
}

// Answer returns what to send to the daemon after a dialog, which was shown for so long; nil: nothing. raw is the result of
// elicitation/create; anything else counts as none.
func Answer(q protocol.Question, raw json.RawMessage, shown time.Duration) *protocol.AnswerRequest {
	var result struct {
		Action  string `json:"action"` // accept, decline, cancel
		Content struct {
			Answer string `json:"answer"`
			Other  string `json:"other"`
		} `json:"content"`
	}
	_ = json.Unmarshal(raw, &result)
	answer := &protocol.AnswerRequest{Question: q.ID, Channel: channel}
	switch {
	case result.Action == "accept" && q.Kind == protocol.ConfirmQuestion:
		answer.Choice = cmp.Or(result.Content.Answer, "yes")
	case result.Action == "accept":
		answer.QuestionReply = protocol.QuestionReply{Choice: result.Content.Answer, Text: result.Content.Other}
	case shown < MinTime:
		return nil // nobody can have read the dialog
	case result.Action == "decline" && q.Kind == protocol.ConfirmQuestion:
		answer.Choice = "no"
	}
	return answer
}

// Seen tells the daemon that a person can have seen the dialog.
func Seen(q protocol.Question) *protocol.AnswerRequest {
	return &protocol.AnswerRequest{Question: q.ID, Channel: channel}
}

// Closed tells the daemon that the dialog is closed.
func Closed(q protocol.Question) *protocol.AnswerRequest {
	return &protocol.AnswerRequest{Question: q.ID, Channel: channel, Closed: true}
}
