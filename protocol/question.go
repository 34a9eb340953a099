package protocol

import "time"

// A Question is a question to the user. Its texts contain no control characters
// but line feeds.
type Question struct {
	ID      string           `json:"id"`   // a number that the daemon assigns
	Kind    QuestionKind     `json:"kind"` // how to show it
	Text    string           `json:"text"` // what is to be done, chosen or said
	Details string           `json:"details,omitempty"`
	Options []QuestionOption `json:"options,omitempty"`
	Free    bool             `json:"free,omitempty"` // free text is accepted, too
	From    QuestionOrigin   `json:"from"`
	Asked   time.Time        `json:"asked,omitzero"`
}

// Message returns the text of a dialog that shows the question.
func (q *Question) Message() string {
	if q.Details == "" {
		return q.Text
	}
	return q.Text + "\n\n" + q.Details
}

// A QuestionKind is what a question asks for.
type QuestionKind string

// The kinds of question.
const (
	ConfirmQuestion  QuestionKind = "confirm"  // whether something may be done; the options' ids are "yes" and "no"
	SelectQuestion   QuestionKind = "select"   // one of several options
	GuidanceQuestion QuestionKind = "guidance" // what to do, in words
)

// A QuestionOption is one choice.
type QuestionOption struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// A QuestionOrigin identifies who asks. Each part may be "".
type QuestionOrigin struct {
	Tool    string `json:"tool,omitempty"`
	Client  string `json:"client,omitempty"`  // name and version of the MCP client
	Session string `json:"session,omitempty"` // of Claude Code
	Dir     string `json:"dir,omitempty"`     // where the client works
}

// A QuestionState is a state in the life of a question.
type QuestionState string

// The states of a question. It leaves QuestionOpen once, and no other state.
const (
	QuestionOpen      QuestionState = "open"
	QuestionAnswered  QuestionState = "answered"
	QuestionWithdrawn QuestionState = "withdrawn" // nobody waits for it any more
)

// A QuestionRecord is a question with its state and its answer.
type QuestionRecord struct {
	Question
	State   QuestionState `json:"state"`
	Reply   QuestionReply `json:"reply,omitzero"`
	Channel string        `json:"channel,omitempty"` // that answered it: ui, elicitation, command
	Reason  string        `json:"reason,omitempty"`  // why it was withdrawn
	Closed  time.Time     `json:"closed,omitzero"`
	Seen    []string      `json:"seen,omitempty"` // channels on which a person can have seen it
	Home    string        `json:"home,omitempty"` // the only channel that accepts an answer now; "": each does
}

// A QuestionReply is the user's answer: an option's id, or free text.
type QuestionReply struct {
	Choice string `json:"choice,omitempty"`
	Text   string `json:"text,omitempty"`
}

// A QuestionsRequest asks for all questions.
type QuestionsRequest struct{}

// A QuestionsResponse lists the questions: open ones first, then the newest first.
type QuestionsResponse struct {
	Questions []QuestionRecord `json:"questions"`
}

// An AnswerRequest carries the reply to a question. Without a reply it reports
// that a person can have seen the question, or with Closed that its dialog is
// closed. A reply is accepted only from a process that Claude Code has not
// started, and on the channel "elicitation" only from the process that made the
// question's call.
type AnswerRequest struct {
	Question string `json:"question"`         // its id; required
	Channel  string `json:"channel"`          // required
	Closed   bool   `json:"closed,omitempty"` // the channel no longer shows the question
	QuestionReply
}

// An AnswerResponse is the question after an [AnswerRequest].
type AnswerResponse struct {
	Question QuestionRecord `json:"question"`
}

// An MCPToolQuestion asks the client of a call to show a question to its user. It
// is sent only if the call said that the client can. An [AnswerRequest] may
// follow on any connection, until the call ends.
type MCPToolQuestion struct {
	ID       string   `json:"id"` // of the call
	Question Question `json:"question"`
}

// A Watch subscribes to a [Happening] now and after every change, until the
// connection ends.
type Watch struct {
	Client string `json:"client,omitempty"` // name and version, for the log
}

// A Happening reports the state of the daemon. A part that has not changed since
// the last one is nil.
type Happening struct {
	Questions []QuestionRecord `json:"questions,omitzero"`  // all of them; empty: there are none
	Activity  []Activity       `json:"activity,omitempty"`  // since the last one, oldest first
	Languages []LanguageServer `json:"languages,omitempty"` // all of them
}

// An Activity is one hook event or tool call that has ended.
type Activity struct {
	At      time.Time `json:"at"`                // when it ended
	Kind    string    `json:"kind"`              // hook, tool
	Name    string    `json:"name"`              // of the event or the tool
	Detail  string    `json:"detail,omitempty"`  // of a hook: the tool that it is about
	Session string    `json:"session,omitempty"` // of Claude Code
	TookMS  float64   `json:"took_ms"`
	Failed  string    `json:"failed,omitempty"` // why; "" = it succeeded
}

func (a *AnswerRequest) missing() string {
	switch {
	case a.Question == "":
		return "question"
	case a.Channel == "":
		return "channel"
	}
	return ""
}

func (*QuestionsRequest) requestType() string { return "QuestionsRequest" }
func (*AnswerRequest) requestType() string    { return "AnswerRequest" }
func (*Watch) requestType() string            { return "Watch" }

func (*QuestionsResponse) responseType() string { return "QuestionsResponse" }
func (*AnswerResponse) responseType() string    { return "AnswerResponse" }
func (*MCPToolQuestion) responseType() string   { return "MCPToolQuestion" }
func (*Happening) responseType() string         { return "Happening" }
