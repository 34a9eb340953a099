package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode"

	"tidepool/controlserver/internal/page"
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
	path := filepath.Join(stateDir(place), "questions.json")
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

type questionsCommand struct {
	All bool `help:"List those that are over, too."`
}

// Run lists the questions that wait for an answer, and says how to give one.
func (c *questionsCommand) Run(place protocol.Place, std stdio) error {
	response, err := askBoard[*protocol.QuestionsResponse](place, &protocol.QuestionsRequest{})
	if err != nil {
		return err
	}
	p := page.New(std.out)
	shown := 0
	for _, r := range response.Questions {
		if r.State == protocol.QuestionOpen || c.All {
			printQuestion(p, r)
			shown++
		}
		if r.State == protocol.QuestionOpen { // a person reads the list
			seen := &protocol.AnswerRequest{Question: r.ID, Channel: "questions"}
			if _, err := askBoard[*protocol.AnswerResponse](place, seen); err != nil {
				return err
			}
		}
	}
	if shown == 0 {
		p.Text(page.Plain, "no questions")
	}
	return p.Err()
}

func printQuestion(p *page.Page, r protocol.QuestionRecord) {
	tone := page.Plain
	if r.State == protocol.QuestionOpen {
		tone = page.Odd
	}
	paragraphs(p, tone, "question "+r.ID, r.Text)
	paragraphs(p, page.Plain, "", r.Details)
	p.Row(page.Plain, "asked", time.Since(r.Asked).Round(time.Second).String()+" ago"+by(r.From))
	switch r.State {
	case protocol.QuestionAnswered:
		p.Row(page.Good, "answered", ask.Said(r)+" ("+r.Channel+")")
		return
	case protocol.QuestionWithdrawn:
		p.Row(page.Plain, "withdrawn", r.Reason)
		return
	}
	if r.Home != "" {
		home := &ask.HomeError{Record: r}
		p.Row(page.Plain, "waits", home.Where())
		p.Row(page.Plain, "", home.Hint())
		return
	}
	for _, o := range r.Options {
		p.Line(page.Plain, o.Label, "agent answer "+r.ID+" "+inShell(o.ID))
	}
	if r.Free {
		p.Line(page.Plain, "other words", "agent answer "+r.ID+" --text '…'")
	}
}

// inShell is an option's id as a shell takes it.
func inShell(id string) string {
	special := func(r rune) bool {
		return !strings.ContainsRune("_-.", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	if strings.ContainsFunc(id, special) {
		id = "'" + strings.ReplaceAll(ask.Plain(id), "'", `'\''`) + "'"
	}
	if strings.HasPrefix(strings.TrimPrefix(id, "'"), "-") {
		return "-- " + id // no flag
	}
	return id
}

// paragraphs writes the lines of a text beside a label.
func paragraphs(p *page.Page, tone page.Tone, label, text string) {
	for line := range strings.Lines(text) {
		p.Row(tone, label, strings.TrimSuffix(line, "\n"))
		label, tone = "", page.Plain
	}
}

// by says who asks, as far as it is known.
func by(from protocol.QuestionOrigin) string {
	text := ""
	if from.Tool != "" {
		text += ", by " + from.Tool
	}
	if from.Client != "" {
		text += " of " + from.Client
	}
	if from.Session != "" {
		text += ", session " + from.Session
	}
	return text
}

// boardTimeout is how long the daemon may take for what it has in memory.
const boardTimeout = 5 * time.Second

// askBoard asks the daemon about the questions.
func askBoard[R protocol.Response](place protocol.Place, request protocol.Request) (R, error) {
	response, err := exchange[R](place.Socket, request, boardTimeout)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return response, notRunning(place)
	}
	return response, err
}
