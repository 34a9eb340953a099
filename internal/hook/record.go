package hook

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// How many outcomes are kept. Outcomes with a decision have a place of their own, and so have outcomes with another
// contribution or a failure: between two of them, hundreds of events may pass.
const (
	keptPasses        = 8
	keptContributions = 8
	keptDecisions     = 16
)

// Other is the name under which events are counted that are not known by theirs.
const Other = "other"

// pass is the decision of an event that is left alone.
const pass = "pass"

// An Outcome is what became of one event. It holds nothing of what the event was about.
type Outcome struct {
	Time          time.Time // when it came
	Event         protocol.Event
	Tool          string         // "" for events without one
	Session       string         // "" if the event has none
	Verdict                      // its decision is pass if nobody decided
	Took          time.Duration  // to find the answer
	Contributions []Contribution // in the order of the parts, without those that contributed nothing

	ToolUseID  string        // of the tool call that the event was about; "" for events without one
	CallTook   time.Duration // what that call took, if it was one of ours and has ended; 0 otherwise
	CallFailed bool
}

// A Contribution is what one part contributed to the answer, or why it did not.
type Contribution struct {
	Part       string
	Decided    bool
	Characters int    // of its context that the model reads, in UTF-16 units
	Cut        int    // of its context that the model does not read, because the budget was spent
	Failed     string // why it contributed nothing; "" unless it panicked or was late
}

// add notes what a part contributed. The first verdict with a decision counts; until there is one, why there could be none.
func (o *Outcome) add(v Verdict, c Contribution) {
	if c != (Contribution{Part: c.Part}) {
		o.Contributions = append(o.Contributions, c)
	}
	switch {
	case v.Decision != "" && o.Decision == pass:
		o.Verdict = v
	case v.Decision == "" && v.Reason != "" && o.Reason == "":
		o.Reason = v.Reason
	}
}

// A Record counts events and keeps the latest outcomes. Safe for concurrent use.
type Record struct {
	counts map[protocol.Event]*atomic.Int64 // fixed by NewRecord
	other  atomic.Int64

	mu            sync.Mutex
	passes        ring
	contributions ring
	decisions     ring
}

// NewRecord returns an empty one.
func NewRecord() *Record {
	r := &Record{counts: make(map[protocol.Event]*atomic.Int64)}
	for _, event := range protocol.Events() {
		r.counts[event] = new(atomic.Int64)
	}
	return r
}

func (r *Record) count(event protocol.Event) {
	if n, known := r.counts[event]; known {
		n.Add(1)
	} else {
		r.other.Add(1)
	}
}

// Counts returns how many events there have been, by name; events that have not come are left out.
func (r *Record) Counts() map[string]int64 {
	counts := make(map[string]int64)
	for event, n := range r.counts {
		if n := n.Load(); n > 0 {
			counts[string(event)] = n
		}
	}
	if n := r.other.Load(); n > 0 {
		counts[Other] = n
	}
	return counts
}

// note keeps an outcome. Names of events and tools are the client's, and cut.
func (r *Record) note(o Outcome) {
	o.Event = protocol.Event(clip(string(o.Event)))
	o.Tool, o.ToolUseID, o.Session = clip(o.Tool), clip(o.ToolUseID), clip(o.Session)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case o.Decision != pass || o.Reason != "":
		r.decisions.add(o, keptDecisions)
	case o.Contributions != nil:
		r.contributions.add(o, keptContributions)
	default:
		r.passes.add(o, keptPasses)
	}
}

// CallEnded adds the duration and the result of a tool call that this daemon has answered to the outcomes of the call's
// hooks, which have the same id. The id "" has no hooks.
func (r *Record) CallEnded(toolUseID string, took time.Duration, failed bool) {
	if toolUseID == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, kept := range [][]Outcome{r.passes.kept, r.contributions.kept, r.decisions.kept} {
		for i := range kept {
			if kept[i].ToolUseID == clip(toolUseID) {
				kept[i].CallTook, kept[i].CallFailed = took, failed
			}
		}
	}
}

// Outcomes returns the latest outcomes, the oldest first: some that passed, some with contributions, and some with a
// decision.
func (r *Record) Outcomes() []Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := slices.Concat(r.passes.kept, r.contributions.kept, r.decisions.kept)
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
