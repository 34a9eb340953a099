// Package questions lets a person answer the questions of tools on any channel: a dialog of Claude Code, agent ui, or
// a command.
//
// The package decides whose answer counts: that of a process which no model has started, or of the client that shows the dialog.
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
	list, _ := s.store.List()
	return list
}

// Answer records a person's reply. Without a reply it records that a person can have seen the question, or that its dialog is closed.
func (s *Service) Answer(ctx context.Context, r *protocol.AnswerRequest) (protocol.QuestionRecord, error) {
	record, known := s.store.Find(r.Question)
	if !known {
		return record, &ask.UnknownError{ID: r.Question}
	}
	refusal := s.refusal(ctx, record, r)
	switch {
	case r.QuestionReply != (protocol.QuestionReply{}):
		if refusal != nil {
			return record, refusal
		}
		return s.store.Answer(r.Question, r.QuestionReply, r.Channel)
	case refusal != nil: // what a model can have seen is not seen
		return record, nil
	case r.Closed && record.Home == r.Channel:
		s.store.SetHome(record.ID, "")
	case !r.Closed:
		s.store.MarkSeen(r.Question, r.Channel)
	}
	record, _ = s.store.Find(r.Question)
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

// OpenStore opens the store of a project's questions. It sets a damaged file aside and starts a new one; if that fails, it keeps the
// questions in memory. It logs both.
func OpenStore(project string, log *slog.Logger) *ask.Store {
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
