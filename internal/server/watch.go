package server

import (
	"context"
	"errors"

	"tidepool/protocol"
)

// errNoQuestions is the reply of a daemon without questions.
var errNoQuestions = errors.New("this daemon asks no questions")

// questions returns all questions. A daemon without questions has an empty list.
func (k *call) questions() protocol.Response {
	list := []protocol.QuestionRecord{}
	if q := k.conn.server.options.Questions; q != nil {
		list = append(list, q.List()...)
	}
	return &protocol.QuestionsResponse{Questions: list}
}

// answerQuestion records an answer. The handler checks whose process gives it.
func (k *call) answerQuestion(r *protocol.AnswerRequest) protocol.Response {
	q := k.conn.server.options.Questions
	if q == nil {
		return k.failure(errNoQuestions)
	}
	record, err := q.Answer(k.ctx, r)
	if err != nil {
		return k.failure(err)
	}
	return &protocol.AnswerResponse{Question: record}
}

// watch sends the connection what happens, beside the replies to its requests, until it ends or the server quits.
func (c *conn) watch(r *protocol.Watch) {
	s := c.server
	if s.options.Feed == nil {
		c.reject(protocol.CodeInvalidParams, "this daemon tells nobody what happens")
		return
	}
	if c.watching {
		c.reject(protocol.CodeInvalidRequest, "this connection watches already")
		return
	}
	c.watching = true
	c.countClient()
	c.follow(func(ctx context.Context) {
		s.options.Feed.Follow(ctx, func(h *protocol.Happening) { c.write(h) })
	})
}

// sendMessages sends the connection messages, beside the replies to its requests, until it ends or the server quits.
func (c *conn) sendMessages() {
	messages := c.server.options.Messages
	if messages == nil || c.messaged {
		return
	}
	c.messaged = true
	c.follow(func(ctx context.Context) {
		messages.Follow(ctx, func(m *protocol.LogMessage) { c.write(m) })
	})
}

// follow runs what sends to the connection until it ends or the server quits.
func (c *conn) follow(run func(context.Context)) {
	c.users.Add(1)
	go func() {
		defer c.release()
		ctx, stop := c.server.untilQuit(c.ctx)
		defer stop()
		run(ctx)
	}()
}
