package toolstest

import (
	"context"
	"testing"

	"tidepool/internal/ask"
	"tidepool/protocol"
)

// A Desk is a board with a user who replies to what is put up.
type Desk struct {
	*ask.Store
	Reply func(protocol.Question) *protocol.QuestionReply // nil is no answer
	Asked protocol.Question                               // the last one
}

// NewDesk has a user reply to questions.
func NewDesk(t testing.TB, reply func(protocol.Question) *protocol.QuestionReply) *Desk {
	t.Helper()
	b, err := ask.OpenStore("")
	if err != nil {
		t.Fatal(err)
	}
	return &Desk{Store: b, Reply: reply}
}

// Ask puts a question up and has the user reply.
func (d *Desk) Ask(ctx context.Context, q protocol.Question, posted func(protocol.Question)) (ask.Answer, error) {
	return d.Store.Ask(ctx, q, func(q protocol.Question) {
		d.Asked = q
		posted(q)
		if r := d.Reply(q); r != nil {
			if _, err := d.Answer(q.ID, *r, "ui"); err != nil {
				panic(err)
			}
		}
	})
}

// Saying returns a user who always replies the same.
func Saying(choice, text string) func(protocol.Question) *protocol.QuestionReply {
	return func(protocol.Question) *protocol.QuestionReply {
		return &protocol.QuestionReply{Choice: choice, Text: text}
	}
}
