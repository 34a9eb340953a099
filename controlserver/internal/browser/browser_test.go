package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidepool/internal/conversation"
)

// TestSearchThatIsNotCompleteIsRepeated although the list of conversations is.
func TestSearchThatIsNotCompleteIsRepeated(t *testing.T) {
	s := newShelf()
	s.loading = true
	d := newDesk(t, s)
	d.line.SetValue("needle7")
	if r := found(t.Context(), d.archive(), "needle7"); r.state.State != conversation.Indexing || r.unit != "conversation" {
		t.Errorf("%+v", r)
	}
}

// A shelf holds sessions and finds a text in them. It answers as an archive does.
type shelf struct {
	sessions []conversation.Summary
	turns    map[string][]conversation.Turn
	mu       sync.Mutex
	state    conversation.Completeness
	searches int
	loading  bool // searches find nothing yet
}

func newShelf() *shelf {
	s := &shelf{turns: map[string][]conversation.Turn{}, state: conversation.Completeness{State: conversation.Complete}}
	at := time.Date(2024, 11, 3, 14, 2, 0, 0, time.UTC)
	for i, title := range []string{"retry policy", "till rounding"} {
		id := fmt.Sprintf("%08d-1111-4222-8333-444455556666", i+1)
		for n := range 60 {
			s.turns[id] = append(s.turns[id], conversation.Turn{
				Session: id, Number: n, At: at, User: fmt.Sprintf("question %d of %s", n, title), Answer: strings.Repeat("line of an answer\n", 30) + fmt.Sprintf("needle%d\x1b]0;owned\a", n),
			})
		}
		s.sessions = append(s.sessions, conversation.Summary{Session: id, Title: title, Cwd: "/home/ann/src/shop", Turns: 60, First: at, Last: at, Resumable: i == 0})
	}
	return s
}

// covers says what answers cover from now on.
func (s *shelf) covers(state conversation.Completeness) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = state
}

func (s *shelf) Search(_ context.Context, q conversation.Query) (conversation.Found, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.searches++
	if s.loading {
		return conversation.Found{State: conversation.Completeness{State: conversation.Indexing}}, nil
	}
	f := conversation.Found{State: s.state}
	for _, session := range s.sessions {
		for _, t := range s.turns[session.Session] {
			if strings.Contains(t.User+" "+t.Answer+"\x1b", q.Text+"\x1b") {
				f.Hits = append(f.Hits, conversation.Hit{Session: session.Session, Title: session.Title, Turn: t.Number, At: t.At, Snippet: conversation.Snippet{User: t.User, Claude: "… " + q.Text}})
			}
		}
	}
	f.Matches = len(f.Hits)
	return f, nil
}

func (s *shelf) List(_ context.Context, q conversation.ListQuery) (found []conversation.Summary, total int, state conversation.Completeness, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range s.sessions {
		if strings.Contains(session.Title, q.Text) {
			found = append(found, session)
		}
	}
	return found, len(found), s.state, nil
}

func (s *shelf) Conversation(_ context.Context, id string, offset, limit int) (conversation.Summary, []conversation.Turn, error) {
	for _, session := range s.sessions {
		if session.Session == id {
			turns := s.turns[id]
			return session, turns[min(offset, len(turns)):min(offset+limit, len(turns))], nil
		}
	}
	return conversation.Summary{}, nil, &conversation.SessionError{Asked: id}
}

// A desk is a model whose commands run at once.
type desk struct {
	*model
	t        *testing.T
	quit     bool
	copied   string
	exported string
	forgot   string
}

func newDesk(t *testing.T, s *shelf) *desk {
	d := &desk{t: t}
	d.model = newModel(t.Context(), Options{
		Scopes: []Scope{
			{"this project", func(context.Context) (Archive, error) { return s, nil }},
			{"all projects", func(context.Context) (Archive, error) { return nil, errors.New("only a person may do this") }},
		},
		Home: "/home/ann",
		Export: func(_ context.Context, _ Archive, session string) (string, error) {
			d.exported = session
			return "/home/ann/x.md", nil
		},
		Forget: func(_ context.Context, _ Archive, session string) error { d.forgot = session; return nil },
	}, func() time.Time { return time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) })
	d.send(tea.WindowSizeMsg{Width: 120, Height: 24})
	d.run(d.Init())
	return d
}

func (d *desk) send(msg tea.Msg) {
	_, cmd := d.Update(msg)
	d.run(cmd)
}

func (d *desk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, each := range msg {
			d.run(each)
		}
	case tea.QuitMsg:
		d.quit = true
	case nil:
	default:
		if text := fmt.Sprint(msg); fmt.Sprintf("%T", msg) == "tea.setClipboardMsg" {
			d.copied = text
		}
		d.send(msg)
	}
}

