package browser

import (
	"context"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"tidepool/internal/conversation"
)

// A mode is what keys do.
type mode int

const (
	typing mode = iota
	reading
	asking // whether the conversation is to be forgotten
)

// A model is what the screen shows. Its commands run beside it and send what they found; one that was overtaken by another
// is told by its number and dropped.
type model struct {
	ctx           context.Context // ends with the program
	options       Options
	now           func() time.Time
	width, height int

	scope    int
	archives []Archive // by scope; nil: it is not open
	opening  []bool    // by scope
	line     textinput.Model
	mode     mode
	notice   string // what became of the last command

	search   int                // number of the last search
	cancel   context.CancelFunc // ends the one that runs
	results  results
	selected int // of results.items

	load    int // number of the last passage that was asked for
	passage passage

	chosen conversation.Summary // to be resumed
}

func newModel(ctx context.Context, o Options, now func() time.Time) *model {
	line := textinput.New()
	line.Prompt = "> "
	line.Placeholder = "words of what was said, a \"phrase\", or a session's id"
	line.CharLimit = 500
	line.Focus()
	return &model{
		ctx: ctx, options: o, now: now, width: 80, height: 24,
		archives: make([]Archive, len(o.Scopes)), opening: make([]bool, len(o.Scopes)), line: line, cancel: func() {},
	}
}

// Init shows the latest conversations.
func (m *model) Init() tea.Cmd { return m.find() }

// Update handles a message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.line.SetWidth(max(10, m.width-len(m.line.Prompt)-1))
		m.passage.wrap(m.passageWidth())
		return m, nil
	case opened:
		return m, m.enter(msg)
	case results:
		return m, m.show(msg)
	case again:
		return m, m.refresh(msg)
	case loaded:
		return m, m.join(msg)
	case done:
		return m, m.heed(msg)
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.PasteMsg:
		return m, m.typed(msg)
	}
	return m, nil
}

// archive returns that of the scope; nil while it is being opened.
func (m *model) archive() Archive { return m.archives[m.scope] }

// item returns the selected one.
func (m *model) item() (item, bool) {
	if m.selected < 0 || m.selected >= len(m.results.items) {
		return item{}, false
	}
	return m.results.items[m.selected], true
}
