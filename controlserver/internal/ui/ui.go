package ui

import (
	"context"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidepool/internal/ask"
	"tidepool/protocol"
)

// Options configures Run.
type Options struct {
	Project string // directory, for the title
	Home    string // of the user, which the title writes ~; "": directories are written whole
	// Dial connects to the daemon.
	Dial func() (io.ReadWriteCloser, error)
	// Answer tells the daemon a reply, or without one that a question was shown.
	Answer func(r *protocol.AnswerRequest) (protocol.QuestionRecord, error)
	// Memories are what was told at prompts; the zero value is that recall is switched off.
	Memories Memories

	In      io.Reader // the terminal; nil: standard input
	Out     io.Writer // the terminal; nil: standard output
	Environ []string  // as KEY=value; nil: the process's
}

// Run shows the program until the user leaves it or ctx ends.
// Goroutines: one that stays connected to the daemon; Run waits for it.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	settings := []tea.ProgramOption{tea.WithContext(ctx), tea.WithFPS(25)}
	if o.In != nil {
		settings = append(settings, tea.WithInput(o.In))
	}
	if o.Out != nil {
		settings = append(settings, tea.WithOutput(o.Out))
	}
	if o.Environ != nil {
		settings = append(settings, tea.WithEnvironment(o.Environ))
	}
	program := tea.NewProgram(newModel(ctx, o), settings...)
	linked := make(chan struct{})
	go func() {
		defer close(linked)
		(&link{dial: o.Dial, tell: program.Send}).run(ctx)
	}()
	_, err := program.Run()
	cancel()
	<-linked
	if ctx.Err() != nil && err != nil {
		return nil // it was told to end
	}
	return err
}

// pause is how long a question ignores keys once it is shown, and once it can be answered here: a key that was meant for something else
// must not answer it.
const pause = 400 * time.Millisecond

// kept is how many activities are kept.
const kept = 200

// A model is what the screen shows.
type model struct {
	ctx           context.Context // ends with the program
	options       Options
	width, height int

	connected bool
	trouble   string // why not; "": it has not been tried

	open      []protocol.QuestionRecord // oldest first
	form      *form                     // of the question that is shown; nil: none is
	scroll    int                       // first line of its text that is shown
	notice    string                    // what became of the last one
	languages []protocol.LanguageServer
	activity  []protocol.Activity // oldest first
	page      memoryPage
}

func newModel(ctx context.Context, o Options) *model {
	return &model{ctx: ctx, options: o, width: 80, height: 24}
}

// Init does nothing: everything comes from the daemon.
func (m *model) Init() tea.Cmd { return nil }

// happened is the message for what the daemon reports.
type happened struct{ *protocol.Happening }

// linked is the message for the state of the connection: its error, or nil.
type linked struct{ err error }

// answered is the message for the outcome of an answer.
type answered struct {
	id     string
	record protocol.QuestionRecord
	err    error
}

// second passes while a question is shown.
type second struct{}

// Update handles a message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		if m.form != nil {
			m.form.resize(m.width)
		}
		return m, nil
	case linked:
		m.connected = msg.err == nil
		if msg.err != nil && m.form != nil {
			m.notice = "question " + m.form.question.ID + " went with the daemon"
		}
		if msg.err != nil {
			m.trouble, m.open = msg.err.Error(), nil
			return m, m.choose("")
		}
		return m, nil
	case happened:
		return m, m.learn(msg.Happening)
	case answered:
		return m, m.heed(msg)
	case second:
		return m, m.tick()
	case toldLately:
		m.page.fill(msg)
		return m, nil
	case forgotten:
		return m, m.heedForgotten(msg)
	case look:
		return m, m.refresh(msg)
	case tea.KeyPressMsg:
		if cmd, own := m.key(msg); own {
			return m, cmd
		}
	}
	return m, m.pass(msg)
}

