package ask

import (
	"slices"

	"tidepool/protocol"
)

// Who is the source of an Answer.
type Who string

// The sources. Only User is a real answer.
const (
	User    Who = "user"
	None    Who = "none"    // nobody can have seen the question
	Timeout Who = "timeout" // it was shown, and nobody answered in time
)

// An Answer is the outcome of Ask.
type Answer struct {
	By      Who
	Reply   protocol.QuestionReply // zero unless By is User
	Channel string                 // "" unless By is User
	Reason  string                 // why there is no answer; "" if By is User
	ID      string                 // of the question
}

// Said returns the reply of a record as text; "" if there is none.
func Said(r protocol.QuestionRecord) string {
	if r.Reply.Text != "" {
		return r.Reply.Text
	}
	if o, is := optionCalled(r.Question, r.Reply.Choice); is {
		return o.Label
	}
	return r.Reply.Choice
}

func clone(r protocol.QuestionRecord) protocol.QuestionRecord {
	r.Options, r.Seen = slices.Clone(r.Options), slices.Clone(r.Seen)
	return r
}
