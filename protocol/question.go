package protocol

import "time"

// A Question is what the user is asked. Its texts hold no control characters
// but line feeds.
type Question struct {
	ID      string           `json:"id"`   // a number; the daemon gives it
	Kind    QuestionKind     `json:"kind"` // how it is best shown
	Text    string           `json:"text"` // what is to be done, chosen or said
	Details string           `json:"details,omitempty"`
	Options []QuestionOption `json:"options,omitempty"`
	Free    bool             `json:"free,omitempty"` // an answer in one's own words will do, too
	From    QuestionOrigin   `json:"from"`
	Asked   time.Time        `json:"asked,omitzero"`
}

// Message is the text of a dialog that shows the question.
func (q *Question) Message() string {
	if q.Details == "" {
		return q.Text
	}
	return q.Text + "\n\n" + q.Details
}

// A QuestionKind says what a question wants to know.
type QuestionKind string

// The kinds of question.
const (
	ConfirmQuestion  QuestionKind = "confirm"  // whether something may be done; the options' ids are "yes" and "no"
	SelectQuestion   QuestionKind = "select"   // one of several options
	GuidanceQuestion QuestionKind = "guidance" // what to do, in words
)

// A QuestionOption is one that can be chosen.
type QuestionOption struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// A QuestionOrigin tells who asks. Each part may be "".
type QuestionOrigin struct {
	Tool    string `json:"tool,omitempty"`
	Client  string `json:"client,omitempty"`  // name and version of the MCP client
	Session string `json:"session,omitempty"` // of Claude Code
	Dir     string `json:"dir,omitempty"`     // where the client works
}

// A QuestionState is where a question is in its life.
type QuestionState string

// The states of a question. It leaves QuestionOpen once.
const (
	QuestionOpen      QuestionState = "open"
	QuestionAnswered  QuestionState = "answered"
	QuestionWithdrawn QuestionState = "withdrawn" // nobody waits for it any more
)

// A QuestionRecord is a question and what became of it.
type QuestionRecord struct {
	Question
	State   QuestionState `json:"state"`
	Reply   QuestionReply `json:"reply,omitzero"`
	Channel string        `json:"channel,omitempty"` // by which it was answered: ui, elicitation, command
	Reason  string        `json:"reason,omitempty"`  // why it was withdrawn
	Closed  time.Time     `json:"closed,omitzero"`
	Seen    []string      `json:"seen,omitempty"` // channels by which a person can have seen it
	Home    string        `json:"home,omitempty"` // the one channel that takes an answer now; "": each does
}

// A QuestionReply is what the user says: an option's id, or words of one's own.
type QuestionReply struct {
	Choice string `json:"choice,omitempty"`
	Text   string `json:"text,omitempty"`
}

// A QuestionsRequest asks which questions there are.
type QuestionsRequest struct{}

// A QuestionsResponse lists them: open ones first, else the newest first.
type QuestionsResponse struct {
	Questions []QuestionRecord `json:"questions"`
}

// An AnswerRequest gives the reply to a question. Without a reply it says that a
// person can have seen the question, or with Closed just that. Only a process
// that Claude Code has not started may give one, and by the channel
// "elicitation" the process that made the question's call.
type AnswerRequest struct {
	Question string `json:"question"`         // its id; required
	Channel  string `json:"channel"`          // required
	Closed   bool   `json:"closed,omitempty"` // the channel does not show the question any more
	QuestionReply
}

// An AnswerResponse says what has become of the question.
type AnswerResponse struct {
	Question QuestionRecord `json:"question"`
}

// An MCPToolQuestion shows a question to the user of the client that made a
// call, if the call said that the client can. An [AnswerRequest] may follow on any
// connection; the call's end says that it is too late for one.
type MCPToolQuestion struct {
	ID       string   `json:"id"` // of the call
	Question Question `json:"question"`
}

// A Watch asks for a [Happening] now and after every change, until the
// connection ends.
type Watch struct {
	Client string `json:"client,omitempty"` // name and version, for the log
}

// A Happening is how things are in the daemon. What has not changed since the
// last one is nil.
type Happening struct {
	Questions []QuestionRecord `json:"questions,omitzero"`  // all of them; empty: there are none
	Activity  []Activity       `json:"activity,omitempty"`  // what has been done since the last one, oldest first
	Languages []LanguageServer `json:"languages,omitempty"` // all of them
}

// An Activity is something that the daemon has done for somebody.
type Activity struct {
	At      time.Time `json:"at"`                // when it ended
	Kind    string    `json:"kind"`              // hook, tool
	Name    string    `json:"name"`              // of the event or the tool
	Detail  string    `json:"detail,omitempty"`  // of a hook: the tool that it is about
	Session string    `json:"session,omitempty"` // of Claude Code
	TookMS  float64   `json:"took_ms"`
	Failed  string    `json:"failed,omitempty"` // why; "": it has not
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
