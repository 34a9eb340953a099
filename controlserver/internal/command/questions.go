package command

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"time"
	"unicode"

	"tidepool/controlserver/internal/page"
	"tidepool/internal/ask"
	"tidepool/protocol"
)

// Questions lists what the user is asked.
type Questions struct {
	All bool `help:"List closed questions, too."`
}

// Run lists the questions that wait for an answer, and says how to give one.
func (c *Questions) Run(place protocol.Place, std Stdio) error {
	response, err := askQuestions[*protocol.QuestionsResponse](place, &protocol.QuestionsRequest{})
	if err != nil {
		return err
	}
	p := page.New(std.Out)
	shown := 0
	for _, r := range response.Questions {
		if r.State == protocol.QuestionOpen || c.All {
			printQuestion(p, r)
			shown++
		}
		if r.State == protocol.QuestionOpen { // a person reads the list
			seen := &protocol.AnswerRequest{Question: r.ID, Channel: "questions"}
			if _, err := askQuestions[*protocol.AnswerResponse](place, seen); err != nil {
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

// inShell returns an option's id as a shell takes it.
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

// by returns who asks, as far as it is known.
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

// askQuestions asks the daemon about the questions.
func askQuestions[R protocol.Response](place protocol.Place, request protocol.Request) (R, error) {
	response, err := exchange[R](place.Socket, request, boardTimeout)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return response, notRunning(place)
	}
	return response, err
}
