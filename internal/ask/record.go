package ask

import (
	"slices"
	"time"
)

// A State is where a question is in its life.
type State string

// The states. A question leaves Open once.
const (
	Open      State = "open"
	Answered  State = "answered"
	Withdrawn State = "withdrawn" // nobody waits for it any more
)

// A Record is a question and what became of it.
type Record struct {
	Question
	State   State     `json:"state"`
	Reply   Reply     `json:"reply,omitzero"`
	Channel string    `json:"channel,omitempty"` // by which it was answered
	Reason  string    `json:"reason,omitempty"`  // why it was withdrawn
	Closed  time.Time `json:"closed,omitzero"`
	Seen    []string  `json:"seen,omitempty"` // channels by which a person can have seen it
}

func (r Record) clone() Record {
	r.Options, r.Seen = slices.Clone(r.Options), slices.Clone(r.Seen)
	return r
}

// Who says whose answer an Answer is.
type Who string

// The answerers. Only User is an answer.
const (
	User    Who = "user"
	None    Who = "none"    // nobody can have seen the question
	Timeout Who = "timeout" // it was shown, and nobody answered in time
)

// An Answer is what became of a question that was waited for.
type Answer struct {
	By      Who
	Reply   Reply  // zero unless By is User
	Channel string // "" unless By is User
	Reason  string // why there is no answer; "" if By is User
	ID      string // of the question
}
