package browser

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidepool/internal/conversation"
	"tidepool/internal/conversation/quote"
	"tidepool/internal/wording"
)

const (
	before    = 2       // turns before the one that matches that are read with it
	page      = 8       // turns that are read at once
	mostTurns = 40      // turns that are kept: a conversation may have thousands
	mostText  = 100_000 // characters of a prompt or an answer that are shown
)

// A passage is a part of a conversation and where it is scrolled to.
type passage struct {
	number  int    // of the message that it came with
	query   string // that found it
	summary conversation.Summary
	turns   []conversation.Turn
	hit     int      // number of the turn that is to be seen
	words   []string // that are marked, in lower case
	width   int      // of lines
	lines   []line
	scroll  int // first line that is shown
}

// A line is one of a passage, ready for the screen.
type line struct {
	text  string
	turn  int
	marks bool // has one of the words
}

// loaded is the message for turns that were read.
type loaded struct {
	number  int
	summary conversation.Summary
	turns   []conversation.Turn
	hit     int
	query   string
	words   []string
	joins   bool // belongs to the passage that is shown
	err     error
}

// preview reads the passage around the selected item.
func (m *model) preview() tea.Cmd {
	it, is := m.item()
	m.load++
	if !is {
		m.passage = passage{width: m.passageWidth()}
		return nil
	}
	words := []string{}
	if m.results.unit == "turn" {
		words = wordsOf(m.results.query)
	}
	return m.read(loaded{number: m.load, hit: it.turn, query: m.results.query, words: words}, it.session, max(0, it.turn-before))
}

// more reads the turns after or before those of the passage; nil: there are none, or they are being read.
func (m *model) more(forward bool) tea.Cmd {
	p := &m.passage
	if len(p.turns) == 0 {
		return nil
	}
	first := p.turns[len(p.turns)-1].Number + 1
	if !forward {
		first = max(0, p.turns[0].Number-page)
	}
	if forward && first >= p.summary.Turns || !forward && p.turns[0].Number == 0 {
		return nil
	}
	m.load++
	return m.read(loaded{number: m.load, hit: p.hit, words: p.words, joins: true}, p.summary.Session, first)
}

func (m *model) read(into loaded, session string, first int) tea.Cmd {
	archive := m.archive()
	return func() tea.Msg {
		into.summary, into.turns, into.err = archive.Conversation(m.ctx, session, first, page)
		return into
	}
}

// join shows turns that were read.
func (m *model) join(l loaded) tea.Cmd {
	if l.number != m.load {
		return nil // another one was asked for
	}
	if l.err != nil {
		m.notice = failure(l.err)
		return nil
	}
	if l.joins && len(m.passage.turns) > 0 {
		m.passage.number = l.number
		m.passage.extend(l.turns)
		return nil
	}
	m.passage = passage{number: l.number, summary: l.summary, turns: l.turns, hit: l.hit, query: l.query, words: l.words}
	m.passage.wrap(m.passageWidth())
	m.passage.toHit(m.room())
	return nil
}

// shows reports whether the passage is that of an item of these results, so that it may stay as it was scrolled.
func (p *passage) shows(it item, r results) bool {
	return len(p.turns) > 0 && p.summary.Session == it.session && p.hit == it.turn && p.query == r.query
}

// extend adds turns at the end or the beginning, and keeps in place what is seen. The far end goes when there are too many.
func (p *passage) extend(turns []conversation.Turn) {
	at, offset := p.place()
	all := append(slices.Clone(p.turns), turns...)
	slices.SortStableFunc(all, func(a, b conversation.Turn) int { return a.Number - b.Number })
	all = slices.CompactFunc(all, func(a, b conversation.Turn) bool { return a.Number == b.Number })
	if over := len(all) - mostTurns; over > 0 {
		if len(turns) > 0 && turns[0].Number < p.turns[0].Number {
			all = all[:mostTurns]
		} else {
			all = all[over:]
		}
	}
	p.turns = all
	p.wrap(p.width)
	p.scroll = max(0, p.first(at)+offset)
}

// place returns the turn at the top of the screen and how many of its lines are above.
func (p *passage) place() (turn, offset int) {
	if len(p.lines) == 0 {
		return 0, 0
	}
	turn = p.lines[min(p.scroll, len(p.lines)-1)].turn
	return turn, p.scroll - p.first(turn)
}

// first returns the first line of a turn.
func (p *passage) first(turn int) int {
	return max(0, slices.IndexFunc(p.lines, func(l line) bool { return l.turn == turn }))
}

// toHit scrolls to the turn that matches: to its beginning, or if the match is further down than there is room, to the match.
func (p *passage) toHit(room int) {
	start := p.first(p.hit)
	p.scroll = start
	for i := start; i < len(p.lines) && p.lines[i].turn == p.hit; i++ {
		if p.lines[i].marks {
			if i >= start+room {
				p.scroll = i - room/3
			}
			return
		}
	}
}

// wrap lays the turns out in lines of a width.
func (p *passage) wrap(width int) {
	if width != p.width && len(p.lines) > 0 {
		at, offset := p.place()
		defer func() { p.scroll = min(p.first(at)+offset, max(0, len(p.lines)-1)) }()
	}
	p.width, p.lines = width, nil
	for _, t := range p.turns {
		p.add(t.Number, bold(heading(t)))
		p.speech(t.Number, "user: ", t.User)
		p.speech(t.Number, "claude: ", t.Answer)
		for _, tool := range t.Tools {
			p.add(t.Number, faint(ansi.Truncate("· "+quote.ToolLine(tool), width, "…")))
		}
		p.add(t.Number, "")
	}
}

// speech lays out what somebody said.
func (p *passage) speech(turn int, who, text string) {
	if text == "" {
		return
	}
	shown := wording.Visible(text)
	if cut := wording.Clip(shown, mostText); len(cut) < len(shown) {
		shown = cut + "\n(agent conversations show has the rest)"
	}
	for text := range strings.SplitSeq(ansi.Wrap(who+shown, max(10, p.width), ""), "\n") {
		marked, has := mark(text, p.words)
		p.lines = append(p.lines, line{marked, turn, has})
	}
}

func (p *passage) add(turn int, text string) { p.lines = append(p.lines, line{text: text, turn: turn}) }

func heading(t conversation.Turn) string {
	text := fmt.Sprintf("turn %d", t.Number)
	if !t.At.IsZero() {
		text += t.At.Local().Format(", 2 Jan 2006 15:04")
	}
	if t.Abandoned {
		text += ", abandoned"
	}
	return text
}
