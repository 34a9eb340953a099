package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidepool/internal/ask"
	"tidepool/protocol"
)

// Answer answers a question.
type Answer struct {
	Question string   `arg:"" optional:"" help:"The question's number. Default: the only open one."`
	Choice   []string `arg:"" optional:"" help:"An option's id, or free text."`
	Text     string   `help:"Free text." placeholder:"WORDS"`
}

// Run answers a question.
func (c *Answer) Run(place protocol.Place, std Stdio) error {
	response, err := askQuestions[*protocol.QuestionsResponse](place, &protocol.QuestionsRequest{})
	if err != nil {
		return err
	}
	if err := c.complete(response.Questions); err != nil {
		return err
	}
	request := &protocol.AnswerRequest{
		Question: c.Question, Channel: "command",
		QuestionReply: protocol.QuestionReply{Choice: strings.Join(c.Choice, " "), Text: c.Text},
	}
	answered, err := askQuestions[*protocol.AnswerResponse](place, request)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Out, "question %s: %s\n", answered.Question.ID, ask.Said(answered.Question))
	return err
}

// complete finds the question if none is named: the only open one. A single word is an answer, and so are words that
// begin with no number.
func (c *Answer) complete(questions []protocol.QuestionRecord) error {
	var open []string
	for _, r := range questions {
		if r.State == protocol.QuestionOpen {
			open = append(open, r.ID)
		}
	}
	single := len(c.Choice) == 0 && c.Text == ""
	known := slices.ContainsFunc(questions, func(r protocol.QuestionRecord) bool {
		return r.ID == strings.TrimPrefix(c.Question, "#")
	})
	switch {
	case single && (c.Question == "" || slices.Contains(open, strings.TrimPrefix(c.Question, "#"))):
		return &UsageError{Err: errors.New("an answer needs a choice, or --text")}
	case !single && (known || isNumber(c.Question)):
		return nil
	case len(open) != 1:
		return &whichError{open: open}
	}
	if c.Question != "" {
		c.Choice = append([]string{c.Question}, c.Choice...)
	}
	c.Question = open[0]
	return nil
}

func isNumber(text string) bool {
	_, err := strconv.Atoi(strings.TrimPrefix(text, "#"))
	return err == nil
}

// A whichError means that an answer names no question, and not one is open.
type whichError struct{ open []string }

func (e *whichError) Error() string {
	if len(e.open) == 0 {
		return "no question waits for an answer"
	}
	return "several questions wait for an answer: " + strings.Join(e.open, ", ")
}

// Hint says how to name one.
func (e *whichError) Hint() string {
	if len(e.open) == 0 {
		return "agent questions --all lists those that are over"
	}
	return "say which: agent answer " + e.open[0] + " CHOICE"
}
