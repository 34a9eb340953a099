package toolstest

import (
	"context"
	"testing"

	"tidepool/internal/ask"
	"tidepool/protocol"
)

// A FakeUser is a store of questions whose user answers at once.
type FakeUser struct {
	*ask.Store
	Reply func(protocol.Question) *protocol.QuestionReply // nil is no answer
	Asked protocol.Question                               // the last one
}

// NewFakeUser returns a user who answers questions by reply.
func NewFakeUser(t testing.TB, reply func(protocol.Question) *protocol.QuestionReply) *FakeUser {
	t.Helper()
	b, err := ask.OpenStore("")
	if err != nil {
		t.Fatal(err)
	}
	return &FakeUser{Store: b, Reply: reply}
}

// Ask stores a question and has the user answer it.
func (d *FakeUser) Ask(ctx context.Context, q protocol.Question, posted func(protocol.Question)) (ask.Answer, error) {
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