// press presses keys: names such as "enter", or the letters of a text.
func (d *desk) press(keys ...string) {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp}
	for _, key := range keys {
		if code, is := special[key]; is {
			d.send(tea.KeyPressMsg{Code: code})
			continue
		}
		for _, r := range key {
			d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

func (d *desk) screen() string { return ansi.Strip(d.View().Content) }

func (d *desk) want(parts ...string) {
	d.t.Helper()
	for _, part := range parts {
		if !strings.Contains(d.screen(), part) {
			d.t.Errorf("the screen lacks %q:\n%s", part, d.screen())
		}
	}
}

func TestTypingFinds(t *testing.T) {
	d := newDesk(t, newShelf())
	d.want("in this project  2 conversations", "▌ 3 Nov 2024", "retry policy", "till rounding", "│ turn 0, 3 Nov 2024", "user: question 0 of retry policy")
	d.press("needle4")
	d.want("2 turns", "> needle4", "… needle4", "retry policy", "needle4␛]0;owned␇")
	if strings.Contains(d.View().Content, "\x1b]0;") {
		t.Error("the terminal is told what was said")
	}
	d.press("down")
	d.want("▌ 3 Nov 2024  till rounding")
	d.press("zzz")
	d.want("0 conversations", "nothing")
	d.press("esc")
	d.want("2 conversations")
	if d.press("esc"); !d.quit {
		t.Error("esc does not leave")
	}
}

// TestBeginningOfAWord finds conversations by their titles until the word is whole.
func TestBeginningOfAWord(t *testing.T) {
	d := newDesk(t, newShelf())
	d.press("roun")
	d.want("1 conversation", "till rounding")
}

func TestReading(t *testing.T) {
	d := newDesk(t, newShelf())
	d.press("needle30", "enter")
	d.want("00000001  \"retry policy\"  ~/src/shop  60 turns", "needle30␛", "r resume")
	for range 200 {
		d.press("pgdown")
	}
	d.want("needle59␛")
	for range 200 {
		d.press("pgup")
	}
	if n := len(d.passage.turns); n != mostTurns {
		t.Errorf("%d turns are kept", n)
	}
	d.want("turn 0, 3 Nov 2024", "user: question 0 of retry policy")
	d.press("y")
	d.want("copied, if the terminal takes it: cd /home/ann/src/shop && claude --resume 00000001-1111-4222-8333-444455556666")
	if d.copied != "cd /home/ann/src/shop && claude --resume 00000001-1111-4222-8333-444455556666" {
		t.Errorf("copied %q", d.copied)
	}
	d.press("e")
	d.want("written to ~/x.md")
	d.press("esc")
	d.want("> needle30")
	d.press("enter", "r")
	if !d.quit || d.chosen.Session != "00000001-1111-4222-8333-444455556666" || d.exported != d.chosen.Session {
		t.Errorf("%v, chosen %+v, exported %s", d.quit, d.chosen, d.exported)
	}
}

func TestGoneTranscriptCanOnlyBeRead(t *testing.T) {
	d := newDesk(t, newShelf())
	d.press("down", "enter", "r")
	d.want("can only be read", "its transcript is gone")
	if d.press("y"); d.quit || d.copied != "" {
		t.Errorf("quit %v, copied %q", d.quit, d.copied)
	}
}

func TestForgetAsks(t *testing.T) {
	d := newDesk(t, newShelf())
	d.press("enter", "f")
	d.want("Forget 00000001 for good?", "y/n")
	d.press("n")
	d.want("nothing was forgotten")
	if d.forgot != "" {
		t.Errorf("forgot %s", d.forgot)
	}
	if d.press("f", "y"); d.forgot != "00000001-1111-4222-8333-444455556666" {
		t.Errorf("forgot %q", d.forgot)
	}
	d.want("forgotten: 00000001")
}

func TestScopeThatIsRefused(t *testing.T) {
	d := newDesk(t, newShelf())
	d.press("tab")
	d.want("in all projects", "only a person may do this")
	d.press("tab")
	d.want("in this project", "retry policy")
}

// TestResultsOfAnOlderQueryAreDropped: a search that ends late shows nothing.
func TestResultsOfAnOlderQueryAreDropped(t *testing.T) {
	d := newDesk(t, newShelf())
	_, slow := d.Update(tea.KeyPressMsg{Code: 'n', Text: "n"})
	d.press("eedle7")
	d.run(slow)
	d.want("2 turns", "… needle7")
}

// TestIndexingSearchesAgain by itself, until all is read.
func TestIndexingSearchesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf()
		d := newDesk(t, s)
		s.covers(conversation.Completeness{State: conversation.Indexing, Share: .4})
		go func() {
			time.Sleep(2500 * time.Millisecond) // two searches later
			s.covers(conversation.Completeness{State: conversation.Complete})
		}()
		d.press("needle4") // each key's search is repeated until all is read; only the last one is shown
		if s.searches < 9 || s.searches > 30 {
			t.Errorf("%d searches", s.searches)
		}
		d.want("2 turns")
		if strings.Contains(d.screen(), "indexing") {
			t.Error(d.screen())
		}
	})
}

func TestNarrowScreens(t *testing.T) {
	d := newDesk(t, newShelf())
	d.press("needle4")
	for _, size := range [][2]int{{40, 10}, {10, 3}, {1, 1}, {79, 24}, {200, 60}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		lines := strings.Split(d.screen(), "\n")
		if len(lines) > size[1] {
			t.Errorf("%d lines of %d", len(lines), size[1])
		}
		for _, l := range lines {
			if ansi.StringWidth(l) > size[0] {
				t.Errorf("%d columns of %d: %q", ansi.StringWidth(l), size[0], l)
			}
		}
	}
}

func TestMark(t *testing.T) {
	for _, test := range []struct {
		query, text string
		want        bool
	}{
		{"retries", "a retry policy", true},
		{"retry", "no entry", false},
		{"go", "let it go", true},
		{"go", "ergo", false},
		{"größe", "Größen", true},
		{"", "all", false},
	} {
		if text, got := mark(test.text, wordsOf(test.query)); got != test.want || ansi.Strip(text) != test.text {
			t.Errorf("%q in %q: %v %q", test.query, test.text, got, text)
		}
	}
}
