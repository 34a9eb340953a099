package hook

import (
	"slices"
	"sync"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// How many outcomes are kept. Those that decided something have a place of their own: between two of them, hundreds
// may pass.
const (
	keptPasses    = 8
	keptDecisions = 16
)

// An Outcome is what became of one event. It holds nothing of what the event was about.
type Outcome struct {
	Time     time.Time // when it came
	Event    protocol.Event
	Tool     string        // "" for events without one
	Session  string        // "" if the event has none
	Decision string        // deny, ask, allow, or pass
	Rule     int           // of the policy, from 1; 0: none decided
	Reason   string        // of a decision, or why the event passed unread; may be empty
	Took     time.Duration // to find the answer

	ToolUseID  string        // of the tool call that the event was about; "" for events without one
	CallTook   time.Duration // what that call took, if it was one of ours and has ended; 0 otherwise
	CallFailed bool
}

// A memory keeps the latest outcomes. It is safe for concurrent use.
type memory struct {
	mu        sync.Mutex
	passes    ring
	decisions ring
}

// note keeps an outcome. Names of events and tools are the client's, and cut.
func (m *memory) note(o Outcome) {
	o.Event = protocol.Event(clip(string(o.Event)))
	o.Tool, o.ToolUseID, o.Session = clip(o.Tool), clip(o.ToolUseID), clip(o.Session)
	m.mu.Lock()
	defer m.mu.Unlock()
	if o.Decision == pass && o.Reason == "" {
		m.passes.add(o, keptPasses)
	} else {
		m.decisions.add(o, keptDecisions)
	}
}

// join adds to the outcomes of a call's hooks what became of the call.
func (m *memory) join(toolUseID string, took time.Duration, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, kept := range [][]Outcome{m.passes.kept, m.decisions.kept} {
		for i := range kept {
			if kept[i].ToolUseID == clip(toolUseID) {
				kept[i].CallTook, kept[i].CallFailed = took, failed
			}
		}
	}
}

// latest returns what is kept, the oldest first.
func (m *memory) latest() []Outcome {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Concat(m.passes.kept, m.decisions.kept)
	slices.SortStableFunc(all, func(a, b Outcome) int { return a.Time.Compare(b.Time) })
	return all
}

// A ring forgets the oldest when it is full.
type ring struct {
	kept []Outcome
	next int // place of the next, once it is full
}

func (r *ring) add(o Outcome, room int) {
	if len(r.kept) < room {
		r.kept = append(r.kept, o)
		return
	}
	r.kept[r.next] = o
	r.next = (r.next + 1) % room
}

// clip bounds a foreign name.
func clip(name string) string { return wording.ClipBytes(name, 100) }
