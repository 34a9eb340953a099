package browser

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidepool/internal/conversation"
	"tidepool/internal/conversation/quote"
)

// done is the message for a command that has ended.
type done struct {
	notice  string
	err     error
	changed bool // search again
}

// key handles a key.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	if key := msg.String(); key == "ctrl+c" || key == "ctrl+q" {
		return tea.Quit
	}
	m.notice = ""
	switch m.mode {
	case asking:
		return m.answer(msg.String())
	case reading:
		return m.readingKey(msg.String())
	}
	return m.typingKey(msg)
}

// typingKey handles a key while a query is typed.
func (m *model) typingKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		m.beginReading()
		return nil
	case "tab":
		return m.nextScope()
	case "up", "ctrl+p":
		return m.choose(-1)
	case "down", "ctrl+n":
		return m.choose(1)
	case "pgup":
		return m.scrollBy(-m.room() / 2)
	case "pgdown":
		return m.scrollBy(m.room() / 2)
	case "esc":
		if m.line.Value() == "" {
			return tea.Quit
		}
		m.line.SetValue("")
		return m.find()
	}
	return m.typed(msg)
}

// beginReading opens the selected conversation. If its passage is still being read it comes by itself.
func (m *model) beginReading() {
	if _, is := m.item(); !is {
		return
	}
	m.mode = reading
	if m.passage.number != m.load {
		m.passage = passage{}
	}
	m.passage.wrap(m.passageWidth())
	m.passage.toHit(m.room())
}

// typed gives a message to the line, and searches if it has changed.
func (m *model) typed(msg tea.Msg) tea.Cmd {
	if m.mode != typing {
		return nil
	}
	previous := m.line.Value()
	m.line, _ = m.line.Update(msg) // its command only makes a cursor blink
	if m.line.Value() == previous {
		return nil
	}
	return m.find()
}

// readingKey handles a key while a conversation is read.
func (m *model) readingKey(key string) tea.Cmd {
	switch key {
	case "esc", "q", "left", "backspace":
		m.mode = typing
		m.passage.wrap(m.passageWidth())
		m.passage.toHit(m.room())
		return nil
	case "up", "k":
		return m.scrollBy(-1)
	case "down", "j":
		return m.scrollBy(1)
	case "pgup", "b":
		return m.scrollBy(2 - m.room())
	case "pgdown", "space":
		return m.scrollBy(m.room() - 2)
	}
	if len(m.passage.turns) == 0 {
		return nil // there is nothing yet to do it with
	}
	switch key {
	case "r":
		return m.resume()
	case "e":
		return m.export()
	case "y":
		return m.copy()
	case "f":
		return m.askForget()
	}
	return nil
}

// choose selects another item.
func (m *model) choose(by int) tea.Cmd {
	if len(m.results.items) == 0 {
		return nil
	}
	m.selected = max(0, min(m.selected+by, len(m.results.items)-1))
	return m.preview()
}

// nextScope searches elsewhere.
func (m *model) nextScope() tea.Cmd {
	if len(m.options.Scopes) == 1 {
		m.notice = "there is no other scope"
		return nil
	}
	m.scope = (m.scope + 1) % len(m.options.Scopes)
	m.results, m.passage, m.selected = results{}, passage{}, 0
	m.load++
	return m.find()
}

// scrollBy moves the passage, and reads on at its ends.
func (m *model) scrollBy(lines int) tea.Cmd {
	p := &m.passage
	last := max(0, len(p.lines)-m.room())
	p.scroll = max(0, min(p.scroll+lines, last))
	switch {
	case lines > 0 && p.scroll >= last-m.room():
		return m.more(true)
	case lines < 0 && p.scroll < m.room():
		return m.more(false)
	}
	return nil
}

// resume ends the program with the conversation that is read.
func (m *model) resume() tea.Cmd {
	if why := unresumable(m.passage.summary); why != "" {
		m.notice = why
		return nil
	}
	m.chosen = m.passage.summary
	return tea.Quit
}

// unresumable says why a conversation can only be read; "": it can be resumed.
func unresumable(s conversation.Summary) string {
	switch {
	case !s.Resumable:
		return "its transcript is gone, or it is a subagent's: it can only be read"
	case quote.ResumeIn(s.Cwd, s.Session) == "":
		return "its id or its directory is none that a shell can be given: it can only be read"
	}
	return ""
}

// copy puts the command that resumes the conversation into the terminal's clipboard.
func (m *model) copy() tea.Cmd {
	if why := unresumable(m.passage.summary); why != "" {
		m.notice = why
		return nil
	}
	command := quote.ResumeIn(m.passage.summary.Cwd, m.passage.summary.Session)
	m.notice = "copied, if the terminal takes it: " + plain(command)
	return tea.SetClipboard(command)
}

// export writes the conversation to a file.
func (m *model) export() tea.Cmd {
	archive, session := m.archive(), m.passage.summary.Session
	m.notice = "exporting"
	return func() tea.Msg {
		path, err := m.options.Export(m.ctx, archive, session)
		return done{notice: "written to " + quote.Path(path, m.options.Home), err: err}
	}
}

// askForget asks whether the conversation is to be removed.
func (m *model) askForget() tea.Cmd {
	if m.options.Forget == nil {
		m.notice = "only a person may forget a conversation, in a terminal that Claude Code did not open"
		return nil
	}
	m.mode = asking
	return nil
}

// answer takes the answer to that question: only y is a yes.
func (m *model) answer(key string) tea.Cmd {
	m.mode = reading
	if strings.ToLower(key) != "y" {
		m.notice = "nothing was forgotten"
		return nil
	}
	archive, session := m.archive(), m.passage.summary.Session
	m.mode, m.notice = typing, "forgetting"
	return func() tea.Msg {
		err := m.options.Forget(m.ctx, archive, session)
		return done{notice: "forgotten: " + quote.ID(session), err: err, changed: true}
	}
}

// heed shows what became of a command.
func (m *model) heed(d done) tea.Cmd {
	m.notice = d.notice
	if d.err != nil {
		m.notice = failure(d.err)
	}
	if d.changed {
		return m.find()
	}
	return nil
}
