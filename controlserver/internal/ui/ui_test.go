package ui

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
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
		{long, 20, "tidepool …/deep/shop"},
	} {
		m := showing(guidance)
		m.options.Project, m.width = tt.project, tt.width
		if got, _, _ := strings.Cut(screen(m), "\n"); got != tt.want {
			t.Errorf("%d cells: %q, want %q", tt.width, got, tt.want)
		}
	}
}

func TestDirectoryBelowHome(t *testing.T) {
	for _, tt := range []struct{ project, home, want string }{
		{"/home/ann/src/shop", "/home/ann", "~/src/shop"},
		{"/home/ann", "/home/ann/", "~"},
		{"/home/anna/shop", "/home/ann", "/home/anna/shop"},
		{"/home/ann/..shop", "/home/ann", "~/..shop"},
		{"/srv/shop", "", "/srv/shop"},
	} {
		if got := (Options{Project: tt.project, Home: tt.home}).directory(); got != tt.want {
			t.Errorf("%s of %q is %q, want %q", tt.project, tt.home, got, tt.want)
		}
	}
}

// TestServersForDraftsAreNamedApart: a second server of a language answers no queries.
func TestServersForDraftsAreNamedApart(t *testing.T) {
	m := newModel(t.Context(), Options{})
	m.languages = []protocol.LanguageServer{{Language: "go", State: "ready"}, {Language: "go", State: "idle", Drafts: true}}
	if got := strings.Join(m.languageLines(), "\n"); got != "go ready · go for drafts idle" {
		t.Errorf("%q", got)
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

// TestNothingIsCutInANarrowTerminal: what does not fit goes on in the next line.
func TestNothingIsCutInANarrowTerminal(t *testing.T) {
	question := guidance
	question.Text = "Which of the two ways through the harbour shall the ferry take when the tide is out?"
	question.From = protocol.QuestionOrigin{Tool: "select_option", Client: "claude-code", Session: "be1dc951-5502-42d5-94a1-f81914f0346f"}
	question.Options = []protocol.QuestionOption{{ID: "1", Label: "the left one, behind the lighthouse and the old pier"}, {ID: "2", Label: "the right one"}}
	confirm := protocol.Question{ID: "5", Kind: protocol.ConfirmQuestion, Text: question.Text}
	words := protocol.Question{ID: "6", Kind: protocol.GuidanceQuestion, Text: question.Text}
	news := happened{&protocol.Happening{
		Activity:  []protocol.Activity{{Kind: "tool", Name: "find_callers", Detail: "tools/internal/query.Query.CallSites", TookMS: 21904.1, Failed: "gopls has ended: signal: killed"}},
		Languages: []protocol.LanguageServer{{Language: "typescript", State: "indexing", Done: 3, Total: 9, Completeness: "partial"}, {Language: "go", State: "ready"}},
	}}
	idle := newModel(context.Background(), Options{Project: "/p"})
	idle.connected = true
	told := newModel(context.Background(), Options{Project: "/p", Memories: Memories{Told: func(context.Context) ([]Memory, error) { return nil, nil }}})
	told.toggle()
	told.Update(toldLately{list: []Memory{{ID: "a", Kind: "fix", Project: "harbour", Gist: "the ferry leaves from the right pier since the storm"}, {ID: "b", Gist: "short"}}})
	for name, m := range map[string]*model{"choice": showing(question), "confirm": showing(confirm), "words": showing(words), "idle": idle, "told": told} {
		m.Update(tea.WindowSizeMsg{Width: 40, Height: 40})
		m.notice = "question 4 was answered by terminal: the left one, behind the lighthouse"
		m.Update(news)
		got := screen(m)
		for line := range strings.Lines(got) {
			if strings.Contains(line, "…") || ansi.StringWidth(strings.TrimRight(line, "\n")) > 40 {
				t.Errorf("%s: %q is cut, or too wide", name, line)
			}
		}
		words := strings.Join(strings.Fields(strings.ReplaceAll(got, "┃", " ")), " ")
		want := []string{m.notice}
		switch {
		case m.form == nil:
			want = append(want, "find_callers tools/internal/query.Query.CallSites 22 s failed: gopls has ended: signal: killed")
		default:
			want = append(want, question.Text)
		}
		if name == "told" {
			want = []string{"> ", "the ferry leaves from the right pier since the storm"}
		}
		for _, text := range want {
			if !strings.Contains(words, strings.TrimSpace(text)) {
				t.Errorf("%s: no %q in\n%s", name, text, got)
			}
		}
		if name == "choice" && !strings.Contains(words, "the left one, behind the lighthouse and the old pier") {
			t.Errorf("an option is cut:\n%s", got)
		}
	}
}

// TestEscLeavesNoQuestionAlone: it ends the program only if nobody waits.
func TestEscLeavesNoQuestionAlone(t *testing.T) {
	esc := tea.KeyPressMsg{Code: tea.KeyEscape}
	quits := func(m *model) bool {
		_, cmd := m.Update(esc)
		if cmd == nil {
			return false
		}
		_, is := cmd().(tea.QuitMsg)
		return is
	}
	m := showing(guidance)
	if quits(m) {
		t.Error("it quits while the question has just come")
	}
	m.form.since = time.Now().Add(-time.Minute)
	if quits(m) || m.form == nil {
		t.Error("it quits while a question waits")
	}
	m.Update(answered{id: "4", err: errors.New("no answer")})
	if quits(m) {
		t.Error("it quits while an answer was refused")
	}
	m.Update(happened{&protocol.Happening{Questions: []protocol.QuestionRecord{}}})
	if !quits(m) {
		t.Error("it does not quit although nobody waits")
	}
}

func TestTook(t *testing.T) {
	for ms, want := range map[float64]string{0.04: "0.0 ms", 3.21: "3.2 ms", 9.96: "10 ms", 312.4: "312 ms", 999.7: "1.0 s", 1342: "1.3 s", 21904.1: "22 s", 59600: "1m00s", 185000: "3m05s"} {
		if got := took(ms); got != want {
			t.Errorf("%v: got %q, want %q", ms, got, want)
		}
	}
}

// TestGreyCanBeRead on black and on white: by the contrast that WCAG asks of text.
func TestGreyCanBeRead(t *testing.T) {
	var r, g, b int
	if _, err := fmt.Sscanf(grey, "#%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatal(err)
	}
	linear := func(c int) float64 { return math.Pow((float64(c)/255+0.055)/1.055, 2.4) }
	luminance := 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
	if onBlack, onWhite := (luminance+0.05)/0.05, 1.05/(luminance+0.05); onBlack < 4.5 || onWhite < 4.5 {
		t.Errorf("contrast %.2f on black, %.2f on white", onBlack, onWhite)
	}
	for _, m := range []*model{showing(guidance), showing(protocol.Question{ID: "5", Kind: protocol.ConfirmQuestion, Text: "Sure?"})} {
		content := m.View().Content
		for _, unreadable := range []string{"\x1b[2m", "\x1b[37m", "\x1b[90m", "\x1b[33m"} {
			if strings.Contains(content, unreadable) {
				t.Errorf("%q is on the screen:\n%q", unreadable, content)
			}
		}
	}
}
