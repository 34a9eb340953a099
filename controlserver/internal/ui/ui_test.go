package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tidepool/protocol"
)

// showing is a model that shows a question.
func showing(q protocol.Question) *model {
	q.Asked = time.Now()
	m := newModel(context.Background(), Options{Project: "/p"})
	m.Update(happened{&protocol.Happening{Questions: []protocol.QuestionRecord{{Question: q, State: protocol.QuestionOpen}}}})
	return m
}

var guidance = protocol.Question{
	ID: "4", Kind: protocol.GuidanceQuestion, Text: "Which way?", Free: true,
	Options: []protocol.QuestionOption{{ID: "1", Label: "left"}, {ID: "2", Label: "right"}},
}

// screen is what a model shows, without colours.
func screen(m *model) string { return ansi.Strip(m.View().Content) }

// TestTitleSaysTheStateWhateverTheDirectory: what waits counts for more than where a path begins.
func TestTitleSaysTheStateWhateverTheDirectory(t *testing.T) {
	long := "/home/ann/src/" + strings.Repeat("deep/", 30) + "shop"
	for _, tt := range []struct {
		project string
		width   int
		want    string
	}{
		{"/p", 60, "tidepool /p  1 question waits for you"},
		{long, 60, "tidepool …deep/deep/deep/deep/shop  1 question waits for you"},
		{"/home/ann/src/日本語/日本", 50, "tidepool …rc/日本語/日本  1 question waits for you"},
		{long, 20, "tidepool …p/deep/sh…"},
	} {
		m := showing(guidance)
		m.options.Project, m.width = tt.project, tt.width
		if got, _, _ := strings.Cut(screen(m), "\n"); got != tt.want {
			t.Errorf("%d cells: %q, want %q", tt.width, got, tt.want)
		}
	}
}

// TestRefusedAnswerKeepsWhatWasWritten: the daemon may have been busy, and words are dear.
func TestRefusedAnswerKeepsWhatWasWritten(t *testing.T) {
	m := showing(guidance)
	m.form.choice, m.form.words = ownWords, "neither, wait for Ann"
	before := m.form
	m.Update(answered{id: "4", err: errors.New("no answer in 5s")})
	if m.form == before || m.form.choice != ownWords || m.form.words != "neither, wait for Ann" {
		t.Errorf("%+v", m.form)
	}
	if got := screen(m); !strings.Contains(got, "no answer in 5s") {
		t.Error(got)
	}
}

// TestNewsOfOtherThingsLeaveTheQuestion that is being answered.
func TestNewsOfOtherThingsLeaveTheQuestion(t *testing.T) {
	m := showing(guidance)
	form := m.form
	m.Update(happened{&protocol.Happening{Activity: []protocol.Activity{{Kind: "hook", Name: "Stop"}}}})
	if m.form != form || len(m.open) != 1 {
		t.Errorf("%d open, %+v", len(m.open), m.form)
	}
	m.Update(happened{&protocol.Happening{Questions: []protocol.QuestionRecord{}}})
	if m.form != nil || len(m.open) != 0 {
		t.Errorf("%d open, %+v", len(m.open), m.form)
	}
}

func TestQuestionThatGoesWithTheDaemonIsMentioned(t *testing.T) {
	m := showing(guidance)
	m.Update(linked{errors.New("the daemon has gone: EOF")})
	if got := screen(m); m.form != nil || !strings.Contains(got, "question 4 went with the daemon") || !strings.Contains(got, "no daemon") {
		t.Error(got)
	}
}

// TestNothingReachesTheTerminal of what a name, a path or an outcome would make it do.
func TestNothingReachesTheTerminal(t *testing.T) {
	const evil = "a\x1b]0;title\x07\u202eb\u009b2J\r"
	q := guidance
	q.From = protocol.QuestionOrigin{Tool: evil, Client: evil, Session: evil}
	q.Text, q.Details = evil, evil
	m := showing(q)
	m.options.Project = evil
	m.notice = outcome(protocol.QuestionRecord{Question: q, State: protocol.QuestionWithdrawn, Reason: evil})
	m.Update(happened{&protocol.Happening{
		Activity:  []protocol.Activity{{Kind: evil, Name: evil, Detail: evil, Failed: evil}},
		Languages: []protocol.LanguageServer{{Language: evil, State: evil}},
	}})
	for _, r := range []string{"\x1b]", "\x07", "\u202e", "\u009b", "\r"} {
		if strings.Contains(m.View().Content, r) {
			t.Errorf("%q is on the screen", r)
		}
	}
	m.Update(answered{id: "4", err: errors.New(evil)})
	if strings.Contains(m.View().Content, "\x1b]") {
		t.Error("an error reaches the terminal as it is")
	}
}
