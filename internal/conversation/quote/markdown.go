package quote

import (
	"fmt"
	"io"
	"strings"
	"time"

	"tidepool/internal/conversation"
	"tidepool/internal/wording"
)

// Markdown writes a session as a page of Markdown: a heading, then its turns, each line of a prompt and of an answer quoted.
// The page is written turn by turn, so that a long session takes no memory.
type Markdown struct {
	Out io.Writer
	err error
}

// Head writes what the session was. Times are UTC, since a page leaves the machine.
func (m *Markdown) Head(s conversation.Summary) error {
	m.line("# %s", escapeMarkdown(Line(s.Title, 200)))
	m.line("")
	for _, fact := range [][2]string{
		{"session", s.Session}, {"directory", s.Cwd}, {"branch", s.Branch}, {"program", s.Source},
		{"from", stamp(s.First)}, {"to", stamp(s.Last)}, {"turns", fmt.Sprint(s.Turns)},
	} {
		if fact[1] != "" {
			m.line("* %s: %s", fact[0], code(fact[1]))
		}
	}
	return m.err
}

// Turn writes one turn.
func (m *Markdown) Turn(t conversation.Turn) error {
	heading := fmt.Sprintf("## Turn %d", t.Number)
	if at := stamp(t.At); at != "" {
		heading += ", " + at
	}
	if t.Abandoned {
		heading += " (abandoned)"
	}
	m.line("\n%s", heading)
	m.quote("User", t.User)
	m.quote("Claude", t.Answer)
	if len(t.Tools) > 0 {
		m.line("\nTools:\n")
	}
	for _, tool := range t.Tools {
		m.line("* %s", code(ToolLine(tool)))
	}
	return m.err
}

// quote writes a text as a block quotation.
func (m *Markdown) quote(who, text string) {
	if text == "" {
		return
	}
	m.line("\n**%s**\n", who)
	for line := range strings.SplitSeq(wording.Visible(text), "\n") {
		m.line("%s", strings.TrimRight("> "+line, " "))
	}
}

func (m *Markdown) line(format string, args ...any) {
	if m.err == nil {
		_, m.err = fmt.Fprintf(m.Out, format+"\n", args...)
	}
}

func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2006-01-02 15:04 MST")
}

// code returns a text as a span of code, which has more backticks around it than in it.
func code(text string) string {
	text = Line(text, 300)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// escapeMarkdown returns a line without what Markdown takes for links, images, emphasis or HTML.
func escapeMarkdown(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_[]<>&!#|~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
