package transcripttest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"tidepool/internal/transcript"
)

// A maker writes one transcript, record by record, and knows what must be read of it.
type maker struct {
	o       Options
	emit    func(line []byte)
	keep    bool // the turns are wanted
	rand    *rand.Rand
	words   *vocabulary
	at      int64 // the length of what was written
	clock   time.Time
	last    string   // the uuid of the last record of the tree; "": the next one is a root
	turn    int      // that the last record belongs to; -1: none
	parents []int    // of each turn: the one that its prompt follows, or -1
	ends    []string // of each turn: its last record
	topic   []string // words that the turn is about
	turns   []transcript.Turn
	texts   []string // of the newest turn's answer
	calls   int
	copied  string // the session that records are copied from; "": they are the file's own
}

func newMaker(seed uint64, o Options, emit func([]byte)) *maker {
	m := &maker{emit: emit, rand: rand.New(rand.NewPCG(seed, 0x7469646570)), turn: -1}
	m.words = newVocabulary(m.rand)
	m.o = o.withDefaults(m)
	m.clock = m.o.Start
	return m
}

func (m *maker) run() {
	m.opening()
	for len(m.parents) < m.o.Turns {
		if m.o.Shapes {
			m.shape()
		}
		m.dialogue()
	}
	m.finish()
}

// one reports true once in n times.
func (m *maker) one(n int) bool { return m.rand.IntN(n) == 0 }

func (m *maker) uuid() string {
	a, b := m.rand.Uint64(), m.rand.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", uint32(a), uint16(a>>32), uint16(a>>48)&0xfff, uint16(b)&0x3fff|0x8000, b>>16)
}

// raw writes a line and returns where it starts and ends.
func (m *maker) raw(line string) (start, end int64) {
	start, end = m.at, m.at+int64(len(line))
	m.emit([]byte(line))
	m.at = end + 1
	return start, end
}

// record writes a record behind the last one.
func (m *maker) record(kind, body string) (r record, start, end int64) {
	m.clock = m.clock.Add(time.Duration(50+m.rand.IntN(4000)) * time.Millisecond)
	r = record{
		uuid: m.uuid(), parent: m.last, kind: kind, body: body, late: kind != "user", session: m.copied, at: m.clock, sidechain: m.o.Parent != "",
	}
	start, end = m.raw(m.line(r))
	m.last = r.uuid
	return r, start, end
}

// prompt writes a record that opens a turn, of a prompt that says the text.
func (m *maker) prompt(kind, body, text string) record {
	m.finish()
	parent := m.turn
	if m.last == "" {
		parent = -1
	}
	r, start, end := m.record(kind, body)
	m.turn = len(m.parents)
	m.parents, m.ends = append(m.parents, parent), append(m.ends, "")
	if m.keep {
		m.turns = append(m.turns, transcript.Turn{
			Number: m.turn, UUID: r.uuid, Session: cmp.Or(m.copied, m.o.Parent, m.o.Session), At: r.at, User: text, Start: start, End: end,
		})
	}
	return r
}

// finish leaves the open turn.
func (m *maker) finish() {
	if m.turn < 0 {
		return
	}
	m.ends[m.turn] = m.last
	if m.keep && len(m.texts) > 0 {
		m.turns[len(m.turns)-1].Answer = strings.Join(m.texts, "\n\n")
	}
	m.texts = nil
}

// rewind goes on behind an earlier turn; -1: in front of all.
func (m *maker) rewind(turn int) {
	m.finish()
	m.turn, m.last = turn, ""
	if turn >= 0 {
		m.last = m.ends[turn]
	}
}

// said notes a text or a call of the newest turn, read from a line that ends there.
func (m *maker) said(text string, tool *transcript.Tool, end int64) {
	if !m.keep || len(m.turns) == 0 {
		return
	}
	t := &m.turns[len(m.turns)-1]
	t.End = end
	if tool != nil {
		t.Tools = append(t.Tools, *tool)
	}
	if text != "" {
		m.texts = append(m.texts, text)
	}
}

// wanted returns the turns, of which those are abandoned that do not lead to the last record.
func (m *maker) wanted() []transcript.Turn {
	for i := range m.turns {
		m.turns[i].Abandoned = true
	}
	for at := m.turn; at >= 0; at = m.parents[at] {
		m.turns[at].Abandoned = false
	}
	return m.turns
}