// key handles keys that do not belong to the form.
func (m *model) key(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch key := msg.String(); {
	case key == "ctrl+c" || key == "ctrl+q":
		return tea.Quit, true
	case m.onPage():
		return m.pageKey(key), true
	}
	switch msg.String() {
	case "ctrl+n":
		return m.next(), true
	case "pgdown":
		m.scroll += 5
		return nil, true
	case "pgup":
		m.scroll = max(0, m.scroll-5)
		return nil, true
	case "m":
		if m.form == nil {
			return m.toggle(), true
		}
	case "q", "esc":
		if m.form == nil {
			return tea.Quit, true
		}
	}
	return nil, m.form == nil || time.Since(m.form.since) < pause
}

// pass hands a message to the form, and sends the reply once the form is filled in.
func (m *model) pass(msg tea.Msg) tea.Cmd {
	if m.form == nil {
		return nil
	}
	if _, is := msg.(tea.KeyPressMsg); is && m.home() != nil {
		return nil // it would not be taken
	}
	cmd, reply := m.form.update(msg)
	if reply == nil {
		return cmd
	}
	id := m.form.question.ID
	m.notice = "sending the answer to question " + id
	request := &protocol.AnswerRequest{Question: id, Channel: channel, QuestionReply: *reply}
	return func() tea.Msg {
		record, err := m.options.Answer(request)
		return answered{id, record, err}
	}
}

// home returns the error that names where the shown question must be answered; nil if it can be answered here.
func (m *model) home() *ask.HomeError {
	for _, q := range m.open {
		if m.form != nil && q.ID == m.form.question.ID && q.Home != "" && q.Home != channel {
			return &ask.HomeError{Record: q}
		}
	}
	return nil
}

// channel is the daemon's name for answers from here.
const channel = "ui"

// heed handles the outcome of an answer. After one that was refused the question can be answered again.
func (m *model) heed(a answered) tea.Cmd {
	if a.err != nil {
		m.notice = fmt.Sprintf("question %s: %s", a.id, plain(a.err.Error()))
		if m.form != nil && m.form.question.ID == a.id {
			m.form = m.form.again(m.width)
			return m.form.init()
		}
		return nil
	}
	m.notice = outcome(a.record)
	return nil
}

// learn handles what the daemon reports.
func (m *model) learn(h *protocol.Happening) tea.Cmd {
	m.connected = true
	if h.Languages != nil {
		m.languages = h.Languages
	}
	m.activity = append(m.activity, h.Activity...)
	m.activity = m.activity[max(0, len(m.activity)-kept):]
	if h.Questions == nil {
		return nil
	}
	shown := ""
	if m.form != nil {
		shown = m.form.question.ID
	}
	elsewhere := m.home() != nil
	m.open = nil
	for _, q := range h.Questions {
		if q.State == protocol.QuestionOpen {
			m.open = append([]protocol.QuestionRecord{q}, m.open...)
		} else if q.ID == shown {
			m.notice = outcome(q)
		}
	}
	cmd := m.choose(shown)
	if elsewhere && m.home() == nil && m.form != nil {
		m.form.since = time.Now() // its answers appear only now
	}
	return cmd
}

// next shows the question after the one that is shown.
func (m *model) next() tea.Cmd {
	for i, q := range m.open {
		if m.form != nil && q.ID == m.form.question.ID {
			return m.show(m.open[(i+1)%len(m.open)])
		}
	}
	return nil
}

// choose keeps showing the present question if it is still open, else it shows the oldest one.
func (m *model) choose(shown string) tea.Cmd {
	for _, q := range m.open {
		if q.ID == shown {
			return nil
		}
	}
	m.form = nil
	if len(m.open) == 0 {
		return nil
	}
	return m.show(m.open[0])
}

// show shows a question, and reports to the daemon that a person can see it.
func (m *model) show(q protocol.QuestionRecord) tea.Cmd {
	ticking := m.form != nil
	m.form, m.scroll = newForm(q.Question, m.width), 0
	seen := func() tea.Msg {
		m.options.Answer(&protocol.AnswerRequest{Question: q.ID, Channel: channel}) // if it fails, it has gone
		return nil
	}
	if ticking {
		return tea.Batch(m.form.init(), seen)
	}
	return tea.Batch(m.form.init(), seen, m.tick())
}

// tick sends a message after a second while a question is shown, to update its age.
func (m *model) tick() tea.Cmd {
	if m.form == nil {
		return nil
	}
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} })
}
