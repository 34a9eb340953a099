package hook

import (
	"context"

	"tidepool/protocol"
)

// A Contributor contributes to the answers to some events.
type Contributor interface {
	// Events returns the events that it is asked about; nil: all, unknown ones included.
	Events() []protocol.Event
	// Hook returns its contribution to the answer. It is called concurrently, and must return soon after ctx ends.
	Hook(ctx context.Context, e *Event) Answer
}

// An Answer is what a contributor contributes. The zero value is nothing.
type Answer struct {
	Output  protocol.HookOutput // the decision, of the event's own type; nil: none
	Context string              // text for the model; only some events have a field for it
	Verdict                     // how the record describes Output
}

// A Verdict describes a decision. The zero value is none.
type Verdict struct {
	Decision string // deny, ask or allow
	Rule     int    // of the policy, from 1; 0: none decided
	Reason   string // of the decision, or why there is none; may be ""
}

// A Part is a contributor with its name and its conduct. Parts are asked in the order of Options.Parts.
type Part struct {
	Name string // in the log and in agent status
	Contributor
	Conduct Conduct
}

// A Conduct is on which goroutine a contributor runs, and what its failure affects.
type Conduct uint8

const (
	// Apart runs the contributor on its own goroutine, since it may wait. It gets nine tenths of the hook's remaining time;
	// soon after that the router continues without it. A panic affects its own contribution only.
	Apart Conduct = iota
	// Inline runs the contributor on the hook's goroutine, since it answers from memory. A panic affects its own contribution
	// only.
	Inline
	// Deciding runs the contributor on the hook's goroutine, with the hook's whole time. Its failure is the hook's failure, and
	// the client's fail mode decides about the event.
	Deciding
)
