// Package questions lets a person answer the questions of tools on any channel: a dialog of Claude Code, agent ui, or
// a command.
//
// Whose answer counts is decided here: that of a process which no model has started, or of the client that shows the dialog.
package questions

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"tidepool/internal/ask"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// List returns all questions, open ones first.
func (s *Service) List() []protocol.QuestionRecord {
	list, _ := s.board.List()
	return list
}

// Answer takes a person's reply; one without a reply says that somebody can have seen the question, or sees it no more.
func (s *Service) Answer(ctx context.Context, r *protocol.AnswerRequest) (protocol.QuestionRecord, error) {
	record, known := s.board.Find(r.Question)
	if !known {
		return record, &ask.UnknownError{ID: r.Question}
	}
	refusal := s.refusal(ctx, record, r)
	switch {
	case r.QuestionReply != (protocol.QuestionReply{}):
		if refusal != nil {
			return record, refusal
		}
		return s.board.Answer(r.Question, r.QuestionReply, r.Channel)
	case refusal != nil: // what a model can have seen is not seen
		return record, nil
	case r.Closed && record.Home == r.Channel:
		s.board.SetHome(record.ID, "")
	case !r.Closed:
		s.board.MarkSeen(r.Question, r.Channel)
	}
	record, _ = s.board.Find(r.Question)
	return record, nil
}

// refusal returns why the process behind ctx may not speak for a person.
func (s *Service) refusal(ctx context.Context, record protocol.QuestionRecord, r *protocol.AnswerRequest) error {
	switch {
	case r.Channel != ask.Dialog:
		return s.check(ctx)
	case record.State == protocol.QuestionOpen && !s.shows(ctx, record.ID):
		return &otherClientError{record.ID}
	}
	return nil
}

// OpenBoard reads the board of a project. A file that holds no board is set aside, for a new one to begin; where that cannot be done
// the board is kept in memory. The log tells of both.
func OpenBoard(project string, log *slog.Logger) *ask.Store {
	path := filepath.Join(state.Of(project), "questions.json")
	board, err := ask.OpenStore(path)
	if damaged, is := errors.AsType[*ask.DamagedError](err); is {
		var aside string
		err = state.Within(path, func(f *state.File) (err error) {
			aside, err = f.SetAside()
			return err
		})
		if err == nil {
			log.Error("the questions cannot be read and are set aside", "err", damaged, "to", aside, "hint", damaged.Hint())
			board, err = ask.OpenStore(path)
		}
	}
	if err == nil {
		return board
	}
	log.Error("questions are not kept over a restart", "err", err)
	board, _ = ask.OpenStore("") // cannot fail: it reads nothing
	return board
}
