package serve

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"tidepool/internal/ask"
	"tidepool/internal/state"
	"tidepool/protocol"
)

// questions lets clients of the socket see and answer the board.
type questions struct {
	board  *ask.Board
	people *people
}

// List is all questions, open ones first.
func (q questions) List() []protocol.QuestionRecord {
	list, _ := q.board.List()
	return list
}

// Answer takes a person's reply; one without a reply says that somebody can have seen the question, or sees it no more.
func (q questions) Answer(ctx context.Context, r *protocol.AnswerRequest) (protocol.QuestionRecord, error) {
	record, known := q.board.Find(r.Question)
	if !known {
		return record, &ask.UnknownError{ID: r.Question}
	}
	stranger := q.stranger(ctx, record, r)
	switch {
	case r.QuestionReply != (protocol.QuestionReply{}):
		if stranger != nil {
			return record, stranger
		}
		return q.board.Answer(r.Question, r.QuestionReply, r.Channel)
	case stranger != nil: // what a model can have seen is not seen
		return record, nil
	case r.Closed && record.Home == r.Channel:
		q.board.SetHome(record.ID, "")
	case !r.Closed:
		q.board.Saw(r.Question, r.Channel)
	}
	record, _ = q.board.Find(r.Question)
	return record, nil
}

// stranger says why the process behind ctx may not speak for a person.
func (q questions) stranger(ctx context.Context, record protocol.QuestionRecord, r *protocol.AnswerRequest) error {
	switch {
	case r.Channel != ask.Dialog:
		return q.people.check(ctx)
	case record.State == protocol.QuestionOpen && !q.people.shows(ctx, record.ID):
		return &strangerError{record.ID}
	}
	return nil
}

// openBoard reads the board. A file that holds no board is set aside, for a new one to begin; where that cannot be done
// the board is kept in memory. The log tells of both.
func openBoard(place protocol.Place, log *slog.Logger) *ask.Board {
	path := filepath.Join(state.Of(place.Project), "questions.json")
	board, err := ask.OpenBoard(path)
	if damaged, is := errors.AsType[*ask.DamagedError](err); is {
		var aside string
		err = state.Within(path, func(f *state.File) (err error) {
			aside, err = f.SetAside()
			return err
		})
		if err == nil {
			log.Error("the questions cannot be read and are set aside", "err", damaged, "to", aside, "hint", damaged.Hint())
			board, err = ask.OpenBoard(path)
		}
	}
	if err == nil {
		return board
	}
	log.Error("questions are not kept over a restart", "err", err)
	board, _ = ask.OpenBoard("") // cannot fail: it reads nothing
	return board
}
