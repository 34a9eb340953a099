package browser

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tidepool/internal/conversation"
	"tidepool/internal/conversation/quote"
	"tidepool/internal/wording"
)

const (
	frame      = 4  // lines beside the list and the passage: title, line, rule, help
	leastBoth  = 80 // columns from which the passage is beside the list
	itemHeight = 2  // lines of an item
)

// room is how many lines the list and the passage have.
func (m *model) room() int { return max(1, m.height-frame) }

// beside reports whether the passage is beside the list.
func (m *model) beside() bool { return m.mode == typing && m.width >= leastBoth }

func (m *model) listWidth() int {
	if m.beside() {
		return m.width * 2 / 5
	}
	return m.width
}

func (m *model) passageWidth() int {
	if m.beside() {
		return max(10, m.width-m.listWidth()-3)
	}
	return max(10, m.width)
}

// View returns the screen.
func (m *model) View() tea.View {
	lines := []string{m.title(), m.line.View(), rule(m.width)}
	if m.mode != typing {
		lines[1] = m.subtitle()
	}
	lines = append(lines, m.body()...)
	lines = append(lines, m.foot())
	for i, text := range lines {
		lines[i] = ansi.Truncate(text, m.width, "…")
	}
	view := tea.NewView(strings.Join(lines[:min(len(lines), max(1, m.height))], "\n"))
	view.AltScreen = true
	return view
}

// title says what is searched, how much there is, and whether that is all.
func (m *model) title() string {
	r := m.results
	parts := []string{bold("conversations"), "in " + m.options.Scopes[m.scope].Name}
	switch {
	case r.number == 0:
		parts = append(parts, "looking")
	case len(r.items) < r.total:
		parts = append(parts, fmt.Sprintf("%d of %s", len(r.items), wording.Count(r.total, r.unit)))
	case r.unit != "":
		parts = append(parts, wording.Count(r.total, r.unit))
	}
	switch r.state.State {
	case conversation.Indexing:
		parts = append(parts, fmt.Sprintf("indexing, %d%% read", int(r.state.Share*100)))
	case conversation.Partial:
		parts = append(parts, "partial: "+plain(r.state.Why))
	}
	if len(r.unknown) > 0 {
		parts = append(parts, "no turn has "+plain(strings.Join(r.unknown, ", ")))
	}
	return strings.Join(parts, "  ")
}

// subtitle says what is read.
func (m *model) subtitle() string {
	s := m.passage.summary
	parts := []string{quote.ID(s.Session), quote.Title(s.Title), quote.Path(s.Cwd, m.options.Home), wording.Count(s.Turns, "turn")}
	if unresumable(s) != "" {
		parts = append(parts, "can only be read")
	}
	return strings.Join(parts, "  ")
}

// body returns the list and the passage beside it, or one of them.
func (m *model) body() []string {
	if m.mode != typing {
		return m.passageLines()
	}
	list := m.listLines()
	if !m.beside() {
		return list
	}
	both, read := make([]string, m.room()), m.passageLines()
	for i := range both {
		left := ansi.Truncate(list[i], m.listWidth(), "…")
		both[i] = left + strings.Repeat(" ", max(0, m.listWidth()-ansi.StringWidth(left))) + faint(" │ ") + read[i]
	}
	return both
}

// listLines returns the items around the selected one.
func (m *model) listLines() []string {
	lines := make([]string, 0, m.room()+itemHeight)
	shown := max(1, m.room()/itemHeight)
	first := max(0, min(m.selected-shown/2, len(m.results.items)-shown))
	for i := first; i < len(m.results.items) && len(lines) < m.room(); i++ {
		lines = append(lines, m.itemLines(m.results.items[i], i == m.selected)...)
	}
	if len(m.results.items) == 0 && m.results.number > 0 && m.results.err == nil {
		lines = append(lines, faint("nothing"))
	}
	return fill(lines, m.room())
}

func (m *model) itemLines(it item, selected bool) []string {
	head := fmt.Sprintf("%-11s %s", quote.Day(it.at, m.now()), plain(it.title))
	if it.more > 0 {
		head += fmt.Sprintf(" (%d more)", it.more)
	}
	if m.scope > 0 {
		head += " " + quote.Path(it.dir, m.options.Home)
	}
	if selected {
		return []string{bold("▌ " + head), "▌ " + plain(it.detail)}
	}
	return []string{"  " + head, faint("  " + plain(it.detail))}
}

func (m *model) passageLines() []string {
	var lines []string
	p := &m.passage
	for i := p.scroll; i < len(p.lines) && len(lines) < m.room(); i++ {
		lines = append(lines, p.lines[i].text)
	}
	return fill(lines, m.room())
}

// foot returns what became of the last command, else the keys.
func (m *model) foot() string {
	switch {
	case m.mode == asking:
		return bold("Forget " + quote.ID(m.passage.summary.Session) + " for good? It cannot be found or read here again. y/n")
	case m.notice != "":
		return m.notice
	case m.mode == reading:
		return faint("↑↓ scroll · r resume · e export · y copy the command · f forget · esc back")
	}
	return faint("↑↓ select · enter read · tab other scope · page up and down scroll · esc clear, leave")
}

// fill returns exactly so many lines.
func fill(lines []string, n int) []string {
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines[:n]
}

// snippet returns both halves of a snippet on one line, the answer first: the prompt is often the title.
func snippet(s conversation.Snippet) string {
	if s.Claude == "" {
		return s.User
	}
	return s.Claude
}

func summaryLine(s conversation.Summary) string {
	text := wording.Count(s.Turns, "turn")
	if s.Branch != "" {
		text += ", " + s.Branch
	}
	if !s.Resumable {
		text += ", can only be read"
	}
	return text
}

// failure returns an error and its hint.
func failure(err error) string {
	text := plain(err.Error())
	if hint := wording.HintOf(err); hint != "" {
		text += ": " + plain(hint)
	}
	return text
}

// plain returns a foreign text on one line.
func plain(text string) string { return quote.Line(text, 400) }

func rule(width int) string    { return faint(strings.Repeat("─", max(1, width))) }
func bold(text string) string  { return lipgloss.NewStyle().Bold(true).Render(text) }
func faint(text string) string { return lipgloss.NewStyle().Faint(true).Render(text) }
