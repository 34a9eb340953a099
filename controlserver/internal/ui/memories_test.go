package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidepool/protocol"
)

// A shelf has what was told, the latest first.
type shelf struct {
	list []Memory
	err  error
}

func (s *shelf) told(context.Context) ([]Memory, error) { return slices.Clone(s.list), s.err }

func (s *shelf) forget(_ context.Context, id string) error {
	before := len(s.list)
	s.list = slices.DeleteFunc(s.list, func(m Memory) bool { return m.ID == id })
	if len(s.list) == before {
		return errors.New("there is no memory " + id)
	}
	return nil
}

func newShelf() *shelf {
	at := time.Date(2026, 11, 3, 15, 4, 0, 0, time.Local)
	return &shelf{list: []Memory{
		{ID: "mem_3f2a9c01b7de", Kind: "fix", Gist: "TestDrainOrder raced.", At: at},
		{ID: "mem_91bc20aa34f0", Kind: "preference", Project: "harbor", Gist: "Always use pnpm\x1b]0;x\x07 in web.", At: at},
	}}
}

// page is a model that shows the page of memories.
func page(t *testing.T, m Memories) *model {
	t.Helper()
	p := newModel(t.Context(), Options{Project: "/p", Memories: m})
	p.connected = true
	press(p, "m")
	return p
}

// press presses keys one after the other, and has what they start done before the next. What waits for a time is left out.
func press(m *model, keys ...string) {
	codes := map[string]rune{"m": 'm', "f": 'f', "down": tea.KeyDown}
	for _, key := range keys {
		_, cmd := m.Update(tea.KeyPressMsg{Code: codes[key]})
		if cmd != nil && key == "f" {
			m.Update(cmd())
		}
		settle(m)
	}
}

// settle has the page read.
func settle(m *model) {
	if m.page.shown {
		m.Update(m.readPage()())
	}
}

func TestPageForgetsAtTheSecondPress(t *testing.T) {
	s := newShelf()
	m := page(t, Memories{s.told, s.forget})
	if got := screen(m); !strings.Contains(got, "> 3 Nov 15:04 [fix] TestDrainOrder raced.\n  3 Nov 15:04 [preference, from harbor] Always use pnpm␛]0;x␇ in web.") {
		t.Error(got)
	}
	press(m, "f", "down", "f") // another memory than the one that was asked about
	if len(s.list) != 2 {
		t.Fatalf("forgotten after one press: %v", s.list)
	}
	press(m, "f")
	if got := screen(m); len(s.list) != 1 || !strings.Contains(got, "forgotten: mem_91bc20aa34f0") || strings.Contains(got, "pnpm") {
		t.Errorf("%v\n%s", s.list, got)
	}
	press(m, "f", "f")
	if got := screen(m); !strings.Contains(got, "nothing was told yet") {
		t.Error(got)
	}
}

func TestPageKeepsWhatHasMovedSinceItWasAskedAbout(t *testing.T) {
	s := newShelf()
	m := page(t, Memories{s.told, s.forget})
	press(m, "f")
	s.list = append([]Memory{{ID: "mem_000000000001", Kind: "note", Gist: "new"}}, s.list...)
	settle(m)
	press(m, "f")
	if len(s.list) != 2 || s.list[0].ID != "mem_000000000001" {
		t.Errorf("the cursor did not stay on its memory: %v", s.list)
	}
	press(m, "f")
	s.list = s.list[:1]
	settle(m)
	press(m, "f")
	if len(s.list) != 1 {
		t.Error("forgotten by the press for another memory that has gone")
	}
}

func TestPageOfWhoMayNotForget(t *testing.T) {
	s := newShelf()
	m := page(t, Memories{Told: s.told})
	press(m, "f", "f")
	if got := screen(m); len(s.list) != 2 || !strings.Contains(got, "only a person may forget here") {
		t.Error(got)
	}
}

func TestPageSaysWhatIsWrong(t *testing.T) {
	s := newShelf()
	s.err = errors.New("the database is newer than this program")
	if got := screen(page(t, Memories{s.told, s.forget})); !strings.Contains(got, "the database is newer") {
		t.Error(got)
	}
	if got := screen(page(t, Memories{})); !strings.Contains(got, "recall is switched off") {
		t.Error(got)
	}
}

// TestQuestionGoesBeforeThePage: its keys are its own.
func TestQuestionGoesBeforeThePage(t *testing.T) {
	s := newShelf()
	m := page(t, Memories{s.told, s.forget})
	press(m, "f")
	m.Update(happened{&protocol.Happening{Questions: []protocol.QuestionRecord{{Question: guidance, State: protocol.QuestionOpen}}}})
	m.form.since = time.Now().Add(-2 * pause)
	m.Update(tea.KeyPressMsg{Code: 'f', Text: "f"})
	if got := screen(m); len(s.list) != 2 || strings.Contains(got, "Told at prompts") || !strings.Contains(got, "Which way?") {
		t.Error(got)
	}
	m.Update(happened{&protocol.Happening{Questions: []protocol.QuestionRecord{}}})
	if got := screen(m); !strings.Contains(got, "Told at prompts") {
		t.Error(got)
	}
}
