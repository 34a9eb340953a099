package ui

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tidepool/internal/ask"
	"tidepool/protocol"
)

const (
	least        = 3  // lines of a question's text that are shown whatever the height
	leastProject = 12 // cells of the project's directory beside the state; with less room the state has lines of its own
)

// grey is the colour of what matters less. Its contrast is 4.5 or more on black and on white, see TestGreyCanBeRead.
const grey = "#767676"

// View returns the screen: the title, the question that is shown, then what the daemon does, or the page of memories.
func (m *model) View() tea.View {
	top := m.titleLines()
	notice := wrapped(m.notice, m.width, faint)
	if m.notice == "" {
		notice = nil
	}
	top = append(append(top, m.questionLines(len(top)+len(notice))...), notice...)
	below := m.languageLines()
	room := m.height - len(top) - len(below) - 2
	lines := append(append(top, rule(m.width)), below...)
	if m.onPage() {
		lines = append(lines, m.pageLines(room)...)
	} else {
		lines = append(lines, m.activityLines(room)...)
	}
	view := tea.NewView(strings.Join(lines[:min(len(lines), max(1, m.height))], "\n"))
	view.AltScreen = true
	return view
}

// titleLines returns the project and the state, on one line if they fit.
func (m *model) titleLines() []string {
	const name = "tidepool "
	state := m.state()
	if room := m.width - len(name+"  ") - ansi.StringWidth(state); room >= leastProject {
		return []string{bold(strings.TrimSpace(name)) + " " + m.project(room) + "  " + state}
	}
	return append([]string{bold(strings.TrimSpace(name)) + " " + m.project(m.width-len(name))}, wrapped(state, m.width, nil)...)
}

func (m *model) state() string {
	switch {
	case !m.connected && m.trouble == "":
		return "connecting"
	case !m.connected:
		return "no daemon: " + plain(m.trouble)
	case len(m.open) == 1:
		return "1 question waits for you"
	case len(m.open) > 1:
		return fmt.Sprintf("%d questions wait for you, ctrl+n shows the next", len(m.open))
	}
	return "connected, m shows what was told"
}

// project returns the directory within a width, if need be without its beginning: its end tells projects apart.
func (m *model) project(width int) string {
	dir := plain(m.options.directory())
	if over := ansi.StringWidth(dir) - max(width, 1); over > 0 {
		return ansi.TruncateLeft(dir, over+1, "…")
	}
	return dir
}

// directory returns the project's directory as people write it: ~/src/shop.
func (o Options) directory() string {
	below, err := filepath.Rel(o.Home, o.Project)
	if o.Home == "" || err != nil || !filepath.IsLocal(below) {
		return o.Project
	}
	return filepath.Join("~", below)
}

// questionLines returns the question that is shown below so many other lines, its text cut to what the screen has room for, and its
// form.
func (m *model) questionLines(others int) []string {
	if m.form == nil {
		return nil
	}
	q := m.form.question
	lines := append([]string{rule(m.width)}, wrapped(origin(q), m.width, faint)...)
	text := wrapped(q.Text, m.width, bold)
	if q.Details != "" {
		text = append(text, wrapped(q.Details, m.width, nil)...)
	}
	answer := strings.Split(m.form.view(), "\n")
	if home := m.home(); home != nil {
		answer = wrapped("It waits "+home.Where()+": "+home.Hint()+".", m.width, nil)
	}
	room := max(least, m.height-others-len(lines)-len(answer)-len(m.languageLines())-4)
	m.scroll = max(0, min(m.scroll, len(text)-room+1)) // a line less, which says where this is
	if len(text) > room {
		shown := text[m.scroll:min(len(text), m.scroll+room-1)]
		more := fmt.Sprintf("lines %d to %d of %d, page up and down show the others", m.scroll+1, m.scroll+len(shown), len(text))
		text = append(append([]string{}, shown...), wrapped(more, m.width, faint)...)
	}
	return append(append(append(lines, text...), ""), answer...)
}

// origin returns who asks, and since when.
func origin(q protocol.Question) string {
	parts := []string{"question " + q.ID}
	for _, part := range []string{q.From.Tool, q.From.Client, q.From.Session} {
		if part != "" {
			parts = append(parts, plain(part))
		}
	}
	return strings.Join(append(parts, time.Since(q.Asked).Round(time.Second).String()), " · ")
}

// outcome returns what became of a question.
func outcome(q protocol.QuestionRecord) string {
	if q.State == protocol.QuestionAnswered {
		return fmt.Sprintf("question %s was answered by %s: %s", q.ID, q.Channel, plain(ask.Said(q)))
	}
	return fmt.Sprintf("question %s was withdrawn: %s", q.ID, plain(q.Reason))
}

func (m *model) languageLines() []string {
	var servers []string
	for _, l := range m.languages {
		text := l.Language + " " + l.State
		if l.Drafts {
			text = l.Language + " for drafts " + l.State
		}
		if l.Total > 0 && l.State == "indexing" {
			text += fmt.Sprintf(" %d/%d", l.Done, l.Total)
		}
		if l.Completeness != "" && l.Completeness != "complete" {
			text += " (" + l.Completeness + ")"
		}
		servers = append(servers, plain(text))
	}
	if len(servers) == 0 {
		return nil
	}
	return wrapped(strings.Join(servers, " · "), m.width, nil)
}

// activityLines returns the latest, the newest first.
func (m *model) activityLines(room int) []string {
	var lines []string
	for i := len(m.activity) - 1; i >= 0 && len(lines) < room; i-- {
		a := m.activity[i]
		line := fmt.Sprintf("%s %-4s %s", a.At.Local().Format("15:04:05"), plain(a.Kind), plain(a.Name))
		if a.Detail != "" {
			line += " " + plain(a.Detail)
		}
		line += "  " + took(a.TookMS)
		if a.Failed != "" {
			line += "  failed: " + plain(a.Failed)
		}
		lines = append(lines, wrapped(line, m.width, nil)...)
	}
	return lines[:min(len(lines), max(0, room))]
}

// took writes milliseconds as people read them: 0.4 ms, 12 ms, 1.3 s, 22 s, 3m05s.
func took(ms float64) string {
	switch {
	case ms < 9.95:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 999.5:
		return fmt.Sprintf("%.0f ms", ms)
	case ms < 9950:
		return fmt.Sprintf("%.1f s", ms/1000)
	case ms < 59500:
		return fmt.Sprintf("%.0f s", ms/1000)
	}
	seconds := int(math.Round(ms / 1000))
	return fmt.Sprintf("%dm%02ds", seconds/60, seconds%60)
}

// plain returns a foreign text on one line.
func plain(text string) string { return strings.Join(strings.Fields(ask.Plain(text)), " ") }

// wrapped returns a text in lines of a width.
func wrapped(text string, width int, style func(string) string) []string {
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap(ask.Plain(text), max(1, width), ""), "\n") {
		if style != nil {
			line = style(line)
		}
		lines = append(lines, line)
	}
	return lines
}

func rule(width int) string   { return faint(strings.Repeat("─", max(1, width))) }
func bold(text string) string { return lipgloss.NewStyle().Bold(true).Render(text) }
func faint(text string) string {
	return lipgloss.NewStyle().Foreground(lipgloss.Color(grey)).Render(text)
}
