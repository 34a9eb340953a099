package ui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Memory is one that was told at a prompt.
type Memory struct {
	ID      string
	Kind    string
	Project string // its name, if it is of another project; "": of this one
	Gist    string // foreign text
	At      time.Time
}

// Memories are what was told at prompts, and can be forgotten.
type Memories struct {
	// Told returns those that were told last, the latest first.
	Told func(ctx context.Context) ([]Memory, error)
	// Forget removes a memory for good; nil: whoever runs the program may not.
	Forget func(ctx context.Context, id string) error
}

// lookEvery is how often the page of memories is read while it is shown.
const lookEvery = 2 * time.Second

// A memoryPage shows what was told lately, with a cursor. The key that forgets must be pressed twice for the same memory: what
// is forgotten is overwritten on the disk, so an undo would have to keep it somewhere.
type memoryPage struct {
	shown  bool
	opened int // how often it was shown
	list   []Memory
	read   bool // list has been read
	chosen int
	sure   string // the memory that the next press forgets; "": none
	err    error  // of the last reading
}

// toldLately is the message with what the page shows.
type toldLately struct {
	list []Memory
	err  error
}

// forgotten is the message for the outcome of forgetting.
type forgotten struct {
	id  string
	err error
}

// look is the message that it is time to read the page again, from the time that it was opened.
type look struct{ opened int }

// onPage reports whether the page of memories is on the screen: questions go before.
func (m *model) onPage() bool { return m.page.shown && m.form == nil }

// toggle shows the page of memories, or what it hid.
func (m *model) toggle() tea.Cmd {
	if m.options.Memories.Told == nil {
		m.notice = "recall is switched off: recall.enabled"
		return nil
	}
	m.page.shown, m.page.sure = !m.page.shown, ""
	if !m.page.shown {
		return nil
	}
	m.page.opened++
	return tea.Batch(m.readPage(), m.lookLater())
}

func (m *model) readPage() tea.Cmd {
	return func() tea.Msg {
		list, err := m.options.Memories.Told(m.ctx)
		return toldLately{list, err}
	}
}

func (m *model) lookLater() tea.Cmd {
	opened := m.page.opened
	return tea.Tick(lookEvery, func(time.Time) tea.Msg { return look{opened} })
}

// refresh reads the page again if it has been shown since.
func (m *model) refresh(l look) tea.Cmd {
	if !m.page.shown || l.opened != m.page.opened {
		return nil
	}
	return tea.Batch(m.readPage(), m.lookLater())
}

// fill takes what was read. The cursor stays on its memory.
func (p *memoryPage) fill(t toldLately) {
	p.err, p.read = t.err, true
	if t.err != nil {
		return
	}
	before := p.current().ID
	p.list = t.list
	p.chosen = min(p.chosen, max(0, len(p.list)-1))
	for i, memory := range p.list {
		if memory.ID == before {
			p.chosen = i
			return
		}
	}
	p.sure = "" // what was asked about has gone
}

// current returns the memory at the cursor; the zero one if there is none.
func (p *memoryPage) current() Memory {
	if p.chosen >= len(p.list) {
		return Memory{}
	}
	return p.list[p.chosen]
}

// pageKey handles a key on the page of memories.
func (m *model) pageKey(key string) tea.Cmd {
	p := &m.page
	sure := p.sure
	p.sure = ""
	m.notice = ""
	switch key {
	case "esc", "m":
		return m.toggle()
	case "q":
		return tea.Quit
	case "up", "k":
		p.chosen = max(0, p.chosen-1)
	case "down", "j":
		p.chosen = max(0, min(p.chosen+1, len(p.list)-1))
	case "f":
		return m.forget(p.current(), sure)
	}
	return nil
}

// forget removes a memory if the key was pressed for it before.
func (m *model) forget(memory Memory, sure string) tea.Cmd {
	switch {
	case memory.ID == "":
		return nil
	case m.options.Memories.Forget == nil:
		m.notice = "only a person may forget here, in a terminal that Claude Code did not open"
		return nil
	case sure != memory.ID:
		m.page.sure = memory.ID
		m.notice = "f again forgets " + plain(memory.ID) + " for good, any other key keeps it"
		return nil
	}
	m.notice = "forgetting " + plain(memory.ID)
	return func() tea.Msg { return forgotten{memory.ID, m.options.Memories.Forget(m.ctx, memory.ID)} }
}

// heedForgotten shows what became of it.
func (m *model) heedForgotten(f forgotten) tea.Cmd {
	m.notice = "forgotten: " + plain(f.id)
	if f.err != nil {
		m.notice = plain(f.err.Error())
	}
	return m.readPage()
}

// pageLines returns the page in so many lines.
func (m *model) pageLines(room int) []string {
	p := &m.page
	lines := append([]string{bold("Told at prompts lately")}, wrapped("f forgets, m goes back", m.width, faint)...)
	switch {
	case p.err != nil:
		return append(lines, wrapped(p.err.Error(), m.width, nil)...)
	case !p.read:
		return append(lines, "reading")
	case len(p.list) == 0:
		return append(lines, "nothing was told yet")
	}
	var all []string
	chosen := 0 // the line with the cursor
	for i, memory := range p.list {
		if i == p.chosen {
			chosen = len(all)
			all = append(all, wrapped("> "+memory.line(), m.width, bold)...)
		} else {
			all = append(all, wrapped("  "+memory.line(), m.width, nil)...)
		}
	}
	room = max(1, room-len(lines))
	first := max(0, min(chosen-room/2, len(all)-room))
	return append(lines, all[first:min(len(all), first+room)]...)
}

// line is "3 Nov 15:04 [fix, from harbor] TestDrainOrder raced because …".
func (m Memory) line() string {
	from := plain(m.Kind)
	if m.Project != "" {
		from += ", from " + plain(m.Project)
	}
	return fmt.Sprintf("%s [%s] %s", m.At.Local().Format("2 Jan 15:04"), from, plain(m.Gist))
}
