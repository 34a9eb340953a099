package index

import (
	"strings"
	"time"

	"tidepool/internal/recall/memory"
)

// DocOf returns a memory as the index takes it.
func DocOf(m *memory.Memory) Doc {
	return Doc{
		N: m.N, Project: m.Project.Key, Session: m.Session, Turn: m.Turn, Kind: m.Kind, Trust: m.Trust, Confidence: confidenceOf(m),
		Superseded: m.SupersededBy != "", Text: textOf(m), At: m.Created,
	}
}

// confidenceOf returns how much a memory is believed, a half if nobody has said anything.
func confidenceOf(m *memory.Memory) float64 {
	if sum := m.Alpha + m.Beta; sum > 0 {
		return m.Alpha / sum
	}
	return .5
}

// textOf returns the words by which a memory is found: what it says, its labels, and the day that it is of.
func textOf(m *memory.Memory) string {
	var b strings.Builder
	b.WriteString(m.Content)
	if !strings.HasPrefix(m.Content, m.Gist) {
		b.WriteString("\n" + m.Gist)
	}
	for _, labels := range [][]string{m.Tags, m.Files} {
		for _, label := range labels {
			b.WriteString("\n" + label)
		}
	}
	if !m.Created.IsZero() {
		b.WriteString("\n" + m.Created.UTC().Format("2 January 2006"))
	}
	return b.String()
}

// doc returns what is kept of a memory. mu is held.
func (x *Index) doc(slot uint32) Doc {
	d := &x.docs[slot]
	out := Doc{
		N: d.n, Project: x.names.texts[d.project], Session: x.sessions[x.sessionOf[slot]].name, Turn: int(d.turn),
		Kind: memory.Kind(x.names.texts[d.kind]), Trust: memory.Trust(x.names.texts[d.trust]), Confidence: float64(d.confidence),
		Superseded: d.superseded,
	}
	if d.at != noTime {
		out.At = time.UnixMilli(d.at)
	}
	return out
}
